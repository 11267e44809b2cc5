"""The last actions of a list's review, with the values that they replaced, and the undo of the last one."""

from datetime import datetime

from django.db import transaction
from django.db.models import F, QuerySet, Value

from resolver.domain.report.correction import find_row_correction
from resolver.models import DecisionAction, EarlierDecision, Job, Row, raw_sql
from resolver.services.jobs.lifecycle import lock_ended_job
from resolver.services.lookups.stored_results import DECISION_COLUMNS, drop_outdated_decision
from resolver.services.results.task_counts import follow_tasks
from resolver.services.storage.keyset import iterate_batches

KEPT_ACTIONS = 500  # of a list
ROWS_OF_A_STATEMENT = 2000  # of an action on many rows: few statements for 100,000 rows
MANY_ROWS = 2000  # only the last action with more can be undone, so that repeated actions don't fill the disk
ROW_STATE = ("correction", *DECISION_COLUMNS)
"""The columns of a row that an action changes."""
_READ = (
    "line", "input", "outcome", "doi", "problem_codes", "suggestion", "doubtful", "alias_of", "also_registered",
    "incomplete",
)  # fmt: skip


class NothingToUndo(Exception):
    """The action is no longer the last one. Nothing was stored."""


def log_action(
    job: Job, decision: str, *parts: QuerySet[Row], line: int | None = None, name: str, now: datetime
) -> DecisionAction:
    """Store an action and the present state of its rows, which are in disjoint `parts`. The caller holds the lock of
    the job, and then changes the rows."""
    action = DecisionAction.objects.create(job=job, decision=decision, rows=0, line=line, made_by=name, made_at=now)
    for part in parts:
        source = part.order_by().annotate(of_action=Value(action.pk)).values_list("of_action", "line", *ROW_STATE)
        action.rows += raw_sql.insert_from(EarlierDecision, ("action", "line", *ROW_STATE), source)
    action.save(update_fields=["rows"])
    others = DecisionAction.objects.filter(job=job).exclude(pk=action.pk)
    too_old = list(others.order_by("-pk").values_list("pk", flat=True)[KEPT_ACTIONS - 1 :][:100])
    others.filter(pk__in=too_old).delete()
    if action.rows > MANY_ROWS:
        others.filter(rows__gt=MANY_ROWS).delete()
    mark_change(job)
    return action


def mark_change(job: Job) -> None:
    """Increase the version of the list's review. It isn't the number of actions: old and undone ones are removed."""
    Job.objects.filter(pk=job.pk).update(review_version=F("review_version") + 1)


def find_last_action(job: Job) -> DecisionAction | None:
    """Return the action that can be undone; None if there is none. One query."""
    return DecisionAction.objects.filter(job=job).order_by("-pk").first()


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
        for entries in iterate_batches(EarlierDecision.objects.filter(action=action), ("line",), ROWS_OF_A_STATEMENT):
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
    keys = [row.pk for row in rows]
    with follow_tasks(job, Row.objects.filter(pk__in=keys)):
        raw_sql.copy_columns(Row, keys, ROW_STATE, EarlierDecision, on="line", same=("action", action.pk))
        raw_sql.update_rows(changed, ROW_STATE)


def _differs(row: Row, entry: EarlierDecision) -> bool:
    """Give the row, which is not saved, its state after the undo. Return whether that differs from its earlier one."""
    for name in DECISION_COLUMNS:
        setattr(row, name, getattr(entry, name))
    drop_outdated_decision(row)
    row.correction = find_row_correction(row).correction
    return any(getattr(row, name) != getattr(entry, name) for name in ROW_STATE)
