"""What the list of retractions says in lookups and in lists: of the DOI, its main DOI, the suggestion and others."""

import tempfile
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from doi_reading.problems import OF_WORKS
from resolver.models import Job, Row
from resolver.services.comparisons.reruns import create_rerun
from resolver.services.lookups.check_batch import check_batch, create_lookups
from resolver.services.lookups.look_up import create_lookup
from resolver.services.proxy_answers.configured_proxy import DoiProxy
from resolver.services.retractions.load import load_retractions
from resolver.services.reviews.decisions import Decider, decide_row
from tests.retraction_list import SAMPLE, build_list, event
from tests.services.conftest import NOW, make_job, run

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _list() -> None:
    load_retractions(str(SAMPLE), now=NOW)


def load_retractions_of(content: bytes) -> None:
    with tempfile.NamedTemporaryFile(suffix=".csv") as file:
        file.write(content)
        file.flush()
        load_retractions(file.name, now=NOW, allow_fewer=True)


def of_works(codes: object) -> list[str]:
    return [code for code in codes if code in OF_WORKS]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("10.5555/RETRACTED-1", ["retracted"]),
        ("https://doi.org/10.5555/retracted-4", ["retracted"]),
        ("10.5555/retracted-5", ["retracted"]),
        ("10.5555/concern-1", ["concern"]),
        ("10.5555/corrected-1", ["corrected-later"]),
        ("10.5555/reinstated-1", ["reinstated"]),
        ("10.5555/fine-1", []),
        ("10.5555/missing-retracted", []),
        ("10.5555/fine-1 10.5555/retracted-1", ["retracted"]),
        ("10.5555/concern-1 and 10.5555/retracted-1", ["concern", "retracted"]),
        ("nothing here", []),
    ],
)
def test_lookups_batches_and_lists_say_the_same(text: str, codes: list[str], proxy: DoiProxy) -> None:
    lookup = create_lookup(text, owner="user:1", proxy=proxy, now=NOW)
    [other] = create_lookups([text], owner=lambda: "user:1", proxy=proxy, now=NOW)
    [checked] = check_batch([text], proxy=proxy, now=NOW)
    job = run(make_job(f"doi\n{text}\n", proxy), proxy)
    rows = Row.objects.filter(job=job)
    assert of_works(lookup.problem_codes) == codes
    assert of_works(other.problem_codes) == codes  # type: ignore[union-attr]
    assert of_works([one.code for one in checked.report.problems]) == codes
    assert sorted({code for row in rows for code in of_works(row.problem_codes)}) == codes


def test_the_main_doi_behind_an_alias_and_the_doi_behind_a_suggestion_count(proxy: DoiProxy) -> None:
    rows = [event("10.5555/target-1"), event("10.1000/182")]
    load_retractions_of(build_list(rows))
    alias = create_lookup("10.5555/alias-1", owner="user:1", proxy=proxy, now=NOW)
    assert of_works(alias.problem_codes) == ["retracted"]
    suggested = create_lookup("10.1000/182.", owner="user:1", proxy=proxy, now=NOW)
    assert suggested.suggestion["doi"] == "10.1000/182"
    assert of_works(suggested.problem_codes) == ["retracted"]
    assert suggested.retractions[0]["doi"] == "10.1000/182"
    row = Row.objects.get(job=run(make_job("doi\n10.1000/182.\n", proxy), proxy))
    assert (row.correction, row.suggestion) == ("review", "10.1000/182")


def test_a_stored_result_keeps_its_events_with_the_day_of_their_list(proxy: DoiProxy) -> None:
    lookup = create_lookup("10.5555/retracted-4", owner="user:1", proxy=proxy, now=NOW)
    load_retractions_of(build_list([event("10.5555/other")]))
    lookup.refresh_from_db()
    assert [one["kind"] for one in lookup.retractions] == ["retraction", "concern"]
    assert {one["listed_on"] for one in lookup.retractions} == {str(NOW.date())}
    assert not create_lookup("10.5555/retracted-4", owner="user:1", proxy=proxy, now=NOW).retractions


def test_a_retracted_row_needs_a_person_and_then_nothing_more(proxy: DoiProxy) -> None:
    job = run(make_job("doi\n10.5555/retracted-1\n10.5555/concern-1\n", proxy), proxy)
    retracted, concern = Row.objects.filter(job=job).order_by("line")
    assert (retracted.correction, retracted.needs_review) == ("review", True)
    assert (concern.correction, concern.needs_review) == ("unchanged", False)
    assert job.task_counts["decide"] == 1
    assert job.task_counts["ready"] == 1
    assert "The DOI itself is right." in retracted.messages
    decide_row(job, retracted.line, "accepted", by=Decider("someone", NOW))
    job.refresh_from_db()
    retracted.refresh_from_db()
    assert (retracted.correction, retracted.decided_doi) == ("accepted", "10.5555/retracted-1")
    assert not job.task_counts.get("decide")


def test_a_batch_of_rows_needs_one_query_and_no_request_more(proxy: DoiProxy) -> None:
    def count(rows: int, prefix: str) -> tuple[int, int]:
        text = "".join(f"10.5555/{prefix}-{number}\n" for number in range(rows))
        with CaptureQueriesContext(
            connection,
        ) as queries:
            run(make_job(text, proxy), proxy)
        return sum("retractionevent" in query["sql"] for query in queries), len(queries)

    if connection.vendor == "postgresql":
        assert count(5, "few")[0] == count(40, "many")[0] == 1


def test_a_rerun_forgets_a_decision_of_before_the_retraction_was_known_and_keeps_later_ones(proxy: DoiProxy) -> None:
    def decide(job: Job) -> None:
        for line in (1, 2):
            decide_row(job, line, "accepted", by=Decider("someone", NOW))

    def rerun(job: Job, hours: int) -> tuple[Job, list[str]]:
        again = run(create_rerun(job, proxy=proxy, now=job.created_at + timedelta(hours=hours)), proxy)
        return again, list(Row.objects.filter(job=again).order_by("line").values_list("correction", flat=True))

    load_retractions_of(build_list([event("10.5555/elsewhere")]))
    job = run(make_job("doi\n10.5555/retracted-1\n10.5555/fine-1\n", proxy), proxy)
    decide(job)
    load_retractions(str(SAMPLE), now=NOW)
    again, corrections = rerun(job, 1)
    assert corrections == ["review", "accepted"]
    decide_row(again, 1, "accepted", by=Decider("someone", NOW))
    assert rerun(again, 2)[1] == ["accepted", "accepted"]
