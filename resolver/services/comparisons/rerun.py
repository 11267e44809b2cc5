"""A list checked again: another run of the same file, asked afresh, and which runs there are."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from django.db.models import Q, QuerySet

from resolver.models import ENDED, Job
from resolver.services.jobs import lifecycle, uploads
from resolver.services.jobs.create import create_job
from resolver.services.proxy_answers.doi_proxy import DoiProxy
from resolver.sheets.input.read import Layout

PIECE = 1 << 20  # bytes
# Where these agree, line 7 of one run is line 7 of the other.
_READ_ALIKE = ("kind", "delimiter", "quoted", "has_header", "column", "gzipped", "sheet", "header_row")


class FileIsGone(Exception):
    """The uploaded file of the list is no longer there."""


@dataclass(frozen=True, slots=True)
class _Stored:
    """A stored upload as one that comes in."""

    path: Path

    def chunks(self) -> Iterable[bytes]:
        """Its bytes, piece by piece."""
        with self.path.open("rb") as file:
            while piece := file.read(PIECE):
                yield piece


def check_again(job: Job, *, proxy: DoiProxy, now: datetime) -> Job:
    """A new job of the same file, read in the same way, for which the proxy is asked anew whatever is stored; the old
    one stays as it is.

    Raises JobStillRunning where the list, or its newest run, has not ended: a second click makes no second run;
    FileIsGone where there is nothing to read. The caller starts `tasks.start_reading` once this is committed.
    """
    newest = max([job, *runs_of(job)[:1]], key=lambda run: (run.created_at, run.pk))
    lifecycle.need_ended(job, newest)
    # Two clicks at the same moment see the same newest run, so the second gets the job that the first has made.
    once = f"again after {newest.pk}"
    layout = Layout.from_json(job.layout)
    try:
        new, _ = create_job(
            _Stored(uploads.place(job.upload)),
            job.filename,
            owner=job.owner,
            proxy=proxy,
            now=now,
            column=job.requested_column,
            quick=job.quick,
            name=job.name,
            note=job.note,
            idempotency_key=once,
            layout=layout,
            rerun_of=first_run(job),
        )
    except FileNotFoundError as error:
        raise FileIsGone(job.filename) from error
    return new


def first_run(job: Job) -> Job:
    """The run that the others are linked with: the list itself, unless it is another run."""
    return job.rerun_of or job


def runs_of(job: Job) -> QuerySet[Job]:
    """The other lists of the same owner that are made of the same file, the newest first: by the link, or by the file's
    content, whoever uploaded it how often."""
    first = job.rerun_of_id or job.pk
    same = Q(rerun_of=first) | Q(pk=first)
    if job.digest:
        same |= Q(digest=job.digest)
    return Job.objects.filter(same, owner=job.owner).exclude(pk=job.pk).order_by("-created_at", "-pk")


def run_to_compare_with(runs: Iterable[Job], job: Job) -> Job | None:
    """The one before it, else the one after it, of those that have ended; `runs` come newest first."""
    ended = [run for run in runs if run.ended]
    before = [run for run in ended if (run.created_at, run.pk) < (job.created_at, job.pk)]
    after = [run for run in ended if (run.created_at, run.pk) > (job.created_at, job.pk)]
    return before[0] if before else after[-1] if after else None


def other_lists(job: Job, most: int) -> list[Job]:
    """The owner's lists of other files that have ended, newest first, at most so many."""
    ended = Job.objects.filter(owner=job.owner, state__in=ENDED).exclude(pk=job.pk)
    return list(ended.exclude(pk__in=runs_of(job).order_by().values("pk"))[:most])


def are_of_one_file(one: Job, other: Job) -> bool:
    """Whether the rows of both are the same lines of the same file, read in the same way."""
    linked = (one.rerun_of_id or one.pk) == (other.rerun_of_id or other.pk)
    same = one.digest == other.digest if one.digest and other.digest else linked
    return same and _read_as(one) == _read_as(other)


def _read_as(job: Job) -> list[object]:
    """By value: what an earlier version has stored may name fewer things, and mean the same."""
    layout = Layout.from_json(job.layout)
    return [getattr(layout, key) for key in _READ_ALIKE]
