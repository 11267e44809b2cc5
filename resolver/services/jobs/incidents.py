"""What happened to a job beside its usual course: taken up again, silent, waiting, or without its file."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count, Q

from resolver.models import Chunk, Job
from resolver.services.jobs import uploads
from resolver.services.jobs.chunk_claims import TO_BE_EMPTIED
from resolver.services.jobs.lifecycle import build_waiting_condition

SILENT = timedelta(minutes=2)


@dataclass(frozen=True, slots=True)
class Incidents:
    """`taken_up`: chunks that a worker began and another continued. `to_be_emptied`: chunks of a retry whose rows still
    show their old outcome. `silent`: the time without a heartbeat, if it is long. `waits`: for another list with the
    same content. `file_is_gone`: nothing more can be read."""

    taken_up: int
    to_be_emptied: int
    silent: timedelta | None
    waits: bool
    file_is_gone: bool


def find_incidents(job: Job, *, now: datetime) -> Incidents:
    """Return what happened to the job beside its usual course. Two queries: over its chunks, and over open jobs."""
    counted = Chunk.objects.filter(job=job).aggregate(
        taken_up=Count("pk", filter=Q(attempts__gt=1) | Q(tried_line__isnull=False)),
        to_be_emptied=Count("pk", filter=Q(done=False, claim=TO_BE_EMPTIED)),
    )
    silent = now - (job.heartbeat_at or job.created_at)
    return Incidents(
        **counted,
        silent=silent if not job.ended and silent >= SILENT else None,
        waits=not job.ended and Job.objects.filter(build_waiting_condition(now), pk=job.pk).exists(),
        file_is_gone=not uploads.get_upload_path(job.upload).exists(),
    )
