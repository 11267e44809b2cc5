"""A second check of chosen rows of an ended job: the job goes on with these, and keeps the results of all others."""

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction
from django.db.models import Count, Exists, F, OuterRef

from resolver.models import Chunk, Job, Row, State
from resolver.services.jobs.lifecycle import ensure_ended
from resolver.services.jobs.row_results import COUNTED, COUNTED_BY, add_to_counts
from resolver.services.lookups.stored_columns import UNCHECKED_COLUMNS
from resolver.services.proxy_answers.configured_proxy import DoiProxy

AT_ONCE = 400  # rows emptied in one transaction


def recheck_rows(job: Job, lines: Sequence[int], *, proxy: DoiProxy, now: datetime) -> None:
    """Empty the rows of these lines and start the job again at that proxy; stored answers don't count. If it is
    interrupted, the same call goes on.

    Raises JobStillRunning, or Job.DoesNotExist if it was deleted. The caller starts `tasks.enqueue_job` once this is
    committed; else the sweep does.
    """
    for start in range(0, len(lines), AT_ONCE):
        with transaction.atomic():
            held = _hold(job)
            rows = Row.objects.filter(job=held, line__in=lines[start : start + AT_ONCE]).exclude(outcome="")
            kinds = rows.order_by().values_list(*COUNTED_BY).annotate(rows=Count("pk"))
            add_to_counts(held, ((*kind, -number) for *kind, number in kinds))
            held.counts.pop("host", None)
            rows.update(**{**UNCHECKED_COLUMNS, "correction": F("decision")})
            held.save(update_fields=COUNTED)
    with transaction.atomic():
        held = _hold(job)
        unasked = Row.objects.filter(
            job=OuterRef("job"), line__range=(OuterRef("first_line"), OuterRef("last_line")), outcome=""
        )
        free = {"done": False, "claim": "", "claimed_until": None, "attempts": 0, "tried_line": None}
        if Chunk.objects.filter(Exists(unasked), job=held).update(**free):
            held.state, held.finished_at, held.prechecking = State.CHECKING, None, False
        held.fresh_since = held.heartbeat_at = now
        held.proxy = proxy.base_url
        held.save(update_fields=("state", "finished_at", "prechecking", "fresh_since", "heartbeat_at", "proxy"))
    job.refresh_from_db()


def _hold(job: Job) -> Job:
    """Return the job under its lock: every writer of rows takes it first."""
    held = Job.objects.select_for_update().get(pk=job.pk)
    ensure_ended(held)
    return held
