"""A progress bar on a terminal, fed from the job's own count: a chunk takes too long to be a step."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread
from uuid import UUID

from django.db import connection
from tqdm import tqdm

from resolver.models import Job

EVERY = 0.5


@contextmanager
def progress(job_id: UUID, total: int) -> Iterator[None]:
    """Show how many rows of the job are done, with rate and time left; nothing where stderr is no terminal."""
    if not sys.stderr.isatty():
        yield
        return
    ended = Event()
    # A terminal that does not know its size says 0 by 0, and tqdm would show nothing in that.
    width = os.get_terminal_size(sys.stderr.fileno()).columns or 80
    with tqdm(total=total, unit=" rows", file=sys.stderr, ncols=width, nrows=2) as bar:
        watcher = Thread(target=_watch, args=(job_id, bar, ended), daemon=True)
        watcher.start()
        try:
            yield
        finally:
            ended.set()
            watcher.join()


def _watch(job_id: UUID, bar: "tqdm[None]", ended: Event) -> None:
    """Runs in a thread, with a connection of its own; looks once more after the end."""
    try:
        last_time = False
        while not last_time:
            last_time = ended.wait(EVERY)
            done = Job.objects.filter(pk=job_id).values_list("done", flat=True).first()
            bar.update((done or 0) - bar.n)
    finally:
        connection.close()
