"""Judge the rows of a batch, and write them with the job's counts. A row that fails affects no other."""

import logging
import uuid
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from operator import attrgetter
from typing import Any

from django.db import transaction
from django.db.models import Q

from doi_reading import FailedReading, Reading
from resolver.counters import ROWS
from resolver.domain.report.correction import COMPARE_WORK, OTHER_WORK, PERSONAL
from resolver.domain.report.judge import ProxyAnswers, judge
from resolver.domain.report.report import Report
from resolver.domain.report.row_task import add_to_tasks
from resolver.domain.work.events import RETRACTED
from resolver.models import ENDED, HAS_RARE_CORRECTION, DecisionAction, Job, Row, State, raw_sql
from resolver.services.jobs import duplicates
from resolver.services.jobs.chunk_claims import Claim
from resolver.services.jobs.references import count_references
from resolver.services.jobs.row_readings import find_expected_address, shares_cell
from resolver.services.lookups.stored_results import CHECKED_COLUMNS, DECISION_COLUMNS, clear_decision, fill_row
from resolver.services.proxy_answers.configured_proxy import DoiProxy
from resolver.services.proxy_answers.dated_answer import NO_ANSWER
from resolver.services.proxy_answers.reading_judge import CheckedText, ReadingJudge
from resolver.services.retractions.join import join_events
from resolver.services.storage.storage_errors import is_value_refused
from resolver.services.works.list_searches import ListSearches
from resolver.services.works.list_works import ListWorks

Batch = list[tuple[Row, Reading]]
COUNTED_BY = (
    "outcome", "problem_codes", "ra", "address", "work", "found_by",
    "incomplete", "needs_review", "tidier", "correction",
)  # fmt: skip
COUNTED = ("done", "incomplete", "needs_review", "tidier", "counts", "task_counts")  # the columns of `add_to_counts`

_NEWS = frozenset({RETRACTED, OTHER_WORK, COMPARE_WORK})
_get_counted = attrgetter(*COUNTED_BY)

log = logging.getLogger(__name__)


def write_results(
    claim: Claim,
    batch: Batch,
    verdicts: ReadingJudge,
    proxy: DoiProxy,
    works: ListWorks | None = None,
    searches: ListSearches | None = None,
) -> bool:
    """Write results and counts in one transaction. `works`: if the list compares them. `searches`: if it searches for
    them. Return False if the job has ended or the claim is lost."""
    checked = join_events([_check(row, reading, verdicts, claim.job, proxy, works, searches) for row, reading in batch])
    decided = _carry_decisions(claim.job, [(row, one.report) for (row, _), one in zip(batch, checked, strict=True)])
    unsearched = bool(claim.job.layout.get("search")) and searches is None
    rows = [
        _fill(row, one, verdicts, claim.job, proxy, unsearched=unsearched)
        for (row, _), one in zip(batch, checked, strict=True)
    ]
    try:
        return _store(claim, rows, decided, proxy, verdicts.answers.now)
    except Exception as error:
        if not is_value_refused(error):
            raise
    rows = [row if _can_be_stored(row) else _fill_unread(row, proxy, verdicts.answers.now) for row in rows]
    return _store(claim, rows, decided, proxy, verdicts.answers.now)


def _carry_decisions(job: Job, rows: Sequence[tuple[Row, Report]]) -> list[Row]:
    """Give rows of a rerun the decisions of the same lines with the same text in the finished run before it. Return the
    rows that have a decision, or had one. They are not saved yet, and `fill_row` drops one about another proposal.

    At most three queries, and none unless the job is a rerun. Nothing is carried over once a person has decided in this
    run: a decision that was taken back doesn't return with a retry. Nor is one of a work that wasn't known then to be
    retracted, or to be another: the person must hear of it. The same holds for rows of this run that were decided while
    a part couldn't be checked.
    """
    held = [row for row, _ in rows if row.decision]
    for row, report in rows:
        if row.decision and _find_news(report):
            clear_decision(row)
    if rows and job.rerun_of_id and not DecisionAction.objects.filter(job=job).exists():
        runs = Job.objects.filter(Q(pk=job.rerun_of_id) | Q(rerun_of=job.rerun_of_id), owner=job.owner)
        runs = runs.filter(state=State.FINISHED, created_at__lt=job.created_at).order_by("-created_at", "-pk")
        earlier = runs.values_list("pk", flat=True).first()
        if earlier is not None:
            _copy_decisions(earlier, rows)
    return [row for row, _ in rows if row.decision or row in held]


def _find_news(report: Report) -> frozenset[str]:
    """Return the codes of the report of which a person must know before a decision."""
    return _NEWS.intersection(problem.code for problem in report.problems)


def _copy_decisions(earlier: uuid.UUID, rows: Sequence[tuple[Row, Report]]) -> None:
    lines = [row.line for row, _ in rows]
    decided = Row.objects.filter(HAS_RARE_CORRECTION, job=earlier, correction__in=PERSONAL)
    decided = decided.filter(line__range=(min(lines), max(lines))).only(
        "line", "input", "problem_codes", *DECISION_COLUMNS
    )
    by_line = {row.line: row for row in decided}
    for row, report in rows:
        before = by_line.get(row.line)
        if before is None or before.input != row.input or row.decision:
            continue
        if _find_news(report) <= set(before.problem_codes):
            for name in DECISION_COLUMNS:
                setattr(row, name, getattr(before, name))


def _check(
    row: Row,
    reading: Reading,
    verdicts: ReadingJudge,
    job: Job,
    proxy: DoiProxy,
    works: ListWorks | None,
    searches: ListSearches | None,
) -> CheckedText:
    proxy.bulk.advance_meanwhile()
    try:
        checked = verdicts.check(reading, quick=job.quick)
        source = checked.source
        if source.stored and job.started_at and source.answered_at and source.answered_at >= job.started_at:
            # The precheck of this list requested it.
            checked = replace(checked, source=replace(source, stored=False))
        if works:
            checked = works.compare(row, checked, verdicts)
        return searches.add(row, checked, verdicts) if searches else checked
    except Exception:
        log.exception("Line %d of job %s could not be judged", row.line, row.job_id)
        return _build_unread(row)


def _fill(
    row: Row, checked: CheckedText, verdicts: ReadingJudge, job: Job, proxy: DoiProxy, *, unsearched: bool
) -> Row:
    try:
        expected = find_expected_address(job, row.cells)
        if expected and shares_cell(job, row):
            expected = ""
        now = verdicts.answers.now
        return fill_row(row, checked, proxy=proxy, now=now, expected=expected, unsearched=unsearched)
    except Exception:
        log.exception("Line %d of job %s could not be judged", row.line, row.job_id)
        return _fill_unread(row, proxy, verdicts.answers.now)


def _fill_unread(row: Row, proxy: DoiProxy, now: datetime) -> Row:
    return fill_row(row, _build_unread(row), proxy=proxy, now=now)


def _build_unread(row: Row) -> CheckedText:
    unread = FailedReading.of(row.input)
    return CheckedText(unread, judge(unread, ProxyAnswers()), NO_ANSWER)


def _can_be_stored(row: Row) -> bool:
    try:
        with transaction.atomic():
            raw_sql.update_rows([row], CHECKED_COLUMNS)
            transaction.set_rollback(True)
    except Exception as error:
        if not is_value_refused(error):
            raise
        log.exception("Line %d of job %s cannot be stored", row.line, row.job_id)
        return False
    return True


def _store(claim: Claim, rows: list[Row], decided: list[Row], proxy: DoiProxy, now: datetime) -> bool:
    with transaction.atomic():
        # The job first, then the chunk: every writer locks in this order.
        job = Job.objects.select_for_update().filter(pk=claim.job.pk).exclude(state__in=ENDED).first()
        if job is None or claim.lease.find_row().select_for_update().first() is None:
            return False
        job.duplicates += duplicates.mark_duplicates(job, rows)
        lines = [row.line for row in rows]
        with count_references(job, (min(lines, default=0), max(lines, default=0))):
            raw_sql.update_rows(rows, CHECKED_COLUMNS)
        raw_sql.update_rows(decided, DECISION_COLUMNS)
        add_to_counts(job, ((*kind, number) for kind, number in Counter(map(_get_counted, rows)).items()))
        job.heartbeat_at = now
        job.proxy, job.sample = proxy.base_url, job.sample or proxy.sample  # it may be continued at another proxy
        job.save(update_fields=(*COUNTED, "references_in_need", "duplicates", "heartbeat_at", "proxy", "sample"))
    for outcome, number in Counter(row.outcome for row in rows).items():
        ROWS(outcome).inc(number)
    return True


def add_to_counts(job: Job, kinds: Iterable[tuple[Any, ...]]) -> None:
    """Add to the job's counts the values of COUNTED_BY with the number of such rows, or subtract rows if that number is
    negative. Only a list with expected addresses has counts of `address`, one that compares works of `work`, and one
    that searches for them of `found_by`."""
    for outcome, codes, ra, address, work, found_by, incomplete, needs_review, tidier, correction, rows in kinds:
        job.done = max(0, job.done + rows)
        job.incomplete = max(0, job.incomplete + rows * incomplete)
        job.needs_review = max(0, job.needs_review + rows * needs_review)
        job.tidier = max(0, job.tidier + rows * tidier)
        if job.task_counts is not None:
            add_to_tasks(
                job.task_counts,
                rows,
                outcome=outcome,
                correction=correction,
                problems=codes,
                address=address,
                work=work,
                found_by=found_by,
            )
        kept = {"outcome": [outcome], "problem": codes, "ra": [ra]}
        kept |= {"address": [address], "work": [work], "found_by": [found_by]}
        for kind, values in kept.items():
            for value in filter(None, values):
                counted = job.counts.setdefault(kind, {})
                counted[value] = counted.get(value, 0) + rows
                if counted[value] <= 0:
                    del counted[value]
