"""Rows that are wanted: found, counted by facet, and taken away as a file."""

from itertools import product
from typing import Any

import pytest

from resolver.models import Job, Row
from resolver.services.proxy_answers.configured_proxy import DoiProxy
from resolver.services.results import export as files
from resolver.services.results.export import build_results_name, iterate_results
from resolver.services.results.facets import Facets, count_facets
from resolver.services.results.row_queries import ALL, RowFilter, find_line_numbers
from tests.services.conftest import make_job, run

pytestmark = pytest.mark.django_db

LIST = (
    "10.5555/a\n10.5555/missing\nnothing\n10.5555/Bee\nhttps://doi.org/10.5555/a#x\n10.5555/novalues\n10.5555/error-1\n"
    "10.5555/deleted-1\n10.5555/unsafe\n10.5555/b and 10.5555/c\nhttps://dx.doi.org/10.5555/d\n"
)


@pytest.fixture
def job(checked_job: Job) -> Job:
    return checked_job


def found(job: Job, **wanted: Any) -> list[int]:
    return find_line_numbers(job, RowFilter(**wanted), Row.objects.filter(job=job).order_by("line"), 100)


def test_rows_are_narrowed_by_each_filter_and_by_several_together(job: Job) -> None:
    assert found(job, outcome="resolved") == [1, 4, 5, 8, 9, 10, 11]
    assert found(job, problem="no-doi") == [3]
    assert found(job, ra="Crossref") == [1, 4, 5, 6, 7, 8, 9, 10, 11]
    assert found(job, q="bEE") == [4]
    assert found(job, duplicates=True) == [5]
    assert found(job, duplicates=True, outcome="not-found") == []
    assert found(job, q="x" * 10_001) == []


def test_each_row_belongs_to_one_group(job: Job) -> None:
    Row.objects.filter(job=job, line=4).update(outcome="")
    assert found(job, group="fine") == [1]
    assert found(job, group="tidier") == found(job, group="tidier", outcome="resolved") == [11]
    assert found(job, group="tidier", outcome="not-found") == []
    assert found(job, group="needs-work") == [2, 3, 5, 6, 8, 9, 10]
    assert found(job, group="could-not-ask") == [7]
    assert found(job, group="not-asked") == [4]
    assert found(job, group="needs-work", outcome="resolved") == [5, 8, 9, 10]
    assert found(job, group="needs-work", problem="unescaped-hash", duplicates=True) == [5]
    assert found(job, group="fine", outcome="not-found") == []
    assert found(job, group="needs-work", outcome="not-found", q="missing") == [2]
    assert found(job, group="odd") == []


def test_empty_cells_are_a_group_of_their_own(proxy: DoiProxy) -> None:
    job = run(make_job("name,doi\na,10.5555/a\nb,\nc,\u00a0\nd,nothing\ne,\u200b\n", proxy, column="doi"), proxy)
    assert found(job, group="empty") == found(job, problem="empty") == [2, 3, 5]
    assert found(job, group="empty", outcome="invalid") == [2, 3, 5]
    assert found(job, group="empty", outcome="resolved") == []
    assert found(job, group="needs-work") == [4]
    groups = {"fine": 1, "tidier": 0, "needs-work": 1, "empty": 3, "could-not-ask": 0, "not-asked": 0}
    assert count_facets(job, ALL).group == count_facets(job, RowFilter(outcome="invalid")).group | {"fine": 1} == groups
    assert [row.problem_codes for row in iterate_results(job, wanted=RowFilter(group="empty"))] == [("empty",)] * 3
    assert set(Row.objects.filter(job=job, problem_codes=("empty",)).values_list("outcome", "correction")) == {
        ("invalid", "no-doi")
    }


def test_what_resolves_and_is_at_fault_is_stored_and_counted_whoever_asked_for_the_name_first(job: Job) -> None:
    """A link that a # cuts off leads somewhere else: its row is a duplicate of the row that is fine."""
    needs_review = Row.objects.filter(job=job, needs_review=True).order_by("line")
    assert list(needs_review.values_list("line", "same_as")) == [(5, 1), (8, None), (9, None), (10, None)]
    assert (job.needs_review, job.tidier) == (4, 1)


def test_facets_count_what_another_choice_would_give(job: Job) -> None:
    outcomes = ["", "resolved", "not-found", "no-values"]
    for outcome, ra, problem, q in product(outcomes, ["", "Crossref"], ["", "unescaped-hash"], ["", "10.5555/a"]):
        wanted = {"outcome": outcome, "ra": ra, "problem": problem, "q": q}
        counted = count_facets(job, RowFilter(**wanted))
        assert counted.exact
        assert counted.fit == len(found(job, **wanted))
        for name in ("outcome", "ra", "problem"):
            for value in ("resolved", "Crossref", "unescaped-hash", "no-doi"):
                rows = len(found(job, **(wanted | {name: value})))
                assert getattr(counted, name).get(value, 0) == rows, (wanted, name, value)
        groups = {name: found(job, **(wanted | {"group": name, "outcome": ""})) for name in counted.group}
        assert counted.group == {name: len(rows) for name, rows in groups.items()}


def test_of_a_long_list_the_whole_is_counted(job: Job, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("resolver.services.results.facets.MAX_ROWS_TO_COUNT", 6)
    whole = count_facets(job, ALL)
    assert (whole.fit, whole.exact) == (11, True)
    assert whole.group == {"fine": 2, "tidier": 1, "needs-work": 7, "empty": 0, "could-not-ask": 1, "not-asked": 0}
    one = count_facets(job, RowFilter(group="needs-work"))
    assert one == Facets(whole.outcome, whole.problem, whole.ra, whole.group, fit=7, exact=False)
    assert count_facets(job, RowFilter(group="needs-work", ra="Crossref")).fit is None


@pytest.mark.parametrize("at_once", [1, 2, 2000])
def test_a_file_has_the_rows_that_are_wanted_and_no_others(
    job: Job, monkeypatch: pytest.MonkeyPatch, at_once: int
) -> None:
    monkeypatch.setattr(files, "BATCH_ROWS", at_once)
    for wanted in (
        RowFilter(group="needs-work"),
        RowFilter(ra="Crossref", problem="unescaped-hash"),
        RowFilter(q="nowhere"),
    ):
        taken = [row.line for row in iterate_results(job, wanted=wanted)]
        assert taken == find_line_numbers(job, wanted, Row.objects.filter(job=job).order_by("line"), 100), wanted


@pytest.mark.parametrize(
    ("wanted", "corrected", "name"),
    [
        (RowFilter(outcome="not-found"), False, "list-not-found.csv"),
        (RowFilter(group="needs-work"), True, "list-needs-work-corrected.csv"),
        (RowFilter(problem="no-doi", ra="Entidad / \u202eX"), False, "list-no-doi-entidad-x.csv"),
        (RowFilter(ra="日本"), False, "list-some.csv"),
        (RowFilter(duplicates=True, q="../etc"), False, "list-repeated-found.csv"),
    ],
)
def test_the_name_of_a_file_says_which_rows_it_has(wanted: RowFilter, corrected: bool, name: str) -> None:
    assert build_results_name("list.csv", "csv", corrected=corrected, wanted=wanted) == name
