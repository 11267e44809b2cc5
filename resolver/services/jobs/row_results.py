"""The rows of a batch judged, and written with the job's counts. One that cannot be judged or stored harms no other."""

import logging
from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from typing import Any

from django.db import transaction

from resolver.domain.parsing.parse import Reading
from resolver.domain.parsing.unreadable_text import Unread
from resolver.domain.report.report import Report, judge
from resolver.models import ENDED, Job, Row, raw_sql
from resolver.services.jobs import duplicates
from resolver.services.jobs.chunk_claims import Claim
from resolver.services.proxy_answers.batch import NO_ANSWER, ResolutionBatch
from resolver.services.proxy_answers.cache import Known
from resolver.services.proxy_answers.doi_proxy import DoiProxy
from resolver.services.report_columns import fill_row
from resolver.services.storage_errors import is_of_the_data

Batch = list[tuple[Row, Reading]]

_RESULT_COLUMNS = (
    "doi", "key", "url", "outcome", "ra", "ra_status", "prefix_ra", "prefix_status", "urls", "problems", "messages",
    "suggestion", "also_registered", "others", "alias_of", "incomplete", "needs_review", "checked_at", "answered_at",
    "cached", "proxy", "fingerprint", "same_as",
)  # fmt: skip

log = logging.getLogger(__name__)


def write(claim: Claim, batch: Batch, knowledge: ResolutionBatch, proxy: DoiProxy) -> bool:
    """The results and the job's counts, in one transaction; False when the job has ended or the claim is lost."""
    rows = [_filled(row, reading, knowledge, claim.job, proxy) for row, reading in batch]
    try:
        return _store(claim, rows, proxy, knowledge.now)
    except Exception as error:
        if not is_of_the_data(error):
            raise
    rows = [row if _can_be_stored(row) else _at_fault(row, proxy, knowledge.now) for row in rows]
    return _store(claim, rows, proxy, knowledge.now)


def _filled(row: Row, reading: Reading, knowledge: ResolutionBatch, job: Job, proxy: DoiProxy) -> Row:
    try:
        report = knowledge.report(reading, quick=job.quick)
        source = knowledge.source(reading, quick=job.quick)
        if source.stored and job.started_at and source.asked_at and source.asked_at >= job.started_at:
            source = replace(source, stored=False)  # by this very list, which asks Which RA first
        return _told(row, reading, report, source, proxy, knowledge.now)
    except Exception:
        log.exception("Line %d of job %s could not be judged", row.line, row.job_id)
        return _at_fault(row, proxy, knowledge.now)


def _at_fault(row: Row, proxy: DoiProxy, now: datetime) -> Row:
    """Over this one we stumbled: it could not be asked, and may be once more."""
    unread = Unread.of(row.input)
    return _told(row, unread, judge(unread, None), NO_ANSWER, proxy, now)


def _told(row: Row, reading: Reading, report: Report, source: Known[Any], proxy: DoiProxy, now: datetime) -> Row:
    return fill_row(row, reading, report, proxy=proxy.base_url, sample=proxy.sample, now=now, source=source)


def _can_be_stored(row: Row) -> bool:
    try:
        with transaction.atomic():
            raw_sql.update([row], _RESULT_COLUMNS)
            transaction.set_rollback(True)
    except Exception as error:
        if not is_of_the_data(error):
            raise
        log.exception("Line %d of job %s cannot be stored", row.line, row.job_id)
        return False
    return True


def _store(claim: Claim, rows: list[Row], proxy: DoiProxy, now: datetime) -> bool:
    with transaction.atomic():
        # The job first, then the chunk: everybody locks in this order.
        job = Job.objects.select_for_update().filter(pk=claim.job.pk).exclude(state__in=ENDED).first()
        if job is None or claim.lease.ours().select_for_update().first() is None:
            return False
        job.duplicates += duplicates.mark_duplicates(job, rows)
        raw_sql.update(rows, _RESULT_COLUMNS)
        job.done += len(rows)
        job.incomplete += sum(row.incomplete for row in rows)
        job.needs_review += sum(row.needs_review for row in rows)
        job.heartbeat_at = now
        job.proxy, job.sample = proxy.base_url, job.sample or proxy.sample  # it may go on at another proxy
        _count(job.counts, rows)
        changed = ("done", "incomplete", "needs_review", "counts", "duplicates", "heartbeat_at", "proxy", "sample")
        job.save(update_fields=changed)
    return True


def _count(counts: dict[str, dict[str, int]], rows: Iterable[Row]) -> None:
    for row in rows:
        for kind, values in (("outcome", [row.outcome]), ("problem", row.problem_codes), ("ra", [row.ra])):
            for value in filter(None, values):
                counts[kind][value] = counts[kind].get(value, 0) + 1
