"""The last actions of a list's review, with the values that they replaced, to undo them."""

from datetime import datetime

from django.db.models import F, QuerySet, Value

from resolver.models import DecisionAction, EarlierDecision, Job, Row, raw_sql
from resolver.services.lookups.stored_columns import DECISION_COLUMNS

KEPT_ACTIONS = 500  # of a list
MANY_ROWS = 2000  # only the last action with more can be undone, so that repeated actions don't fill the disk
ROW_STATE = ("correction", *DECISION_COLUMNS)
"""The columns of a row that an action changes."""


def log_action(
    job: Job, decision: str, *parts: QuerySet[Row], line: int | None = None, name: str, now: datetime
) -> DecisionAction:
    """Store an action and the present state of its rows, which are in disjoint `parts`. The caller holds the lock of
    the job, and changes the rows afterwards."""
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
