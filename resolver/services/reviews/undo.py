"""Undo of the last action: its rows get back their earlier state."""

from django.db import transaction

from resolver.domain.report.correction import find_row_correction
from resolver.models import DecisionAction, EarlierDecision, Job, Row, raw_sql
from resolver.services.jobs.lifecycle import lock_ended_job
from resolver.services.lookups.stored_columns import DECISION_COLUMNS, drop_outdated_decision
from resolver.services.reviews.action_log import ROW_STATE, find_last_action, mark_change
from resolver.services.storage.keyset import iterate_batches

_READ = (
    "line", "input", "outcome", "doi", "problem_codes", "suggestion", "doubtful", "alias_of", "also_registered",
    "incomplete",
)  # fmt: skip


class NothingToUndo(Exception):
    """The action is no longer the last one. Nothing was stored."""


def undo_action(job: Job, action_id: int) -> DecisionAction:
    """Undo and delete the last action of the list, if it still is the one with this id. Return it.

    A row that has changed since the action (another check has dropped its decision) stays as it is. Raises
    NothingToUndo, JobStillRunning and Job.DoesNotExist.
    """
    with transaction.atomic():
        job = lock_ended_job(job.pk)
        action = find_last_action(job)
        if action is None or action.pk != action_id:
            raise NothingToUndo
        for entries in iterate_batches(EarlierDecision.objects.filter(action=action), ("line",)):
            _restore(job, action, entries)
        EarlierDecision.objects.filter(action=action).delete()
        DecisionAction.objects.filter(pk=action.pk).delete()
        mark_change(job)
    return action


def _restore(job: Job, action: DecisionAction, entries: list[EarlierDecision]) -> None:
    """Give the rows of these entries, which are in line order, their earlier state: in one statement, and in another
    those that were checked since and get a different state."""
    by_line = {entry.line: entry for entry in entries}
    # A range, no list of lines: PostgreSQL would search a list for each row while it has no statistics.
    left = Row.objects.filter(job=job, line__range=(entries[0].line, entries[-1].line), decision=action.decision)
    if action.decision:
        left = left.filter(decided_at=action.made_at)
    rows = [row for row in left.only(*_READ) if row.line in by_line]
    changed = [row for row in rows if _differs(row, by_line[row.line])]
    raw_sql.copy_columns(
        Row, [row.pk for row in rows], ROW_STATE, EarlierDecision, on="line", same=("action", action.pk)
    )
    raw_sql.update_rows(changed, ROW_STATE)


def _differs(row: Row, entry: EarlierDecision) -> bool:
    """Give the row, which is not saved, its state after the undo. Return whether that differs from its earlier one."""
    for name in DECISION_COLUMNS:
        setattr(row, name, getattr(entry, name))
    drop_outdated_decision(row)
    row.correction = find_row_correction(row).correction
    return any(getattr(row, name) != getattr(entry, name) for name in ROW_STATE)
