"""Lists that compare their rows with the works of their DOIs."""

import json
from collections import Counter
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from resolver.domain.work.metadata import read_csl_item
from resolver.models import Job, Row
from resolver.services.comparisons.reruns import create_rerun
from resolver.services.jobs import retry
from resolver.services.proxy_answers.cache import store_metadata
from resolver.services.proxy_answers.configured_proxy import DoiProxy
from resolver.services.results.export import build_results_table
from resolver.services.results.facets import count_facets
from resolver.services.results.row_queries import RowFilter, fetch_rows
from resolver.services.results.task_counts import count_tasks
from resolver.services.reviews.decisions import Decider, decide_row
from resolver.sheets.input.layout import Layout
from resolver.sheets.input.read_as import list_notes
from resolver.sheets.input.work_columns import propose_work_columns
from resolver.standin.server import SampleProxyServer
from tests.services.conftest import NOW, NOWHERE, make_job, run, work_off

pytestmark = pytest.mark.django_db(transaction=True)

LIST = """doi,Title,Author,Year
10.5555/one,Sample title of 10.5555/one,,
10.5555/two,A quite different title,Nobody,1850
10.5555/three,Sample title of ten,,
10.5555/missing-1,Sample title of 10.5555/missing-1,,
10.5555/four,,,
10.5555/unknownwork-1,Sample title,,
https://doi.org/10.5555/five#x,Sample title of 10.5555/five,,
"""


@pytest.fixture(autouse=True)
def _services(settings: Any, standin: SampleProxyServer) -> None:
    settings.METADATA_SERVICE_URL, settings.DOI_PROXY_ATTEMPTS = standin.url, 1


def verdicts(job: Job) -> list[str]:
    return list(Row.objects.filter(job=job).order_by("line").values_list("work", flat=True))


def lines(job: Job, **wanted: str) -> list[int]:
    return [row.line for row in fetch_rows(job, RowFilter(**wanted), Row.objects.filter(job=job).order_by("line"), 9)]


def compare(proxy: DoiProxy, text: str = LIST, **options: Any) -> Job:
    return run(make_job(text, proxy, compare=True, **options), proxy)


def test_each_row_of_a_list_that_compares_works_has_its_verdict(proxy: DoiProxy) -> None:
    job = compare(proxy)
    told = ["same", "different", "look", "", "cannot-tell", "cannot-tell", "same"]
    assert verdicts(job) == told
    assert job.counts["work"] == {word: told.count(word) for word in set(told) - {""}}
    assert job.layout["work_columns"] == {"title": 1, "author": 2, "year": 3}
    second = Row.objects.get(job=job, line=2)
    assert "other-work" in second.problem_codes
    assert second.correction == "review"
    assert second.needs_review
    assert second.work_evidence["agency"] == "Crossref"
    assert second.work_evidence["fields"][0] == {
        "name": "title", "row": "A quite different title", "registered": "Sample title of 10.5555/two",
        "status": "differs",
    }  # fmt: skip


def test_a_list_without_the_tick_asks_no_agency_about_works(proxy: DoiProxy, settings: Any) -> None:
    settings.METADATA_SERVICE_URL = NOWHERE
    job = run(make_job(LIST, proxy), proxy)
    assert {*verdicts(job)} == {""}
    assert "work" not in job.counts
    assert not Row.objects.filter(job=job, incomplete=True).exists()


def test_rows_about_another_work_are_a_task_and_those_to_compare_another(proxy: DoiProxy) -> None:
    job = compare(proxy)
    tasks = count_tasks(job)
    assert (tasks["other-work"], tasks["compare"]) == (1, 1)
    assert (lines(job, task="other-work"), lines(job, task="compare")) == ([2], [3])
    assert {2, 3}.isdisjoint(lines(job, task="ready"))
    assert 2 not in lines(job, task="decide")


def test_rows_are_found_and_counted_by_their_verdict(proxy: DoiProxy) -> None:
    job = compare(proxy)
    assert lines(job, work="same") == [1, 7]
    assert count_facets(job, RowFilter(ra="Crossref")).work["same"] == 2
    assert count_facets(job, RowFilter(work="different")).fit == 1


@pytest.mark.parametrize(("decision", "task"), [("accepted", "ready"), ("rejected", "back")])
def test_a_person_says_that_it_is_the_right_work_or_another(proxy: DoiProxy, decision: str, task: str) -> None:
    job = compare(proxy)
    before = count_tasks(job)
    decide_row(job, 2, decision, by=Decider("ada", NOW))
    job.refresh_from_db()
    after = count_tasks(job)
    assert (after["other-work"], after[task]) == (0, before[task] + 1)
    assert after["corrected"] == before["corrected"]  # its DOI stays
    decide_row(job, 2, "", by=Decider("ada", NOW))
    job.refresh_from_db()
    assert count_tasks(job) == before


def test_a_decision_about_a_work_is_kept_when_the_list_is_checked_again(proxy: DoiProxy) -> None:
    job = compare(proxy)
    decide_row(job, 2, "accepted", by=Decider("ada", NOW))
    again = work_off(create_rerun(job, proxy=proxy, now=NOW + timedelta(days=1)), proxy)
    row = Row.objects.get(job=again, line=2)
    assert (row.work, row.correction) == ("different", "accepted")


def test_rows_whose_agency_gave_no_answer_are_asked_again_by_a_retry_alone(
    proxy: DoiProxy, settings: Any, standin: SampleProxyServer
) -> None:
    settings.METADATA_SERVICE_URL = NOWHERE
    job = compare(proxy)
    assert verdicts(job)[:3] == ["could-not-ask"] * 3
    assert job.incomplete == retry.count_rows_to_retry(job) == 5
    assert Row.objects.get(job=job, line=1).correction == "unchanged"
    assert (count_tasks(job)["ready"], count_tasks(job)["unchecked"]) == (1, 4)
    assert lines(job, task="unchecked") == [1, 2, 3, 6]  # and row 7 needs a decision in any case
    settings.METADATA_SERVICE_URL = standin.url
    retry.retry_job(job, proxy=proxy, now=NOW)
    assert verdicts(work_off(job, proxy))[:3] == ["same", "different", "look"]


def test_files_have_the_verdict_and_what_is_registered(proxy: DoiProxy) -> None:
    job = compare(proxy)
    table = build_results_table(job)
    row = list(table.rows)[1]
    ours = {column.name: column.get_cell(row) for column in table.columns}
    names = list(ours)
    at = names.index("incomplete")
    assert names[at + 1 : at + 7] == [
        "work", "work_reason", "registered_title", "registered_first_author", "registered_year", "registered_in",
    ]  # fmt: skip
    assert (ours["work"], ours["registered_title"]) == ("different", "Sample title of 10.5555/two")
    assert ours["registered_in"] == "Journal of Sample Data"
    made = table.build_object(row, job.header)
    assert made["work"]["verdict"] == "different"
    assert json.dumps(made)


def test_one_request_asks_for_fifty_works(proxy: DoiProxy, standin: SampleProxyServer, settings: Any) -> None:
    settings.CONTACT_EMAIL = "library@example.org"  # three requests a second
    names = [f"10.5555/n{number}" for number in range(300)]
    text = "doi,title\n" + "".join(f"{name},Sample title of {name}\n" for name in names)
    before = len(standin.requests)
    job = compare(proxy, text)
    assert {*verdicts(job)} == {"same"}
    kinds = Counter(target.split("/")[1].partition("?")[0] for target in standin.requests[before:])
    assert kinds == {"api": 300, "doiRA": 6, "works": 6}


def test_a_retraction_in_the_record_is_told_with_its_source(proxy: DoiProxy) -> None:
    name, now = "10.5555/one", timezone.now()
    update = {
        "type": "retraction",
        "DOI": "10.5555/notice",
        "source": "publisher",
        "updated": {"date-parts": [[2024, 5, 6]]},
    }
    record = read_csl_item({"DOI": name, "title": f"Sample title of {name}", "updated-by": [update]}, "api.example")
    assert record is not None
    store_metadata({name: record}, proxy=proxy.base_url, now=now)
    row = Row.objects.get(job=compare(proxy), line=1)
    assert (row.work, row.correction) == ("same", "review")
    assert "retracted" in row.problem_codes
    assert row.retractions[0]["source"] == "Crossref (publisher)"
    assert row.retractions[0]["date"] == "2024-05-06"


def test_an_agency_that_gives_no_metadata_is_not_asked(proxy: DoiProxy, standin: SampleProxyServer) -> None:
    before = len(standin.requests)
    job = compare(proxy, "doi,title\n10.6620/ZS.2016.55-06,A title\n")
    assert Row.objects.get(job=job).ra == "Airiti"
    assert verdicts(job) == ["cannot-tell"]
    assert len(standin.requests) - before == 2


def test_a_decision_of_before_the_work_was_known_to_be_another_is_none(
    proxy: DoiProxy, settings: Any, standin: SampleProxyServer
) -> None:
    settings.METADATA_SERVICE_URL = NOWHERE
    job = compare(proxy)
    for line in (1, 2):
        decide_row(job, line, "accepted", by=Decider("ada", NOW))
    settings.METADATA_SERVICE_URL = standin.url
    retry.retry_job(job, proxy=proxy, now=NOW)
    work_off(job, proxy)
    assert [Row.objects.get(job=job, line=line).correction for line in (1, 2)] == ["accepted", "review"]
    assert count_tasks(Job.objects.get(pk=job.pk))["other-work"] == 1


@pytest.mark.parametrize("split", [False, True])
def test_a_title_beside_several_dois_is_that_of_none_of_them(proxy: DoiProxy, split: bool) -> None:
    text = "doi,title,author\n10.5555/one; 10.5555/two,On owls,Strix\n10.5555/three,On owls,Strix\n"
    assert verdicts(compare(proxy, text, split=split)) == ["", *([""] if split else []), "different"]


def test_a_list_without_a_column_of_titles_says_so(proxy: DoiProxy) -> None:
    job = compare(proxy, "doi,thing\n10.5555/one,Sample title of 10.5555/one\n")
    assert verdicts(job) == ["cannot-tell"]
    assert [note.code for note in list_notes(Layout.from_json(job.layout))] == ["no-title-column"]


def test_the_names_of_columns_tell_what_they_have() -> None:
    def propose(header: str) -> dict[str, str]:
        names = tuple(header.split(","))
        layout = Layout("csv", "utf-8", ",", False, True, names, names.index("DOI"), 1)
        return {field: names[place] for field, place in propose_work_columns(layout).items()}

    assert propose("DOI,Titel,Verfasser,Erscheinungsjahr,Zeitschrift") == {
        "title": "Titel", "author": "Verfasser", "year": "Erscheinungsjahr", "container": "Zeitschrift",
    }  # fmt: skip
    assert propose("DOI,Titre,Auteurs,Année,Revue")["author"] == "Auteurs"
    assert propose("DOI,Título,Autores,Año,Revista")["container"] == "Revista"
    assert propose("DOI,dc.title[en],dc.contributor.author,dc.date.issued,dc.relation.ispartof") == {
        "title": "dc.title[en]", "author": "dc.contributor.author", "year": "dc.date.issued",
        "container": "dc.relation.ispartof",
    }  # fmt: skip
    assert propose("DOI,Publication Title,Article Title") == {
        "title": "Article Title", "container": "Publication Title",
    }  # fmt: skip
    assert propose("DOI,AU,TI,SO,PY") == {"title": "TI", "author": "AU", "year": "PY", "container": "SO"}
    assert propose("DOI,245$a,100$a,260$c,773$t")["title"] == "245$a"
    assert propose("DOI,Title,Name,Source,Date,Jo") == {"title": "Title"}
