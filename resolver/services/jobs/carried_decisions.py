"""A person's decisions in an earlier run of the same list: a rerun takes them over where nothing has changed."""

from collections.abc import Sequence

from django.db.models import Q

from resolver.domain.report.correction import PERSONAL
from resolver.models import HAS_RARE_CORRECTION, DecisionAction, Job, Row, State
from resolver.services.lookups.stored_columns import DECISION_COLUMNS


def carry_decisions(job: Job, rows: Sequence[Row]) -> list[Row]:
    """Give rows of a rerun the decisions of the same lines with the same text in the finished run before it. Return the
    rows that have a decision. They are not saved yet, and `fill_row` drops a decision about another proposal.

    At most three queries, and none unless the job is a rerun. Once a person has decided in this run, nothing is carried
    over: a decision that was taken back does not return with a retry.
    """
    if rows and job.rerun_of_id and not DecisionAction.objects.filter(job=job).exists():
        _carry(job, rows)
    return [row for row in rows if row.decision]


def _carry(job: Job, rows: Sequence[Row]) -> None:
    runs = Job.objects.filter(
        Q(pk=job.rerun_of_id) | Q(rerun_of=job.rerun_of_id), owner=job.owner, state=State.FINISHED
    )
    runs = runs.filter(created_at__lt=job.created_at).order_by("-created_at", "-pk")
    earlier = runs.values_list("pk", flat=True).first()
    if earlier is None:
        return
    lines = [row.line for row in rows]
    decided = Row.objects.filter(HAS_RARE_CORRECTION, job=earlier, correction__in=PERSONAL)
    decided = decided.filter(line__range=(min(lines), max(lines))).only("line", "input", *DECISION_COLUMNS)
    by_line = {row.line: row for row in decided}
    for row in rows:
        before = by_line.get(row.line)
        if before is not None and before.input == row.input and not row.decision:
            for name in DECISION_COLUMNS:
                setattr(row, name, getattr(before, name))
