"""The last actions of a list's review, with what they replaced: enough to undo them, and no more."""

from collections.abc import Sequence
from datetime import datetime

from django.db.models import F, QuerySet, Value

from resolver.models import DecisionAction, EarlierDecision, Job, Row, raw_sql
from resolver.services.lookups.stored_columns import DECISION_COLUMNS

KEPT = 500  # actions of a list
MANY = 2000  # rows; only the last action with more can be undone, so that nobody fills the disk with repeated ones
ROW_STATE = ("correction", *DECISION_COLUMNS)
"""The columns of a row that an action changes."""


def log_action(
    job: Job, decision: str, *parts: QuerySet[Row], line: int | None = None, name: str, now: datetime
) -> DecisionAction:
    """Store an action and the present state of its rows, which come in disjoint `parts`. The caller holds the lock of
    the job, and changes the rows after it."""
    action = DecisionAction.objects.create(job=job, decision=decision, rows=0, line=line, made_by=name, made_at=now)
    for part in parts:
        source = part.order_by().annotate(of_action=Value(action.pk)).values_list("of_action", "line", *ROW_STATE)
        action.rows += raw_sql.insert_from(EarlierDecision, ("action", "line", *ROW_STATE), source)
    action.save(update_fields=["rows"])
    _forget(action)
    mark_change(job)
    return action


def mark_change(job: Job) -> None:
    """Let the version of the list's review grow. The actions can't tell it: old ones are removed, and undone ones."""
    Job.objects.filter(pk=job.pk).update(review_version=F("review_version") + 1)


def find_last_action(job: Job) -> DecisionAction | None:
    """Return the action that an undo takes back; None for none. One query."""
    return DecisionAction.objects.filter(job=job).order_by("-pk").first()


def _forget(action: DecisionAction) -> None:
    """Remove actions that can't be undone any more."""
    others = DecisionAction.objects.filter(job=action.job_id).exclude(pk=action.pk)
    beyond: Sequence[int] = list(others.order_by("-pk").values_list("pk", flat=True)[KEPT - 1 :][:100])
    others.filter(pk__in=beyond).delete()
    if action.rows > MANY:
        others.filter(rows__gt=MANY).delete()
