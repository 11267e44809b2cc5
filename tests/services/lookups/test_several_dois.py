"""The other DOIs of a text that holds several: each is asked, and told with a verdict of its own."""

from typing import Any

import pytest

from resolver.models import Lookup, Row
from resolver.services.lookups import look_up as lookup_look_up
from resolver.services.lookups.look_up import create_lookup
from resolver.services.proxy_answers.configured_proxy import DoiProxy
from resolver.services.results.export import iterate_results
from resolver.standin.server import SampleProxyServer
from tests.services.conftest import NOW, make_job, run

pytestmark = pytest.mark.django_db(transaction=True)

CELL = "10.5555/first; 10.5555/Two; 10.5555/missing-b; 10.5555/error-b"


def ask(text: str, proxy: DoiProxy) -> Lookup:
    return Lookup.objects.get(pk=create_lookup(text, owner="user:1", proxy=proxy, now=NOW).pk)


def outcomes(others: list[dict[str, Any]]) -> list[tuple[str, str, str | None]]:
    return [(other["doi"], other["outcome"], other["ra"]) for other in others]


ALL = [
    ("10.5555/Two", "resolved", "Crossref"),
    ("10.5555/missing-b", "not-found", None),
    ("10.5555/error-b", "proxy-error", "Crossref"),
]


def test_a_lookup_has_each_other_doi_with_its_outcome_agency_and_urls(proxy: DoiProxy) -> None:
    found = ask(CELL, proxy)
    assert (found.doi, found.outcome) == ("10.5555/first", "resolved")
    assert outcomes(found.others) == ALL
    assert [len(other["urls"]) for other in found.others] == [2, 0, 0]


def test_a_row_has_them_too_and_its_job_counts_one_outcome_a_row(proxy: DoiProxy) -> None:
    job = run(make_job(f'doi\n"{CELL}"\n10.5555/alone\n', proxy), proxy)
    several, alone = Row.objects.filter(job=job).order_by("line")
    assert (outcomes(several.others), alone.others) == (ALL, [])
    assert job.counts["outcome"] == {"resolved": 2}


def test_the_messages_of_a_row_name_each_other_doi_in_a_sentence(proxy: DoiProxy) -> None:
    row = next(iterate_results(run(make_job(f'doi\n"{CELL}"\n', proxy), proxy)))
    assert row.messages.endswith(
        "Also here: 10.5555/Two: resolved. Also here: 10.5555/missing-b: not registered. "
        "Also here: 10.5555/error-b: couldn't check (DOI service error)."
    )


def test_a_cell_of_many_dois_gives_messages_that_a_spreadsheet_can_hold(proxy: DoiProxy) -> None:
    cell = " ".join(f"10.5555/{'x' * 60}{n}" for n in range(130))
    row = next(iterate_results(run(make_job(f'doi\n"{cell}"\n', proxy, quick=True), proxy)))
    assert row.messages.endswith("Also here: 79 more DOIs.")
    assert len(Row.objects.get(job__isnull=False).others) == 129


def test_quick_asks_which_ra_for_them_and_nothing_else(proxy: DoiProxy, standin: SampleProxyServer) -> None:
    before = len(standin.requests)
    job = run(make_job('doi\n"10.5555/q1; 10.5555/q2; 10.5555/missing-q"\n', proxy, quick=True), proxy)
    assert outcomes(Row.objects.get(job=job).others) == [
        ("10.5555/q2", "registered", "Crossref"),
        ("10.5555/missing-q", "not-found", None),
    ]
    assert len(standin.requests) - before == 1


def test_they_share_the_batches_and_record_requests_of_the_chunk(proxy: DoiProxy, standin: SampleProxyServer) -> None:
    before = len(standin.requests)
    rows = "".join(f'"10.5555/s{n}; 10.5555/s{(n + 1) % 100}"\n' for n in range(100))  # each name in two rows
    run(make_job("doi\n" + rows, proxy), proxy)
    assert len(standin.requests) - before == 100 + 2


def test_another_doi_of_the_text_is_no_suggestion_for_the_first(proxy: DoiProxy) -> None:
    found = ask("10.5555/missing-a; 10.5555/exists-b", proxy)
    assert (found.outcome, found.suggestion) == ("not-found", None)
    assert outcomes(found.others) == [("10.5555/exists-b", "resolved", "Crossref")]


def test_when_the_proxy_is_out_of_reach_they_are_told_as_not_asked(nowhere: DoiProxy) -> None:
    found = ask(CELL, nowhere)
    assert found.outcome == "unreachable"
    assert {other["outcome"] for other in found.others} == {"unreachable"}
    job = run(make_job(f'doi\n"{CELL}"\n', nowhere), nowhere)
    assert {other["outcome"] for other in Row.objects.get(job=job).others} == {"unreachable"}


def test_a_person_who_waits_does_not_wait_for_more_after_one_that_got_no_answer(
    proxy: DoiProxy, standin: SampleProxyServer
) -> None:
    before = len(standin.requests)
    found = ask("10.5555/w1; 10.5555/busy-w; 10.5555/w2; 10.5555/w3", proxy)
    assert [other["outcome"] for other in found.others] == ["unreachable"] * 3
    assert len(standin.requests) - before == 1 + 1 + 3  # the first, Which RA, three attempts for the busy one


def test_a_person_who_waits_has_the_rest_of_a_long_text_told_by_which_ra(
    proxy: DoiProxy, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lookup_look_up, "OTHERS_IN_FULL", 1)
    found = ask("10.5555/l0; 10.5555/l1; 10.5555/l2; 10.5555/missing-l", proxy)
    assert [other["outcome"] for other in found.others] == ["resolved", "registered", "not-found"]
