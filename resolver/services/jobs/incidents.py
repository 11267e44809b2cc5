"""Incidents of a job: taken up by another worker, silent, waiting for another list, or without its file."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count, Q

from resolver.models import Chunk, Job, State
from resolver.services.health import shared_files
from resolver.services.jobs.chunk_claims import TO_BE_EMPTIED
from resolver.services.jobs.lifecycle import build_waiting_condition
from resolver.services.storage.storage_errors import FilesUnreachable
from resolver.services.uploads import stored_uploads

SILENT = timedelta(minutes=2)


@dataclass(frozen=True, slots=True)
class Incidents:
    """`taken_up`: chunks that a worker began and another continued. `to_be_emptied`: chunks of a retry whose rows still
    have their old outcome. `silent`: the time without a heartbeat, if it is long. `waits`: for another list with the
    same content. `file_is_gone`: for ever. `file_is_away`: no worker, or not this machine, can read it now."""

    taken_up: int
    to_be_emptied: int
    silent: timedelta | None
    waits: bool
    file_is_gone: bool
    file_is_away: bool


def find_incidents(job: Job, *, now: datetime) -> Incidents:
    """Return the incidents of the job. Two queries over chunks and jobs; two over heartbeats while its file is read."""
    counted = Chunk.objects.filter(job=job).aggregate(
        taken_up=Count("pk", filter=Q(attempts__gt=1) | Q(tried_line__isnull=False)),
        to_be_emptied=Count("pk", filter=Q(done=False, claim=TO_BE_EMPTIED)),
    )
    silent = now - (job.heartbeat_at or job.created_at)
    return Incidents(
        **counted,
        silent=silent if not job.ended and silent >= SILENT else None,
        waits=not job.ended and Job.objects.filter(build_waiting_condition(now), pk=job.pk).exists(),
        **_look_at_file(job, now),
    )


def _look_at_file(job: Job, now: datetime) -> dict[str, bool]:
    if not job.ended:
        unread = job.state in (State.QUEUED, State.READING)
        return {"file_is_gone": False, "file_is_away": unread and not shared_files.do_workers_reach_files(now)}
    try:
        return {"file_is_gone": bool(job.error) and not stored_uploads.is_stored(job.upload), "file_is_away": False}
    except FilesUnreachable:
        return {"file_is_gone": False, "file_is_away": True}
