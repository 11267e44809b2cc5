"""What becomes of a job: described, cancelled, finished, deleted. Its rows are read by `import_rows.py`, and checked by
`check.py`."""

import uuid
from datetime import datetime

from django.db import transaction
from django.db.models import Case, Exists, OuterRef, Value, When

from resolver.models import ENDED, Chunk, Job, State
from resolver.services.jobs import uploads

LONGEST_NAME = 200  # characters of what a job is called; the faces refuse more
LONGEST_NOTE = 2000


class JobStillRunning(Exception):
    """Something is wanted that only a job that has ended can give; `job` is the one that still runs."""

    def __init__(self, job: Job) -> None:
        super().__init__(f"job {job.pk} is {job.state}")
        self.job = job


def need_ended(*jobs: Job) -> None:
    """Raise JobStillRunning for the first of these that has not ended."""
    for job in jobs:
        if not job.ended:
            raise JobStillRunning(job)


def describe(job: Job, *, name: str | None = None, note: str | None = None) -> None:
    """Change what its owner calls the job, and what they noted about it; None leaves it as it is. Raises
    Job.DoesNotExist where it was deleted meanwhile."""
    given = {"name": name, "note": note}
    columns = {column: text for column, text in given.items() if text is not None}
    if columns:
        Job.objects.filter(pk=job.pk).update(**columns)
        job.refresh_from_db()


def cancel(job: Job, *, now: datetime) -> bool:
    """Stop the job; rows not asked yet keep an empty outcome. Whether there was anything left to stop. Raises
    Job.DoesNotExist where it was deleted meanwhile."""
    stopped = Job.objects.filter(pk=job.pk).exclude(state__in=ENDED).update(state=State.CANCELLED, finished_at=now)
    job.refresh_from_db()
    return bool(stopped)


def delete(job: Job) -> None:
    """Remove the job, its rows and its upload; whoever works on it finds it gone and stops."""
    with transaction.atomic():
        # Writers of rows hold this lock too: none can write while the rows are being removed.
        Job.objects.select_for_update().filter(pk=job.pk).first()
        transaction.on_commit(lambda: uploads.forget(job.upload))
        Job.objects.filter(pk=job.pk).delete()


def finish_if_done(job_id: uuid.UUID, now: datetime) -> bool:
    """checking → finished, when no chunk is undone; → failed, where a line could not be read before (`retry.py`)."""
    undone = Chunk.objects.filter(job=OuterRef("pk"), done=False)
    checking = Job.objects.filter(~Exists(undone), pk=job_id, state=State.CHECKING)
    state = Case(When(error="", then=Value(State.FINISHED)), default=Value(State.FAILED))
    return bool(checking.update(state=state, finished_at=now))


def end_survey_if_done(job_id: uuid.UUID) -> bool:
    """From Which RA for the whole list to its records, when the file is read and no chunk is unsurveyed."""
    unsurveyed = Chunk.objects.filter(job=OuterRef("pk"), done=False, surveyed=False)
    surveying = Job.objects.filter(~Exists(unsurveyed), pk=job_id, state=State.CHECKING, surveying=True)
    return bool(surveying.update(surveying=False))
