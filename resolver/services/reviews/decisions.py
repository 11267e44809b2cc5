"""A person's decision about one row, stored only if the row is still as that person saw it."""

import uuid
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from resolver.domain.report.correction import Correction, find_row_correction, find_row_proposal
from resolver.models import Job, Row
from resolver.services.jobs.lifecycle import ensure_ended
from resolver.services.lookups.stored_columns import DECISION_COLUMNS, clear_decision
from resolver.services.reviews.action_log import log_action


@dataclass(frozen=True, slots=True)
class Decider:
    """Who decides, by the name of the account ("" for a session without one), and when."""

    name: str
    now: datetime


@dataclass(frozen=True, slots=True)
class SeenState:
    """What a person saw of a row: when it was decided; None: not yet."""

    decided_at: datetime | None


class DecidedMeanwhile(Exception):
    """The row is no longer as the person saw it: `row` is how it stands now. Nothing was stored."""

    def __init__(self, row: Row) -> None:
        super().__init__(f"line {row.line}: {row.decision or 'no decision'} by {row.decided_by or 'a session'}")
        self.row = row


class NoProposal(Exception):
    """There is nothing to accept in `rows` rows."""

    def __init__(self, rows: int = 1) -> None:
        super().__init__(f"{rows} rows have no proposal")
        self.rows = rows


def decide_row(
    job: Job,
    line: int,
    decision: str,
    *,
    doi: str = "",
    by: Decider,
    seen: SeenState | None = None,
    proposal: str | None = None,
) -> Row:
    """Store the decision (`accepted`, `edited` with its checked `doi`, `rejected`, or "" to take one back). Return the
    row.

    Without `seen`, only an undecided row or the same person's own decision may change. `proposal` is what the person
    saw; None: it doesn't matter. Raises JobStillRunning, DecidedMeanwhile, NoProposal, and DoesNotExist of Job and Row.
    """
    with transaction.atomic():
        job = lock_ended_job(job.pk)
        row = Row.objects.get(job=job, line=line)
        proposed = find_row_proposal(row)
        if not _is_as_seen(row, by, seen) or proposal not in (None, proposed):
            raise DecidedMeanwhile(row)
        if decision == Correction.ACCEPTED and not proposed:
            raise NoProposal
        if decision or row.decision:
            log_action(job, decision, Row.objects.filter(pk=row.pk), line=line, name=by.name, now=by.now)
            clear_decision(row)
            if decision:
                row.decision, row.decided_by, row.decided_at = decision, by.name, by.now
                row.decided_doi = {Correction.ACCEPTED: proposed, Correction.EDITED: doi}.get(Correction(decision), "")
                row.decided_proposal = proposed
            row.correction = find_row_correction(row).correction
            row.save(update_fields=(*DECISION_COLUMNS, "correction"))
    return row


def lock_ended_job(pk: uuid.UUID) -> Job:
    """Return the job, locked until the end of the transaction: all writers of rows hold this lock. Raises
    JobStillRunning and Job.DoesNotExist."""
    job = Job.objects.select_for_update().get(pk=pk)
    ensure_ended(job)
    return job


def _is_as_seen(row: Row, by: Decider, seen: SeenState | None) -> bool:
    if seen is None:
        return not row.decision or row.decided_by == by.name
    return row.decided_at == seen.decided_at
