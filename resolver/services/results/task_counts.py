"""The numbers of a list's rows by task: kept with the list, so that no page and no program waits for a count."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from django.db.models import Count, QuerySet

from resolver.domain.report.row_task import OF_WORKS, TASKS, RowTask, add_to_tasks
from resolver.models import Job, Row
from resolver.services.jobs.row_readings import compares_works, has_expected_addresses
from resolver.services.results.row_queries import count_unread_rows


def count_tasks(job: Job) -> Mapping[str, int]:
    """Return the rows of each task that the list has, in the order of TASKS: as many as the filter by task finds. At
    most one query, unless the list is of an earlier version: its rows are counted once, and not while it runs, when
    nothing is returned."""
    if job.task_counts is None and not job.ended:
        return {}
    counts = job.task_counts if job.task_counts is not None else _count_once(job)
    without_outcome = max(0, job.total - job.done - count_unread_rows(job))
    return {
        str(task): counts.get(task, 0) + (without_outcome if task is RowTask.UNCHECKED else 0)
        for task in TASKS
        if (task is not RowTask.ELSEWHERE or has_expected_addresses(job))
        and (task not in OF_WORKS or compares_works(job))
    }


@contextmanager
def follow_tasks(job: Job, *parts: QuerySet[Row]) -> Iterator[None]:
    """Keep the counts right while a decision changes the corrections of these rows: disjoint `parts`, found by what
    doesn't change. The caller holds the lock of the job, and has read it under the lock."""
    if job.task_counts is None:
        yield
        return
    for part in parts:
        _add(job.task_counts, part, -1)
    yield
    for part in parts:
        _add(job.task_counts, part, 1)
    job.save(update_fields=["task_counts"])


def _count_once(job: Job) -> Mapping[str, int]:
    """Count the rows of an ended list, and store the counts unless it has changed meanwhile."""
    counts: dict[str, int] = {}
    _add(counts, Row.objects.filter(job=job), 1)
    same = {name: getattr(job, name) for name in ("pk", "state", "finished_at", "review_version", "done")}
    if Job.objects.filter(**same).update(task_counts=counts):
        job.task_counts = counts
    return counts


def _add(counts: dict[str, int], rows: QuerySet[Row], sign: int) -> None:
    columns = ("outcome", "correction", "problem_codes", "address", "work", "found_by")
    names = ("outcome", "correction", "problems", "address", "work", "found_by")
    for *values, number in rows.order_by().values_list(*columns).annotate(rows=Count("pk")):
        add_to_tasks(counts, sign * number, **dict(zip(names, values, strict=True)))
