"""Reruns: a list checked again by another job with the same file, and all runs of a file."""

from collections.abc import Collection, Iterable
from datetime import datetime
from uuid import UUID

from django.core.files import File
from django.db.models import Q, QuerySet

from resolver.models import ENDED, Job, WatchRun
from resolver.services.jobs import lifecycle
from resolver.services.jobs.create import NewList, copy_job, find_rerun
from resolver.services.proxy_answers.configured_proxy import DoiProxy
from resolver.services.uploads import stored_uploads
from resolver.sheets.input.layout import Layout

MOST_OFFERED = 50  # runs, or lists, to compare with a list
# Where these agree, line 7 of one run is line 7 of the other.
_READ_ALIKE = (
    "kind", "delimiter", "quoted", "has_header", "column", "gzipped", "sheet", "header_row", "instead", "split",
    "fields", "expected", "all_records",
)  # fmt: skip


def create_rerun(
    job: Job,
    *,
    proxy: DoiProxy,
    now: datetime,
    quick: bool | None = None,
    compare: bool = True,
    background_key: str = "",
) -> Job:
    """Return a new job with the same file, read in the same way. It takes no stored answers of the DOI proxy; the old
    job stays.

    `quick`: whether it asks Which RA alone; None: as the old one did. `compare`: whether works are compared, if the old
    one did. `background_key`: of a run that no person waits
    for; the same key returns the job that it made before.

    Raises JobStillRunning if the list or its newest run has not ended (a second click makes no second run), and
    FileIsGone. The caller starts `tasks.enqueue_job` once this is committed.
    """
    if earlier := find_rerun(job.owner, background_key):
        return earlier
    others = find_other_runs(job)
    if not background_key:  # a person doesn't wait for the run of a watch
        others = others.filter(background=False)
    newest = max([job, *others[:1]], key=lambda run: (run.created_at, run.pk))
    lifecycle.ensure_ended(job, newest)
    # Two clicks at the same moment see the same newest run, so the second gets the job of the first.
    key = background_key or f"again after {newest.pk}"
    with stored_uploads.get_upload_path(job.upload).open("rb") as file:
        new = NewList(
            owner=job.owner,
            sharer=job.sharer,
            filename=job.filename,
            quick=job.quick if quick is None else quick,
            name=job.name,
            note=job.note,
        )
        return copy_job(
            File(file), job, new, key=key, proxy=proxy, now=now, background=bool(background_key), compare=compare
        )


def find_other_runs(job: Job) -> QuerySet[Job]:
    """Return the owner's other lists of the same file, newest first: by the link, or by the file's content."""
    first = job.rerun_of_id or job.pk
    same = Q(rerun_of=first) | Q(pk=first)
    if job.digest:
        same |= Q(digest=job.digest)
    return Job.objects.filter(same, owner=job.owner).exclude(pk=job.pk).order_by("-created_at", "-pk")


def find_runs_of_watches(runs: Collection[Job]) -> set[UUID]:
    """Return those of the runs that a watch started. One query."""
    return set(WatchRun.objects.filter(job__in=[run.pk for run in runs]).values_list("job", flat=True))


def choose_run_to_compare(runs: Iterable[Job], job: Job) -> Job | None:
    """Return the run with which an ended one is compared if nothing else is chosen; `runs` come newest first.

    That is the run on whose page a person chose to check again, else the run before it, else the newest that was
    checked again from its own page, else the run after it. Runs of a watch and those of a person come after those of
    the same kind. None if no other has ended.
    """
    ended = [run for run in runs if run.ended]
    older = [run for run in ended if (run.created_at, run.pk) < (job.created_at, job.pk)]
    newer = [run for run in reversed(ended) if run not in older]
    before, after = (sorted(each, key=lambda run: run.background != job.background) for each in (older, newer))
    started_from = [run for run in older if run.pk == job.checked_from]
    started_here = [run for run in reversed(newer) if run.checked_from == job.pk]
    return next(iter((*started_from, *before, *started_here, *after)), None)


def find_other_lists(job: Job, most: int) -> list[Job]:
    """Return the owner's ended lists of other files, newest first, at most so many."""
    ended = Job.objects.filter(owner=job.owner, state__in=ENDED).exclude(pk=job.pk)
    return list(ended.exclude(pk__in=find_other_runs(job).order_by().values("pk"))[:most])


def are_of_one_file(one: Job, other: Job) -> bool:
    """Return whether the rows of both are the same lines of the same file, read in the same way."""
    linked = (one.rerun_of_id or one.pk) == (other.rerun_of_id or other.pk)
    same = one.digest == other.digest if one.digest and other.digest else linked
    return same and _read_as(one) == _read_as(other)


def _read_as(job: Job) -> list[object]:
    """Return the settings by which the job's file is read; earlier versions stored fewer, so Layout has defaults."""
    layout = Layout.from_json(job.layout)
    return [getattr(layout, key) for key in _READ_ALIKE]
