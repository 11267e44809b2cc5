"""The life of a job: described, cancelled, finished, deleted; and the condition that keeps it waiting."""

import math
import time
import uuid
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Case, Exists, F, OuterRef, Q, QuerySet, Value, When

from resolver.models import (
    ENDED,
    CheckedHost,
    Chunk,
    DecisionAction,
    EarlierDecision,
    HostCheck,
    Job,
    Row,
    State,
    Watch,
)
from resolver.services.jobs.host_counts import count_hosts
from resolver.services.storage.batched_removal import (
    lock_rows,
    remove_comparisons_of,
    remove_in_batches,
    remove_watches,
)
from resolver.services.storage.clock import read_clock
from resolver.services.storage.leases import LEASE, TURN_SECONDS, Clock, LeaseColumns
from resolver.services.uploads import stored_uploads
from resolver.services.webhooks import events

# Characters of a list's description, and of a watch's name; the faces refuse more.
NAME_LENGTH = 200
NOTE_LENGTH = 2000
WORKED_ON = 6 * LEASE  # since the last heartbeat of a job: after it, no worker is expected any more
OUTLIVED = "outlived"  # the owner of lists that are being removed
_REMOVALS = LeaseColumns("reader", "read_until")  # the file of a deleted list is never read
OPEN = [state for state in State if state not in ENDED]


class JobStillRunning(Exception):
    """Something was requested that only an ended job has; `job` still runs."""

    def __init__(self, job: Job) -> None:
        super().__init__(f"job {job.pk} is {job.state}")
        self.job = job


def ensure_ended(*jobs: Job) -> None:
    """Raise JobStillRunning for the first of these that has not ended."""
    for job in jobs:
        if not job.ended:
            raise JobStillRunning(job)


def lock_ended_job(pk: uuid.UUID) -> Job:
    """Return the job under the lock that writers of rows take first. Raises JobStillRunning and Job.DoesNotExist."""
    job = Job.objects.select_for_update().get(pk=pk)
    ensure_ended(job)
    return job


def update_description(job: Job, *, name: str | None = None, note: str | None = None) -> None:
    """Change the name or the note of the job; None leaves it. Raise Job.DoesNotExist if it was deleted."""
    columns = {column: text for column, text in (("name", name), ("note", note)) if text is not None}
    if columns:
        Job.objects.filter(pk=job.pk).update(**columns)
        job.refresh_from_db()


def cancel_job(job: Job, *, now: datetime) -> bool:
    """Stop the job, and leave rows unchecked. Return whether it still ran. Raise Job.DoesNotExist if it was deleted."""
    with transaction.atomic():
        stopped = Job.objects.filter(pk=job.pk).exclude(state__in=ENDED).update(state=State.CANCELLED, finished_at=now)
        job.refresh_from_db()
        if stopped:
            events.record_end(job.pk, now)
    return bool(stopped)


def disown_job(job: Job) -> None:
    """Hide the job from its owner, stop its workers and end its watches. A worker removes its rows: the caller starts
    `tasks.start_removals` once this is committed, else the sweep does."""
    with transaction.atomic():
        remove_watches(Watch.objects.filter(job=job))  # first: a worker that advances one may lock lists, too
        disown_jobs(Job.objects.filter(pk=job.pk))


def disown_jobs(jobs: QuerySet[Job]) -> None:
    """Take the jobs from their owners. Running ones are cancelled, without an event for a webhook. A worker that reads
    a file loses its lease, so that another can take the job to remove it."""
    stopped = Case(When(state__in=OPEN, then=Value(State.CANCELLED)), default=F("state"))
    jobs.update(
        owner=OUTLIVED, sharer="", idempotency_key="", share_token="", state=stopped, reader="", read_until=None
    )


def reserve_deleted(now: datetime) -> list[uuid.UUID]:
    """Return the next deleted job to remove, once a minute and unless a worker removes it, for a message to be sent."""
    return _REMOVALS.reserve(Job.objects.filter(pk__in=_list_removals_under_way()), now)


def remove_for_turn(job_id: uuid.UUID, *, clock: Clock = read_clock) -> bool:
    """Remove a deleted job for TURN_SECONDS, if it is free and comes first. Return whether more is left."""
    lease = None
    if job_id in _list_removals_under_way():
        lease = _REMOVALS.take(Job.objects.filter(pk=job_id, owner=OUTLIVED), clock())
    if lease is None:
        return False
    try:
        with lease.keep(clock):
            return not _remove(lease.row, time.monotonic() + TURN_SECONDS)
    finally:
        lease.give_back()


def _list_removals_under_way() -> list[uuid.UUID]:
    # One at a time: no person waits for removals, and lists keep their share of the workers.
    return list(Job.objects.filter(owner=OUTLIVED).order_by("created_at", "pk").values_list("pk", flat=True)[:1])


def delete_job(job: Job) -> None:
    """Remove the job, its rows and its upload now. It is hidden at once. The sweep completes interrupted removals."""
    disown_job(job)
    _remove(job, math.inf)


def _remove(job: Job, until: float) -> bool:
    """Remove the job in small steps until that time (monotonic seconds). Return whether it is removed."""
    if not remove_comparisons_of(job, until=until):
        return False
    earlier = EarlierDecision.objects.filter
    parts: list[tuple[QuerySet[Any], str]] = [
        (CheckedHost.objects.filter(host_check__job=job), "name"),
        *((earlier(action=action), "line") for action in DecisionAction.objects.filter(job=job)),
        (Row.objects.filter(job=job), "line"),
    ]
    if not all(remove_in_batches(found, column, until=until) for found, column in parts):
        return False
    with transaction.atomic():
        # Writers of rows hold this lock too: none can write while the last rows are being removed.
        lock_rows(Job.objects.filter(pk=job.pk))
        lock_rows(HostCheck.objects.filter(job=job))
        transaction.on_commit(lambda: stored_uploads.delete_upload(job.upload))
        Job.objects.filter(pk=job.pk).delete()
    return True


def finish_if_done(job_id: uuid.UUID, now: datetime) -> bool:
    """Change checking to finished if every chunk is done, or to failed if a line could not be read (`retry.py`)."""
    undone = Chunk.objects.filter(job=OuterRef("pk"), done=False)
    checking = Job.objects.filter(~Exists(undone), pk=job_id, state=State.CHECKING)
    state = Case(When(error="", then=Value(State.FINISHED)), default=Value(State.FAILED))
    with transaction.atomic():
        finished = bool(checking.update(state=state, finished_at=now))
        if finished:
            events.record_end(job_id, now)
    if finished and (job := Job.objects.filter(pk=job_id).first()):  # else it was deleted meanwhile
        count_hosts(job)
    return finished


def end_precheck_if_done(job_id: uuid.UUID) -> bool:
    """Let the check of the records begin if the file is read and every chunk is prechecked."""
    left = Chunk.objects.filter(job=OuterRef("pk"), done=False, prechecked=False)
    prechecking = Job.objects.filter(~Exists(left), pk=job_id, state=State.CHECKING, prechecking=True)
    return bool(prechecking.update(prechecking=False))


def build_waiting_condition(now: datetime) -> Q:
    """Return the condition of jobs that wait for an older running one with the same file and the same check. The older
    one never waits for the younger one, so there is no circle. The sub-query reads only jobs with that file."""
    same = {column: OuterRef(column) for column in ("digest", "column", "quick", "proxy")}
    urgent = Q(background=False) | Q(background=OuterRef("background"))  # no person waits for the run of a watch
    older = Q(created_at__lt=OuterRef("created_at")) | Q(created_at=OuterRef("created_at"), pk__lt=OuterRef("pk"))
    alive = Job.objects.filter(older, urgent, state__in=OPEN, heartbeat_at__gte=now - WORKED_ON, **same)
    return ~Q(digest="") & Q(Exists(alive))
