"""Lists that search for the works of rows without a right DOI."""

import json
from collections.abc import Iterator
from datetime import timedelta
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.utils import timezone

from resolver.models import Job, Row, StoredSearch
from resolver.services.comparisons.reruns import create_rerun
from resolver.services.jobs import retry
from resolver.services.proxy_answers.configured_proxy import DoiProxy
from resolver.services.results.export import build_results_table
from resolver.services.results.facets import count_facets, count_groups
from resolver.services.results.original_file import iterate_original
from resolver.services.results.row_queries import RowFilter, fetch_rows
from resolver.services.results.task_counts import count_tasks
from resolver.services.reviews.bulk_decisions import decide_rows
from resolver.services.reviews.decisions import Decider, NoProposal, decide_row
from resolver.services.reviews.review_counts import count_review
from tests.proxy.raw_server import RawServer, Request, http
from tests.services.conftest import NOW, make_job, run, work_off

pytestmark = pytest.mark.django_db(transaction=True)

LIST = """doi,Title,Author,Year,Journal
10.5555/one,On owls and their silent flight,"Strix, Anna",2011,
,On owls and their silent flight,"Strix, Anna",2011,
10.5555/missing-1,The migration of storks in autumn,"Ciconia, Paul",1999,
,Owls,"Strix, Anna",2011,
,A title that no service lists,"Nobody, Ann",2001,
10.5555/two,Wetlands and the herons of spring,"Ardea, Eva",2005,
,The song of thrushes at dusk,"Turdus, Kim",2015,
,The song of thrushes at dawn,"Turdus, Kim",2015,
"10.5555/three, 10.5555/missing-4",On owls and their silent flight,"Strix, Anna",2011,
"""
WORKS = {
    "owls": [("10.5555/owls", "On owls and their silent flight", "Strix", "Anna", 2011)],
    "storks": [("10.5555/storks", "The migration of storks in autumn", "Ciconia", "Paul", 1999)],
    "herons": [("10.5555/herons", "Wetlands and the herons of spring", "Ardea", "Eva", 2005)],
    "dusk": [
        ("10.5555/dusk", "The song of thrushes at dusk", "Turdus", "Kim", 2015),
        ("10.5555/dusk-preprint", "The song of thrushes at dusk", "Turdus", "Kim", 2015),
    ],
    "dawn": [("10.5555/missing-dawn", "The song of thrushes at dawn", "Turdus", "Kim", 2015)],
}
BY_ADA = Decider("ada", NOW)


def describe(doi: str, title: str, family: str, given: str, year: int) -> dict[str, Any]:
    return {
        "DOI": doi, "title": [title], "author": [{"family": family, "given": given}],
        "issued": {"date-parts": [[year]]},
    }  # fmt: skip


def answer(request: Request) -> bytes:
    """Crossref lists WORKS, by a word of the title, and another title for the DOI of line 6. DataCite lists none."""
    moon = describe("10.5555/two", "Rocks of the moon", "Luna", "Max", 1970)
    if "filter=doi" in request.target:
        return http(200, {"message": {"items": [moon]}})
    if request.target == "/works/10.5555%2Ftwo":
        return http(200, {"message": moon})
    (asked,) = parse_qs(urlsplit(request.target).query).get("query.bibliographic", [""])
    if not request.target.startswith("/works?"):
        return http(200, {"data": []})
    found = [describe(*work) for word, works in WORKS.items() if word in asked for work in works]
    return http(200, {"message": {"items": found}})


@pytest.fixture
def services(settings: Any) -> Iterator[RawServer]:
    """A server in place of the search services."""
    settings.REDIS_URL, settings.CONTACT_EMAIL, settings.DOI_PROXY_ATTEMPTS = "", "portal@library.example", 1
    with RawServer(answer) as server:
        settings.METADATA_SERVICE_URL = server.url
        yield server


def search(proxy: DoiProxy, text: str = LIST, *, compare: bool = False, **options: Any) -> Job:
    return run(make_job(text, proxy, compare=compare, search=True, **options), proxy)


def found_by(job: Job) -> list[str]:
    return list(Row.objects.filter(job=job).order_by("line").values_list("found_by", flat=True))


def lines(job: Job, **wanted: Any) -> list[int]:
    return [row.line for row in fetch_rows(job, RowFilter(**wanted), Row.objects.filter(job=job).order_by("line"), 20)]


def searched_texts(server: RawServer) -> list[str]:
    return [target for target in server.targets if "query" in target]


def test_each_row_without_a_right_doi_says_what_the_search_came_to(proxy: DoiProxy, services: RawServer) -> None:
    job = search(proxy)
    assert found_by(job) == ["", "Crossref", "Crossref", "too-little", "none", "", "Crossref", "none", ""]
    assert job.counts["found_by"] == {"Crossref": 3, "too-little": 1, "none": 2}
    row = Row.objects.get(job=job, line=2)
    assert (row.suggestion, row.doubtful, row.correction) == ("10.5555/owls", True, "review")
    assert "found-by-title" in row.problem_codes
    assert row.searched["services"] == ["Crossref"]
    (work,) = row.searched["works"]
    assert (work["doi"], work["found_by"], work["verdict"]) == ("10.5555/owls", "Crossref", "same")
    assert work["fields"][0]["registered"] == "On owls and their silent flight"


def test_nothing_is_sent_for_a_list_without_the_tick_a_quick_one_or_where_the_operator_forbids_it(
    proxy: DoiProxy, services: RawServer, settings: Any
) -> None:
    assert {*found_by(run(make_job(LIST, proxy), proxy))} == {""}
    assert {*found_by(search(proxy, quick=True))} == {""}
    job = make_job(LIST, proxy, search=True)
    settings.SEARCH = False
    assert {*found_by(run(job, proxy))} == {""}
    assert services.targets == []


def test_the_title_of_a_row_with_a_right_doi_or_with_several_dois_stays_here(
    proxy: DoiProxy, services: RawServer
) -> None:
    text = "".join(line for number, line in enumerate(LIST.splitlines(keepends=True)) if number in (0, 1, 9))
    search(proxy, text)
    assert services.targets == []


def test_a_row_of_another_work_is_searched_for_and_its_own_doi_is_not_offered(
    proxy: DoiProxy, services: RawServer
) -> None:
    job = search(proxy, compare=True)
    row = Row.objects.get(job=job, line=6)
    assert (row.work, row.found_by, row.suggestion, row.doubtful) == ("different", "Crossref", "10.5555/herons", True)
    assert lines(job, task="other-work") == [6]
    decide_row(job, 6, "accepted", by=BY_ADA)
    row.refresh_from_db()
    assert row.decided_doi == "10.5555/herons"
    job.refresh_from_db()
    assert 6 in lines(job, task="corrected")
    assert count_tasks(job)["corrected"] == len(lines(job, task="corrected"))


def test_of_two_works_that_fit_none_is_chosen_and_both_are_offered(proxy: DoiProxy, services: RawServer) -> None:
    job = search(proxy)
    row = Row.objects.get(job=job, line=7)
    assert (row.suggestion, row.correction) == ("", "review")
    assert sorted(row.also_registered) == ["10.5555/dusk", "10.5555/dusk-preprint"]
    with pytest.raises(NoProposal):
        decide_row(job, 7, "accepted", by=BY_ADA)
    with pytest.raises(NoProposal):
        decide_rows(job, RowFilter(found_by="Crossref"), "accepted", expected=3, by=BY_ADA)


def test_a_found_doi_that_is_not_registered_is_not_offered(proxy: DoiProxy, services: RawServer) -> None:
    row = Row.objects.get(job=search(proxy), line=8)
    assert (row.suggestion, row.searched["works"], row.incomplete) == ("", [], False)
    assert "Crossref lists this work as 10.5555/missing-dawn, but that DOI isn't registered." in row.messages


def test_a_work_that_no_service_lists_may_still_exist(proxy: DoiProxy, services: RawServer) -> None:
    row = Row.objects.get(job=search(proxy), line=5)
    assert "Crossref and DataCite list no work with this title and author (asked on" in row.messages
    assert "Other agencies can't be searched" in row.messages


def test_rows_are_found_counted_and_filtered_by_what_the_search_came_to(proxy: DoiProxy, services: RawServer) -> None:
    job = search(proxy)
    assert lines(job, found_by="Crossref") == [2, 3, 7]
    assert lines(job, task="decide") == [2, 3, 7, 9]
    assert count_facets(job, RowFilter(correction="review")).found_by == {"Crossref": 3}
    assert count_facets(job, RowFilter(found_by="none")).fit == 2
    assert count_review(job).rows["review"] == 4


def test_an_empty_cell_whose_work_was_not_found_is_in_no_task(proxy: DoiProxy, services: RawServer) -> None:
    job = search(proxy)
    assert {4, 5, 8}.isdisjoint(line for task in count_tasks(job) for line in lines(job, task=task))
    assert count_tasks(job)["back"] == len(lines(job, task="back"))
    assert lines(job, group="empty") == [2, 4, 5, 7, 8]


def test_a_search_that_fails_leaves_the_row_unchecked_and_a_retry_asks_again(proxy: DoiProxy, settings: Any) -> None:
    settings.REDIS_URL, settings.CONTACT_EMAIL, settings.DOI_PROXY_ATTEMPTS = "", "portal@library.example", 1
    with RawServer(lambda _: http(503, {})) as broken:
        settings.METADATA_SERVICE_URL = broken.url
        job = search(proxy)
    assert found_by(job) == ["", *["could-not-ask"] * 2, "too-little", "could-not-ask", "", *["could-not-ask"] * 2, ""]
    assert job.incomplete == 5
    assert lines(job, task="unchecked") == [2, 3, 5, 7, 8]
    assert count_tasks(job)["unchecked"] == 5
    assert "We couldn't search for the work" in Row.objects.get(job=job, line=2).messages
    with RawServer(answer) as server:
        settings.METADATA_SERVICE_URL = server.url
        retry.retry_job(job, proxy=proxy, now=timezone.now())
        job = work_off(job, proxy)
    assert found_by(job)[1] == "Crossref"
    assert lines(job, task="unchecked") == []


def test_an_accepted_find_goes_into_the_file_and_one_that_nobody_accepted_does_not(
    proxy: DoiProxy, services: RawServer
) -> None:
    job = search(proxy)
    decide_row(job, 3, "accepted", by=BY_ADA)
    job.refresh_from_db()
    table = build_results_table(job, corrected=True)
    assert table.columns[-1].name == "found_by"
    written = [[column.get_cell(row) for column in table.columns[-3:]] for row in table.rows]
    assert written[1:3] == [["", "review", "Crossref"], ["10.5555/storks", "accepted", "Crossref"]]


def test_another_run_of_the_file_searches_for_nothing(proxy: DoiProxy, services: RawServer) -> None:
    job = search(proxy)
    watched = create_rerun(job, proxy=proxy, now=NOW + timedelta(days=1), background_key="watch")
    services.requests.clear()
    StoredSearch.objects.all().delete()
    assert {*found_by(work_off(watched, proxy))} == {""}
    assert services.targets == []
    again = create_rerun(job, proxy=proxy, now=NOW + timedelta(days=2))
    assert {*found_by(work_off(again, proxy))} == {""}
    assert services.targets == []


def test_equal_rows_are_sent_once_and_each_row_costs_a_request_at_most(proxy: DoiProxy, services: RawServer) -> None:
    search(proxy)
    sent = searched_texts(services)
    assert len(sent) == 5 + 1  # Crossref for each, DataCite for the one that Crossref doesn't list
    services.requests.clear()
    search(proxy)
    assert searched_texts(services) == []  # the answers are kept


def test_records_of_a_bibliography_without_a_doi_are_rows_and_found(proxy: DoiProxy, services: RawServer) -> None:
    text = (
        "@article{a, title={On owls and their silent flight}, author={Strix, Anna}, year=2011}\n"
        "@article{b, title={Nobody lists this one}, author={Nobody, Ann}, year=2001, doi={10.5555/one}}\n"
    )
    job = search(proxy, text, filename="list.bib")
    assert found_by(job) == ["Crossref", ""]
    assert json.loads(json.dumps(job.layout))["all_records"] is True
    decide_row(job, 1, "accepted", by=BY_ADA)
    watched = work_off(create_rerun(job, proxy=proxy, now=NOW + timedelta(days=1), background_key="watch"), proxy)
    assert found_by(watched) == ["", ""]
    written = b"".join(iterate_original(watched, "accepted")).decode()
    assert written.count("doi") == 2
    assert written.index("10.5555/owls") < written.index("@article{b,")


def test_decisions_about_found_dois_outlive_the_runs_of_a_watch(proxy: DoiProxy, services: RawServer) -> None:
    job = search(proxy)
    decide_row(job, 3, "accepted", by=BY_ADA)
    for day in (1, 2):
        again = create_rerun(job, proxy=proxy, now=NOW + timedelta(days=day), background_key=f"watch {day}")
        assert Row.objects.get(job=work_off(again, proxy), line=3).decided_doi == "10.5555/storks"
    again = work_off(create_rerun(job, proxy=proxy, now=NOW + timedelta(days=3)), proxy)
    row = Row.objects.get(job=again, line=3)
    assert (row.decision, row.decided_doi) == ("accepted", "10.5555/storks")


def test_a_part_of_a_cell_with_several_dois_is_not_searched_for(proxy: DoiProxy, services: RawServer) -> None:
    text = (
        LIST.splitlines()[0]
        + '\n"10.5555/one, 10.5555/missing-7",On owls and their silent flight,"Strix, Anna",2011,\n'
    )
    assert found_by(search(proxy, text, split=True)) == ["", ""]
    assert services.targets == []


def test_a_record_whose_other_field_has_a_registered_doi_is_not_searched_for(
    proxy: DoiProxy, services: RawServer
) -> None:
    entry = "@article{%s, title={On owls and their silent flight}, author={Strix, Anna}, year=2011, %s}\n"
    right = entry % ("a", "doi={10.5555/owls}, url={https://doi.org/10.5555/missing-9}")
    assert found_by(search(proxy, right, filename="a.bib")) == ["", ""]
    assert services.targets == []
    twice = entry % ("b", "doi={10.5555/missing-9}, url={https://doi.org/10.5555/missing-8}")
    assert found_by(search(proxy, twice, filename="b.bib")) == ["Crossref", "Crossref"]


def test_a_text_in_place_of_a_doi_is_sent_only_where_no_column_has_titles(proxy: DoiProxy, services: RawServer) -> None:
    call = "call Mrs Miller tomorrow about her unpaid invoice of 2019"
    assert found_by(search(proxy, f"doi,Title\n{call},\n10.5555/one,A title of this work here\n")) == ["too-little", ""]
    assert services.targets == []


def test_a_found_row_is_in_the_group_that_is_counted(proxy: DoiProxy, services: RawServer) -> None:
    job = search(proxy)
    assert count_groups(job)["empty"] == len(lines(job, group="empty")) == 5
    assert count_groups(job)["needs-work"] == len(lines(job, group="needs-work"))


IDENTIFIERS = """doi,Title,Author,Year,Journal,Link
,On owls and their silent flight,"Strix, Anna",2011,,https://doi.org/10.5555/link-1
,On owls and their silent flight,"Strix, Anna",2011,Journal of Owls,https://doi.org/10.5555/link-2
,On owls and their silent flight,"Strix, Anna",2011,,arXiv:2101.99999
"""


def test_another_identifier_of_the_row_comes_before_any_search(proxy: DoiProxy, services: RawServer) -> None:
    job = search(proxy, "\n".join(IDENTIFIERS.splitlines()[:2]))
    row = Row.objects.get(job=job)
    assert (row.suggestion, row.found_by, row.correction) == ("10.5555/link-1", "identifier", "review")
    assert "found-by-identifier" in row.problem_codes
    assert searched_texts(services) == []


def test_beside_an_identifier_the_article_of_a_named_journal_is_searched_for(
    proxy: DoiProxy, services: RawServer
) -> None:
    row = Row.objects.get(job=search(proxy, IDENTIFIERS), line=2)
    assert (row.suggestion, row.found_by) == ("10.5555/owls", "Crossref")
    assert row.also_registered == ["10.5555/link-2"]


def test_an_identifier_whose_doi_is_not_registered_is_no_find(proxy: DoiProxy, services: RawServer) -> None:
    row = Row.objects.get(job=search(proxy, IDENTIFIERS), line=3)
    assert (row.suggestion, row.found_by, row.also_registered) == ("10.5555/owls", "Crossref", [])


def test_an_identifier_that_could_not_be_asked_keeps_the_title_here(proxy: DoiProxy, services: RawServer) -> None:
    text = IDENTIFIERS.splitlines()[0] + "\n,On owls and their silent flight,,2011,,https://doi.org/10.5555/error-9\n"
    row = Row.objects.get(job=search(proxy, text))
    assert (row.suggestion, row.incomplete, row.found_by) == ("", True, "identifier")
    assert searched_texts(services) == []


def test_while_a_service_cannot_be_asked_what_another_lists_is_offered_and_not_suggested(
    proxy: DoiProxy, settings: Any
) -> None:
    settings.REDIS_URL, settings.CONTACT_EMAIL, settings.DOI_PROXY_ATTEMPTS = "", "portal@library.example", 1
    attributes = {"doi": "10.5555/owls", "titles": [{"title": "On owls and their silent flight"}]}
    attributes |= {"creators": [{"name": "Strix, Anna"}], "publicationYear": 2011}
    listed = http(200, {"data": [{"id": "10.5555/owls", "attributes": attributes}]})
    with RawServer(lambda request: listed if request.target.startswith("/dois") else http(503, {})) as server:
        settings.METADATA_SERVICE_URL = server.url
        row = Row.objects.get(job=search(proxy, "\n".join(LIST.splitlines()[:3])), line=2)
    assert (row.found_by, row.suggestion, row.also_registered) == ("DataCite", "", ["10.5555/owls"])
    assert row.incomplete
    assert "We couldn't search everywhere" in row.messages


def test_a_beside_doi_of_another_work_is_not_offered_and_the_title_is_searched_for(
    proxy: DoiProxy, services: RawServer
) -> None:
    text = IDENTIFIERS.splitlines()[0] + '\n,On owls and their silent flight,"Strix, Anna",2011,,10.5555/two\n'
    row = Row.objects.get(job=search(proxy, text))
    assert (row.suggestion, row.found_by, row.also_registered) == ("10.5555/owls", "Crossref", [])
