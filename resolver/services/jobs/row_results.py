"""Judge the rows of a batch, and write them with the job's counts. A row that fails harms no other."""

import logging
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from typing import Any

from django.db import transaction

from doi_reading import FailedReading, Reading
from resolver.counters import ROWS
from resolver.domain.report.judge import judge
from resolver.domain.report.proxy_answers import ProxyAnswers
from resolver.domain.report.report import Report
from resolver.models import ENDED, Job, Row, raw_sql
from resolver.services.jobs import duplicates
from resolver.services.jobs.carried_decisions import carry_decisions
from resolver.services.jobs.chunk_claims import Claim
from resolver.services.jobs.row_readings import find_expected_address, shares_cell
from resolver.services.lookups.stored_columns import CHECKED_COLUMNS, DECISION_COLUMNS, fill_row
from resolver.services.proxy_answers.configured_proxy import DoiProxy
from resolver.services.proxy_answers.dated_answer import NO_ANSWER, DatedAnswer
from resolver.services.proxy_answers.reading_judge import ReadingJudge
from resolver.services.storage.storage_errors import is_value_refused

Batch = list[tuple[Row, Reading]]
COUNTED_BY = ("outcome", "problem_codes", "ra", "address", "incomplete", "needs_review", "tidier")
COUNTED = ("done", "incomplete", "needs_review", "tidier", "counts")  # the columns of `add_to_counts`

log = logging.getLogger(__name__)


def write_results(claim: Claim, batch: Batch, verdicts: ReadingJudge, proxy: DoiProxy) -> bool:
    """Write results and counts in one transaction. Return False if the job has ended or the claim is lost."""
    decided = carry_decisions(claim.job, [row for row, _ in batch])
    rows = [_fill(row, reading, verdicts, claim.job, proxy) for row, reading in batch]
    try:
        return _store(claim, rows, decided, proxy, verdicts.answers.now)
    except Exception as error:
        if not is_value_refused(error):
            raise
    rows = [row if _can_be_stored(row) else _fill_unread(row, proxy, verdicts.answers.now) for row in rows]
    return _store(claim, rows, decided, proxy, verdicts.answers.now)


def _fill(row: Row, reading: Reading, verdicts: ReadingJudge, job: Job, proxy: DoiProxy) -> Row:
    try:
        report = verdicts.report(reading, quick=job.quick)
        source = verdicts.answers.source(reading, quick=job.quick)
        if source.stored and job.started_at and source.answered_at and source.answered_at >= job.started_at:
            source = replace(source, stored=False)  # by the precheck of this list
        expected = find_expected_address(job, row.cells)
        if expected and shares_cell(job, row):
            expected = ""
        return _store_report(row, reading, report, source, proxy, verdicts.answers.now, expected)
    except Exception:
        log.exception("Line %d of job %s could not be judged", row.line, row.job_id)
        return _fill_unread(row, proxy, verdicts.answers.now)


def _fill_unread(row: Row, proxy: DoiProxy, now: datetime) -> Row:
    """Fill in that this row couldn't be checked; a retry checks it."""
    unread = FailedReading.of(row.input)
    return _store_report(row, unread, judge(unread, ProxyAnswers()), NO_ANSWER, proxy, now)


def _store_report(
    row: Row,
    reading: Reading,
    report: Report,
    source: DatedAnswer[Any],
    proxy: DoiProxy,
    now: datetime,
    expected: str | None = None,
) -> Row:
    url, sample = proxy.base_url, proxy.sample
    return fill_row(row, reading, report, proxy=url, sample=sample, now=now, source=source, expected=expected)


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
        raw_sql.update_rows(rows, CHECKED_COLUMNS)
        raw_sql.update_rows(decided, DECISION_COLUMNS)
        add_to_counts(job, ((*(getattr(row, name) for name in COUNTED_BY), 1) for row in rows))
        job.heartbeat_at = now
        job.proxy, job.sample = proxy.base_url, job.sample or proxy.sample  # it may go on at another proxy
        job.save(update_fields=(*COUNTED, "duplicates", "heartbeat_at", "proxy", "sample"))
    for outcome, number in Counter(row.outcome for row in rows).items():
        ROWS(outcome).inc(number)
    return True


def add_to_counts(job: Job, kinds: Iterable[tuple[Any, ...]]) -> None:
    """Add to the job's counts: the values of COUNTED_BY, and the number of such rows, which is below 0 to take them
    away. Only a list with expected addresses has counts of `address`."""
    for outcome, codes, ra, address, incomplete, needs_review, tidier, rows in kinds:
        job.done = max(0, job.done + rows)
        job.incomplete = max(0, job.incomplete + rows * incomplete)
        job.needs_review = max(0, job.needs_review + rows * needs_review)
        job.tidier = max(0, job.tidier + rows * tidier)
        for kind, values in (
            ("outcome", [outcome]),
            ("problem", codes),
            ("ra", [ra]),
            ("address", [address]),
        ):
            for value in filter(None, values):
                counted = job.counts.setdefault(kind, {})
                counted[value] = counted.get(value, 0) + rows
                if counted[value] <= 0:
                    del counted[value]
