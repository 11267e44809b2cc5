"""A person's decisions about rows: stored as seen, in bulk, undone, and kept by a retry or a rerun."""

import dataclasses
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from resolver.domain.report.correction import Correction, find_row_correction
from resolver.models import DecisionAction, EarlierDecision, Job, Row, raw_sql
from resolver.services.comparisons.reruns import create_rerun
from resolver.services.jobs import lifecycle, retry
from resolver.services.jobs.lifecycle import JobStillRunning
from resolver.services.lookups.stored_results import (
    DECISION_COLUMNS,
    drop_outdated_decision,
    find_row_proposal,
)
from resolver.services.proxy_answers.configured_proxy import DoiProxy
from resolver.services.results.row_queries import RowFilter
from resolver.services.reviews import action_log
from resolver.services.reviews.action_log import NothingToUndo, find_last_action, undo_action
from resolver.services.reviews.bulk_decisions import CountDiffers, decide_rows
from resolver.services.reviews.decisions import DecidedMeanwhile, Decider, NoProposal, SeenState, decide_row
from resolver.services.reviews.review_counts import count_open_reviews, count_review
from resolver.services.reviews.typed_doi import DoiNotChecked, UnusableDoi, check_typed_doi
from tests.services.conftest import NOW, make_job, run, work_off

pytestmark = pytest.mark.django_db

ADA, BOB = Decider("ada", NOW), Decider("bob", NOW + timedelta(minutes=1))
LIST = (
    "id,doi\n1,10.1000/182\n2,10.1000/182.\n3,10.5555/missing\n4,nothing\n5,10.5555/error-a\n"
    "6,https://doi.org/10.1000/182#x\n7,10.5555/a\u200bb\n8,https://doi.org/10.5555/b#y\n9,10.5555/alias\n"
)
STATE = ("line", "correction", *DECISION_COLUMNS)


@pytest.fixture
def job(checked_job: Job) -> Job:
    return checked_job


def row(job: Job, line: int) -> Row:
    return Row.objects.get(job=job, line=line)


def state(job: Job) -> list[tuple[Any, ...]]:
    return list(Row.objects.filter(job=job).order_by("line").values_list(*STATE))


def corrections(job: Job) -> dict[int, str]:
    return dict(Row.objects.filter(job=job).values_list("line", "correction"))


@pytest.mark.parametrize(
    ("line", "decision", "typed", "doi"),
    [
        (2, "accepted", "", "10.1000/182"),  # the suggestion
        (6, "accepted", "", "10.1000/182"),  # the name as read
        (9, "accepted", "", "10.5555/target"),  # the main DOI
        (2, "edited", "10.5555/mine", "10.5555/mine"),
        (3, "edited", "10.5555/mine", "10.5555/mine"),
        (6, "rejected", "", ""),
        (4, "rejected", "", ""),
    ],
)
def test_a_decision_is_stored_with_who_and_when(job: Job, line: int, decision: str, typed: str, doi: str) -> None:
    before = row(job, line)
    decide_row(job, line, decision, doi=typed, by=ADA)
    decided = row(job, line)
    assert (decided.correction, decided.decision, decided.decided_by, decided.decided_at) == (
        decision, decision, "ada", NOW,
    )  # fmt: skip
    assert find_row_correction(decided) == (decision, doi)
    decide_row(job, line, "", by=ADA)
    again = row(job, line)
    assert [getattr(again, name) for name in STATE] == [getattr(before, name) for name in STATE]


@pytest.mark.parametrize("line", [3, 4, 5])
def test_where_nothing_is_proposed_nothing_can_be_accepted(job: Job, line: int) -> None:
    with pytest.raises(NoProposal):
        decide_row(job, line, "accepted", by=ADA)
    assert DecisionAction.objects.count() == 0


@pytest.mark.parametrize("seen", [SeenState(None), SeenState(NOW - timedelta(seconds=1)), None])
def test_the_second_of_two_people_overwrites_nothing(job: Job, seen: SeenState | None) -> None:
    decide_row(job, 2, "accepted", by=ADA, seen=SeenState(None))
    with pytest.raises(DecidedMeanwhile) as refused:
        decide_row(job, 2, "rejected", by=BOB, seen=seen)
    assert (refused.value.row.decision, refused.value.row.decided_by) == ("accepted", "ada")
    assert row(job, 2).decision == "accepted"
    decide_row(job, 2, "rejected", by=BOB, seen=SeenState(NOW))
    assert row(job, 2).decided_by == "bob"


def test_a_decision_about_another_proposal_than_the_present_is_refused(job: Job) -> None:
    with pytest.raises(DecidedMeanwhile):
        decide_row(job, 2, "accepted", by=ADA, proposal="10.5555/other")
    decide_row(job, 2, "accepted", by=ADA, proposal="10.1000/182")


def test_a_list_that_runs_takes_no_decisions(proxy: DoiProxy) -> None:
    waiting = make_job(LIST, proxy)
    with pytest.raises(JobStillRunning):
        decide_row(waiting, 1, "rejected", by=ADA)
    with pytest.raises(JobStillRunning):
        decide_rows(waiting, RowFilter(), "rejected", expected=0, by=ADA)
    with pytest.raises(JobStillRunning):
        undo_action(waiting, 1)


def test_all_of_a_kind_are_decided_at_once_and_undone(job: Job) -> None:
    before = state(job)
    assert decide_rows(job, RowFilter(correction="suggested"), "accepted", expected=2, by=ADA) == 2
    assert {line for line, each in corrections(job).items() if each == "accepted"} == {2, 7}
    assert row(job, 7).decided_doi == "10.5555/ab"
    action = find_last_action(job)
    assert action is not None
    assert (action.rows, action.decision, action.made_by) == (2, "accepted", "ada")
    undo_action(job, action.pk)
    assert state(job) == before
    assert EarlierDecision.objects.count() == DecisionAction.objects.count() == 0


def test_another_number_than_expected_changes_nothing(job: Job) -> None:
    before = state(job)
    with pytest.raises(CountDiffers) as refused:
        decide_rows(job, RowFilter(correction="suggested"), "accepted", expected=3, by=ADA)
    assert refused.value.found == 2
    assert state(job) == before
    assert DecisionAction.objects.count() == 0


def test_many_rows_leave_single_decisions_alone(job: Job) -> None:
    decide_row(job, 6, "rejected", by=BOB)
    assert decide_rows(job, RowFilter(problem="unescaped-hash"), "accepted", expected=1, by=ADA) == 1
    assert (row(job, 6).decided_by, row(job, 8).decided_by) == ("bob", "ada")


def test_rows_without_a_proposal_are_not_accepted_in_passing(job: Job) -> None:
    with pytest.raises(NoProposal) as refused:
        decide_rows(job, RowFilter(), "accepted", expected=9, by=ADA)
    assert refused.value.rows == 3
    assert decide_rows(job, RowFilter(), "rejected", expected=9, by=ADA) == 9


def test_decisions_are_taken_back_in_bulk_and_that_is_undone(job: Job) -> None:
    before = state(job)
    decide_row(job, 2, "edited", doi="10.5555/mine", by=BOB)
    decide_rows(job, RowFilter(correction="to-review"), "accepted", expected=3, by=ADA)
    decided = state(job)
    assert decide_rows(job, RowFilter(correction="decided"), "", expected=4, by=ADA) == 4
    assert state(job) == before
    undo_action(job, DecisionAction.objects.latest("pk").pk)
    assert state(job) == decided


def test_an_action_that_changes_no_row_leaves_nothing_to_undo(job: Job) -> None:
    decide_row(job, 2, "", by=ADA)
    assert decide_rows(job, RowFilter(correction="suggested"), "", expected=0, by=ADA) == 0
    assert find_last_action(job) is None


def test_several_actions_are_undone_one_after_the_other(job: Job) -> None:
    before = state(job)
    first = decide_row(job, 2, "accepted", by=ADA)
    decide_row(job, first.line, "rejected", by=dataclasses.replace(ADA, now=NOW + timedelta(seconds=1)))
    for expected in ("accepted", "suggested"):
        undo_action(job, DecisionAction.objects.latest("pk").pk)
        assert corrections(job)[2] == expected
    assert state(job) == before


def test_only_the_last_action_can_be_undone(job: Job) -> None:
    decide_row(job, 2, "accepted", by=ADA)
    first = DecisionAction.objects.latest("pk").pk
    decide_row(job, 6, "rejected", by=BOB)
    with pytest.raises(NothingToUndo):
        undo_action(job, first)
    assert (corrections(job)[2], corrections(job)[6]) == ("accepted", "rejected")


def test_an_undo_leaves_a_row_with_the_same_decision_of_another_time(job: Job) -> None:
    decide_row(job, 2, "accepted", by=ADA)
    Row.objects.filter(job=job, line=2).update(decided_at=BOB.now)
    before, action = state(job), find_last_action(job)
    assert action is not None
    undo_action(job, action.pk)
    assert state(job) == before


def test_actions_that_cannot_be_undone_any_more_are_forgotten(job: Job, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(action_log, "KEPT_ACTIONS", 3)
    for _ in range(4):
        decide_row(job, 2, "accepted", by=ADA)
    assert DecisionAction.objects.count() == 3
    monkeypatch.setattr(action_log, "MANY_ROWS", 1)
    for _ in range(2):
        decide_rows(job, RowFilter(problem="unescaped-hash"), "rejected", expected=2, by=ADA)
        decide_rows(job, RowFilter(problem="unescaped-hash"), "", expected=2, by=ADA)
    assert DecisionAction.objects.filter(rows__gt=1).count() == 1


def test_a_list_is_deleted_with_its_decisions(job: Job) -> None:
    decide_row(job, 2, "accepted", by=ADA)
    lifecycle.delete_job(job)
    assert EarlierDecision.objects.count() == DecisionAction.objects.count() == 0


def test_rows_are_counted_by_reason(job: Job) -> None:
    decide_row(job, 8, "rejected", by=ADA)
    counts = count_review(job)
    assert {word: counts.rows[word] for word in ("suggested", "review", "decided", "not-registered", "no-doi")} == {
        "suggested": 2, "review": 1, "decided": 1, "not-registered": 1, "no-doi": 1,
    }  # fmt: skip
    assert (counts.left, counts.rows["without-proposal"], counts.rows["no-address"]) == (5, 2, 0)
    assert counts.done == {"review": 1}
    assert counts.problem["review"] == {"unescaped-hash": 1}
    assert count_open_reviews(job) == (3, 0, 2)


OUTCOMES = ("", "resolved", "no-url", "registered", "not-found", "invalid", "unreachable")


def test_the_statement_for_many_rows_proposes_what_a_single_row_does(proxy: DoiProxy) -> None:
    """Each combination of what a row may hold."""
    job = run(make_job("doi\n10.1000/182\n", proxy), proxy)
    made = [
        Row(job=job, outcome=outcome, doi=doi, suggestion=suggestion, alias_of=alias, also_registered=also)
        for outcome in OUTCOMES
        for doi in ("10.5555/a", "")
        for suggestion in ("10.5555/s", "")
        for alias in ("10.5555/m", "")
        for also in ([], ["10.5555/w", "10.5555/x"])
    ]
    for line, each in enumerate(made, 2):
        each.line, each.correction = line, find_row_correction(each).correction
    Row.objects.bulk_create(made)
    decide_rows(job, RowFilter(), "rejected", expected=len(made) + 1, by=ADA)
    for each in Row.objects.filter(job=job):
        assert each.decided_proposal == find_row_proposal(each), (
            each.outcome,
            each.doi,
            each.suggestion,
            each.alias_of,
        )
    decide_rows(job, RowFilter(correction="decided"), "", expected=len(made) + 1, by=ADA)
    for each in Row.objects.filter(job=job, line__gt=1):
        assert each.correction == find_row_correction(each).correction
    without = sum(not find_row_proposal(each) for each in made)
    with pytest.raises(NoProposal) as refused:
        decide_rows(job, RowFilter(), "accepted", expected=len(made) + 1, by=ADA)
    assert refused.value.rows == without


def test_a_typed_doi_is_read_and_checked(proxy: DoiProxy) -> None:
    for text in ("10.1000/182", " https://doi.org/10.1000/182 ", "doi:10.1000/182"):
        assert check_typed_doi(text, proxy=proxy, now=NOW) == ("10.1000/182", "")


def test_a_typed_alias_stays_and_its_main_doi_is_named(proxy: DoiProxy) -> None:
    assert check_typed_doi("10.5555/alias", proxy=proxy, now=NOW) == ("10.5555/alias", "10.5555/target")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("10.5555/deleted-1", "This DOI is deleted"),
        ("https://doi.org/10.5555/deleted-1", "This DOI is deleted"),
        ("10.5555/unsafe-1", "isn't a web address"),
        ("10.5555/nourl-1", "has no web address"),
        ("10.5555/novalues-1", "has no web address"),
        ("10.5555/loop-1", "has no web address"),
    ],
)
def test_a_typed_doi_that_leads_nowhere_is_refused_with_the_reason(proxy: DoiProxy, text: str, said: str) -> None:
    with pytest.raises(UnusableDoi, match=said):
        check_typed_doi(text, proxy=proxy, now=NOW)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "nothing",
        "10.5555/missing",
        "https://doi.org/10.1000/182#x",
        "10.1000/182 10.5555/b",
        "10.1000/182.",
        "10.\0",
    ],
)
def test_a_typed_text_that_is_no_registered_doi_is_refused(proxy: DoiProxy, text: str) -> None:
    with pytest.raises(UnusableDoi):
        check_typed_doi(text, proxy=proxy, now=NOW)


def test_a_typed_doi_that_cannot_be_checked_is_neither_right_nor_wrong(proxy: DoiProxy, nowhere: DoiProxy) -> None:
    for away, text in ((nowhere, "10.1000/182"), (proxy, "10.5555/error-a")):
        with pytest.raises(DoiNotChecked):
            check_typed_doi(text, proxy=away, now=NOW)


def test_decisions_survive_a_retry_that_finds_no_other_proposal(proxy: DoiProxy, nowhere: DoiProxy) -> None:
    job = run(make_job("doi\n10.1000/182.\n10.5555/b.\n10.1000/182\n", nowhere), nowhere)
    assert set(corrections(job).values()) == {"unchecked"}
    decide_row(job, 1, "edited", doi="10.1000/182", by=ADA)  # what will be suggested
    decide_row(job, 2, "edited", doi="10.5555/other", by=ADA)  # something else will be
    decide_row(job, 3, "rejected", by=ADA)
    retry.retry_job(job, proxy=nowhere, now=NOW)
    assert corrections(job) == {1: "edited", 2: "edited", 3: "rejected"}
    job = work_off(job, nowhere)
    assert corrections(job) == {1: "edited", 2: "edited", 3: "rejected"}
    retry.retry_job(job, proxy=proxy, now=NOW)
    job = work_off(job, proxy)
    assert corrections(job)[1] == "edited"
    assert (corrections(job)[2], row(job, 2).decision, row(job, 2).decided_at) != ("edited", "edited", NOW)
    assert corrections(job)[3] == "unchanged"


@pytest.mark.parametrize(("incomplete", "kept"), [(True, "accepted"), (False, "")])
def test_a_check_in_which_candidates_got_no_answer_leaves_a_decision_alone(incomplete: bool, kept: str) -> None:
    one = Row(doi="10.1000/182.", outcome="not-found", incomplete=incomplete, decision="accepted")
    one.decided_doi = one.decided_proposal = "10.1000/182"
    drop_outdated_decision(one)
    assert one.decision == kept


def test_an_undone_decision_about_another_proposal_than_the_present_does_not_return(job: Job) -> None:
    decide_row(job, 2, "accepted", by=ADA)
    decide_row(job, 2, "", by=ADA)
    Row.objects.filter(job=job, line=2).update(suggestion="10.5555/found-by-a-retry")
    action = find_last_action(job)
    assert action is not None
    undo_action(job, action.pk)
    assert (row(job, 2).decision, row(job, 2).correction) == ("", "suggested")


def test_a_rerun_takes_over_from_the_last_run_that_finished(job: Job, proxy: DoiProxy) -> None:
    decide_row(job, 2, "accepted", by=ADA)
    stopped = create_rerun(job, proxy=proxy, now=job.created_at + timedelta(hours=1))
    assert lifecycle.cancel_job(stopped, now=NOW)
    again = run(create_rerun(job, proxy=proxy, now=job.created_at + timedelta(hours=2)), proxy)
    assert row(again, 2).decision == "accepted"


def test_a_rerun_takes_over_decisions_about_the_same_proposal(job: Job, proxy: DoiProxy) -> None:
    decide_row(job, 2, "accepted", by=ADA)
    decide_row(job, 6, "rejected", by=ADA)
    decide_row(job, 7, "edited", doi="10.1000/182", by=ADA)
    # As if another DOI had been proposed then.
    decide_row(job, 8, "accepted", by=ADA)
    Row.objects.filter(job=job, line=8).update(decided_proposal="10.5555/then", decided_doi="10.5555/then")
    again = create_rerun(job, proxy=proxy, now=job.created_at + timedelta(hours=1))
    again = run(again, proxy)
    assert corrections(again) == {**corrections(job), 8: "review"}
    for line in (2, 6, 7):
        assert [getattr(row(again, line), name) for name in DECISION_COLUMNS] == [
            getattr(row(job, line), name) for name in DECISION_COLUMNS
        ]
    assert row(again, 8).decided_by == ""


def test_a_decision_that_was_taken_back_does_not_return(job: Job, proxy: DoiProxy) -> None:
    decide_row(job, 2, "accepted", by=ADA)
    again = run(create_rerun(job, proxy=proxy, now=job.created_at + timedelta(hours=1)), proxy)
    decide_row(again, 2, "", by=ADA)
    Row.objects.filter(job=again, line=2).update(incomplete=True)
    Job.objects.filter(pk=again.pk).update(incomplete=1)
    again.refresh_from_db()
    retry.retry_job(again, proxy=proxy, now=NOW)
    assert corrections(work_off(again, proxy))[2] == "suggested"


def test_another_owners_list_gives_no_decisions(job: Job, proxy: DoiProxy) -> None:
    decide_row(job, 2, "accepted", by=ADA)
    again = create_rerun(job, proxy=proxy, now=job.created_at + timedelta(hours=1))
    Job.objects.filter(pk=job.pk).update(owner="user:2")
    assert corrections(run(again, proxy))[2] == "suggested"


def test_many_rows_take_few_statements(job: Job) -> None:
    """As many as there are batches of 2,000 rows, and some more."""
    rows, first = 10_000, 100
    columns = ("job", "line", "input", "doi", "outcome", "problem_codes", "suggestion", "correction")
    made = ("10.1000/182.", "10.1000/182.", "not-found", ("final",), "10.1000/182", "suggested")
    raw_sql.insert_rows(Row, columns, ((job.pk, line, *made) for line in range(first, rows + first)))
    wanted = RowFilter(problem="final")
    with CaptureQueriesContext(connection) as captured:
        assert decide_rows(job, wanted, "accepted", expected=rows, by=ADA) == rows
        undo_action(job, DecisionAction.objects.latest("pk").pk)
    assert len(captured) < 80
    left = Row.objects.filter(job=job, line__gte=first, correction=Correction.SUGGESTED, decision="", decided_doi="")
    assert left.count() == rows


@pytest.mark.parametrize("decision", ["accepted", "rejected"])
def test_a_text_is_searched_once_for_a_decision_about_all_its_rows(job: Job, decision: str) -> None:
    with CaptureQueriesContext(connection) as captured:
        assert decide_rows(job, RowFilter(q="10.1000/182."), decision, expected=1, by=ADA) == 1
    assert sum('"cells"' in query["sql"] for query in captured) == 1


def test_rows_are_counted_before_anything_is_written(job: Job) -> None:
    with CaptureQueriesContext(connection) as captured, pytest.raises(CountDiffers):
        decide_rows(job, RowFilter(correction="suggested"), "accepted", expected=3, by=ADA)
    assert not [query["sql"] for query in captured if query["sql"].startswith(("INSERT", "UPDATE", "DELETE"))]
