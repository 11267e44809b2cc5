"""A file of results that is being taken away while somebody takes the job up again, or deletes it."""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TypeVar

from resolver.models import Job

Taken = TypeVar("Taken")

AT_ONCE = 1000


class TakenUpAgain(Exception):
    """The job runs again, or is gone: what is left of its rows is no longer what the file began with."""


def steady(job: Job, rows: Iterable[Taken]) -> Iterator[Taken]:
    """The rows of a job that has ended, as long as it stays as it is; else raises TakenUpAgain before the first row
    that may be another.

    A file that breaks off shows as broken; one that goes on with emptied rows would look whole. A transaction around
    the whole download would give it all, but hold back for hours what a database cleans up.
    """
    source = iter(rows)
    while some := list(islice(source, AT_ONCE)):
        # After these rows were fetched: rows are only emptied once the job runs again.
        if not Job.objects.filter(pk=job.pk, state=job.state, finished_at=job.finished_at).exists():
            raise TakenUpAgain(f"job {job.pk} was taken up again or deleted during a download")
        yield from some
