"""What happened to a job beside its plain course: for the page, which tells it."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count, Q

from resolver.models import Chunk, Job
from resolver.services.jobs import uploads
from resolver.services.jobs.chunk_claims import TO_BE_EMPTIED
from resolver.services.jobs.scheduler import is_waiting_for_identical_job

SILENT = timedelta(minutes=2)


@dataclass(frozen=True, slots=True)
class Incidents:
    """`taken_up`: chunks that a worker began and another had to go on with. `to_be_emptied`: chunks taken up again with
    rows that still show their old outcome. `silent`: for how long nothing was written, if it is long. `waits`: for
    another list with the same content. `file_is_gone`: nothing more can be read."""

    taken_up: int
    to_be_emptied: int
    silent: timedelta | None
    waits: bool
    file_is_gone: bool


def find_incidents(job: Job, *, now: datetime) -> Incidents:
    """Two queries: over the chunks, a thousandth of the rows and less, and over the lists that are open."""
    counted = Chunk.objects.filter(job=job).aggregate(
        taken_up=Count("pk", filter=Q(attempts__gt=1) | Q(tried_line__isnull=False)),
        to_be_emptied=Count("pk", filter=Q(done=False, claim=TO_BE_EMPTIED)),
    )
    silent = now - (job.heartbeat_at or job.created_at)
    return Incidents(
        **counted,
        silent=silent if not job.ended and silent >= SILENT else None,
        waits=is_waiting_for_identical_job(job, now),
        file_is_gone=not uploads.place(job.upload).exists(),
    )
