"""A person's decision about one row, stored only if the row hasn't changed since that person saw it."""

from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from resolver.domain.report.correction import Correction, find_row_correction, find_row_proposal
from resolver.models import Job, Row
from resolver.services.jobs.lifecycle import lock_ended_job
from resolver.services.lookups.stored_results import DECISION_COLUMNS, clear_decision
from resolver.services.results.task_counts import follow_tasks
from resolver.services.reviews.action_log import log_action


@dataclass(frozen=True, slots=True)
class Decider:
    """The name of the account that decides ("" for a session without one), and the time."""

    name: str
    now: datetime


@dataclass(frozen=True, slots=True)
class SeenState:
    """The time of the decision that a person saw in a row; None: undecided."""

    decided_at: datetime | None


class DecidedMeanwhile(Exception):
    """The row has changed since the person saw it: `row` is its present state. Nothing was stored."""

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
    keeps_cell: bool = False,
) -> Row:
    """Store the decision (`accepted`, `edited` with its checked `doi`, `rejected`, or "" for none). Return the row.

    Without `seen`, only an undecided row or the same person's own decision may change. `proposal` is the one that the
    person saw; None: any. `keeps_cell`: the cell stays as it is, and its own DOI, `doi`, counts. Raises
    JobStillRunning, DecidedMeanwhile, NoProposal, and DoesNotExist of Job and Row.
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
            this_row = Row.objects.filter(pk=row.pk)
            log_action(job, decision, this_row, line=line, name=by.name, now=by.now)
            clear_decision(row)
            if decision:
                row.decision, row.decided_by, row.decided_at = decision, by.name, by.now
                row.decided_doi = {Correction.ACCEPTED: proposed, Correction.EDITED: doi}.get(Correction(decision), "")
                row.decided_proposal = row.input if keeps_cell else proposed
            row.correction = find_row_correction(row).correction
            with follow_tasks(job, this_row):
                row.save(update_fields=(*DECISION_COLUMNS, "correction"))
    return row


def _is_as_seen(row: Row, by: Decider, seen: SeenState | None) -> bool:
    if seen is None:
        return not row.decision or row.decided_by == by.name
    return row.decided_at == seen.decided_at
