"""The rows of each task: found, counted, and counted down as a person decides."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from resolver.domain.report.correction import get_corrected_doi
from resolver.domain.report.review_rows import REVIEW_PARTS
from resolver.domain.report.row_task import OF_WORKS, TASKS
from resolver.models import Job, Row
from resolver.services.jobs import lifecycle, retry
from resolver.services.proxy_answers.configured_proxy import DoiProxy
from resolver.services.results.facets import count_facets
from resolver.services.results.row_queries import RowFilter, find_line_numbers
from resolver.services.results.task_counts import count_tasks
from resolver.services.reviews.action_log import find_last_action, undo_action
from resolver.services.reviews.bulk_decisions import decide_rows
from resolver.services.reviews.decisions import Decider, decide_row
from resolver.services.reviews.review_counts import count_review
from tests.services.conftest import NOW, make_job, run
from tests.services.jobs.test_retry import go_on

pytestmark = pytest.mark.django_db

ADA = Decider("ada", NOW)
ROWS = [
    ("10.1000/182", ""),  # 1: as it should be
    ("10.1000/182.", ""),  # 2: a suggestion
    ("10.5555/missing", ""),  # 3
    ("nothing", ""),  # 4
    ("", ""),  # 5: in no task
    ("10.5555/error-a", ""),  # 6: couldn't be checked
    ("https://doi.org/10.1000/182#x", ""),  # 7: to decide
    ("10.5555/alias", ""),  # 8: a main DOI
    ("doi:10.5555/cleaned", ""),  # 9
    ("10.5555/nourl", ""),  # 10
    ("10.5555/novalues", ""),  # 11
    ("10.5555/deleted", ""),  # 12: to decide, and for the source
    ("10.5555/a-localhost", ""),  # 13: likewise
    ("10.5555/b", "https://example.org/landing/b"),  # 14: as expected
    ("10.5555/c", "https://elsewhere.org/c"),  # 15
    ("doi:10.5555/d", "https://elsewhere.org/d"),  # 16: cleaned, and leads elsewhere
    ("https://doi.org/10.5555/e#y", "https://elsewhere.org/e"),  # 17: to decide, and leads elsewhere
    ("10.5555/nourl-2", "https://elsewhere.org/f"),  # 18
    ("10.5555/unsafe", ""),  # 19
]
LIST = "doi,url\n" + "".join(f"{doi},{url}\n" for doi, url in ROWS)
LIST_OPTIONS = {"column": "doi", "expected_column": "url"}
EXPECTED = {
    "corrected": [2, 8, 9, 16],
    "decide": [7, 12, 13, 17, 19],
    "elsewhere": [15, 16, 17],
    "back": [3, 4, 10, 11, 12, 13, 18, 19],
    "unchecked": [6],
    "ready": [1, 2, 8, 9, 14],
}


@pytest.fixture
def job(checked_job: Job) -> Job:
    return checked_job


def find(job: Job, task: str, **others: Any) -> list[int]:
    return find_line_numbers(job, RowFilter(task=task, **others), Row.objects.filter(job=job).order_by("line"), 1000)


def find_all(job: Job) -> dict[str, list[int]]:
    """The rows of each task of a list that compares no works as the filter finds them. They are as many as are
    counted."""
    found = {str(task): find(job, task) for task in TASKS if task not in OF_WORKS}
    counted = {"elsewhere": 0} | count_tasks(Job.objects.get(pk=job.pk))
    assert counted == {task: len(lines) for task, lines in found.items()}
    return found


REVIEWED = {
    "without-proposal": [3, 4, 5, 10, 11, 18],
    "no-address": [10, 11, 18],
    "other-work": [],
    "compare": [],
}


def find_reviewed(job: Job) -> dict[str, list[int]]:
    """The rows to review under each word. They are as many as are counted."""
    found = {
        word: find_line_numbers(job, RowFilter(review=word), Row.objects.filter(job=job).order_by("line"), 1000)
        for word in REVIEW_PARTS
    }
    counted = count_review(Job.objects.get(pk=job.pk)).rows
    assert {word: counted[word] for word in found} == {word: len(lines) for word, lines in found.items()}
    return found


def test_rows_to_review_are_suggestions_rows_to_decide_and_undecided_rows_for_the_source(job: Job) -> None:
    assert find_reviewed(job) == REVIEWED


def test_a_decided_row_is_no_longer_to_review(job: Job) -> None:
    for line, decision in ((10, "accepted"), (12, "rejected"), (3, "rejected"), (2, "accepted")):
        decide_row(Job.objects.get(pk=job.pk), line, decision, by=ADA)
    assert find_reviewed(job) == {
        "without-proposal": [4, 5, 11, 18], "no-address": [11, 18], "other-work": [], "compare": [],
    }  # fmt: skip


def test_each_row_of_a_list_is_in_its_tasks(job: Job) -> None:
    assert find_all(job) == EXPECTED


def test_the_rows_to_import_are_those_that_have_a_doi_and_no_task_that_asks_for_something(job: Job) -> None:
    with_doi = {row.line for row in Row.objects.filter(job=job) if get_corrected_doi(row).doi}
    asking = {line for task in ("decide", "elsewhere", "back", "unchecked") for line in EXPECTED[task]}
    assert set(EXPECTED["ready"]) == with_doi - asking
    assert set(EXPECTED["ready"]) | asking == {*range(1, len(ROWS) + 1)} - {5}


def test_a_decided_row_leaves_the_tasks_that_asked_for_something(job: Job) -> None:
    for line, decision, doi in (
        (7, "accepted", ""), (12, "rejected", ""), (15, "rejected", ""), (16, "accepted", ""), (17, "edited", "10.1/x"),
        (3, "edited", "10.1000/182"), (6, "edited", "10.1000/182"), (2, "rejected", ""), (10, "accepted", ""),
    ):  # fmt: skip
        decide_row(Job.objects.get(pk=job.pk), line, decision, doi=doi, by=ADA)
    assert find_all(job) == {
        "corrected": [3, 6, 7, 8, 9, 10, 16, 17],
        "decide": [13, 19],
        "elsewhere": [],
        "back": [2, 4, 11, 12, 13, 15, 18, 19],
        "unchecked": [],
        "ready": [1, 3, 6, 7, 8, 9, 10, 14, 16, 17],
    }


def test_all_rows_of_a_task_are_decided_at_once_and_undone(job: Job) -> None:
    assert decide_rows(job, RowFilter(task="decide"), "rejected", expected=5, by=ADA) == 5
    decided = find_all(job)
    assert decided["decide"] == []
    assert decided["back"] == sorted({*EXPECTED["back"], *EXPECTED["decide"]})
    action = find_last_action(job)
    assert action is not None
    undo_action(job, action.pk)
    assert find_all(job) == EXPECTED


def test_decisions_that_are_taken_back_bring_the_tasks_back(job: Job) -> None:
    decide_row(job, 7, "rejected", by=ADA)
    decide_row(Job.objects.get(pk=job.pk), 12, "rejected", by=ADA)
    later = Decider("ada", NOW + timedelta(minutes=1))
    decide_rows(job, RowFilter(correction="decided"), "", expected=2, by=later)
    assert find_all(job) == EXPECTED


def test_a_list_without_expected_addresses_has_no_task_about_them(proxy: DoiProxy) -> None:
    job = run(make_job("doi\n10.1000/182\n10.5555/missing\n", proxy), proxy)
    assert count_tasks(job) == {"corrected": 0, "decide": 0, "back": 1, "unchecked": 0, "ready": 1}


def test_rows_that_wait_are_unchecked_and_rows_that_were_never_read_are_not_counted(proxy: DoiProxy) -> None:
    job = make_job("doi\n10.1000/182\n10.5555/missing\n", proxy)
    Job.objects.filter(pk=job.pk).update(total=2)
    job.refresh_from_db()
    assert count_tasks(job)["unchecked"] == 2
    lifecycle.cancel_job(job, now=NOW)
    job.refresh_from_db()
    assert find_all(job)["unchecked"] == []


def test_a_retry_counts_the_rows_anew(nowhere: DoiProxy, proxy: DoiProxy) -> None:
    job = run(make_job("doi\n10.1000/182\n10.5555/missing\nnothing\n", nowhere), nowhere)
    decide_row(job, 1, "edited", doi="10.1000/182", by=ADA)
    assert find_all(job)["unchecked"] == [2]
    retry.retry_job(Job.objects.get(pk=job.pk), proxy=proxy, now=NOW)
    assert find_all(job)["unchecked"] == [1, 2]
    go_on(Job.objects.get(pk=job.pk), proxy)
    assert find_all(job) == {
        "corrected": [1],
        "decide": [],
        "elsewhere": [],
        "back": [2, 3],
        "unchecked": [],
        "ready": [1],
    }


def test_a_list_of_an_earlier_version_is_counted_once(job: Job) -> None:
    Job.objects.filter(pk=job.pk).update(task_counts=None)
    decide_row(Job.objects.get(pk=job.pk), 7, "rejected", by=ADA)
    assert Job.objects.get(pk=job.pk).task_counts is None
    assert count_tasks(Job.objects.get(pk=job.pk))["decide"] == 4
    with CaptureQueriesContext(connection) as sent:
        counted = count_tasks(Job.objects.get(pk=job.pk))
    assert len(sent) == 1  # that reads the job
    assert counted["back"] == len(find(job, "back")) == 9


@pytest.mark.parametrize("task", ["another-work", "odd", "back'--", "\x00\ud800", "Back"])
def test_an_unknown_code_fits_no_row(job: Job, task: str) -> None:
    assert find(job, task) == []
    assert count_facets(job, RowFilter(task=task)).fit == 0


@pytest.mark.parametrize(
    ("others", "lines"),
    [
        ({"outcome": "not-found"}, [3]),
        ({"group": "empty"}, []),
        ({"group": "needs-work"}, [3, 4, 10, 11, 12, 13, 18, 19]),
        ({"correction": "review"}, [12, 13, 19]),
        ({"correction": "to-review", "problem": "deleted"}, [12]),
        ({"address": "no-address"}, [18]),
        ({"ra": "Crossref"}, [10, 11, 12, 13, 18, 19]),
        ({"q": "nourl"}, [10, 18]),
        ({"host": "localhost"}, [13]),
        ({"duplicates": True}, []),
    ],
)
def test_a_task_is_narrowed_by_each_other_filter(job: Job, others: dict[str, Any], lines: list[int]) -> None:
    assert find(job, "back", **others) == lines
    assert count_facets(job, RowFilter(task="back", **others)).fit == len(lines)


def test_facets_count_within_a_task(job: Job) -> None:
    found = count_facets(job, RowFilter(task="decide"))
    assert (found.fit, found.exact) == (5, True)
    assert sum(found.outcome.values()) == 5
