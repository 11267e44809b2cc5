"""Progress bars of a command on a terminal; nothing if stderr is not a terminal."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread
from typing import Any
from uuid import UUID

from django.db import connection
from tqdm import tqdm

from resolver.models import Job


def progress_bar(description: str, *, leave: bool = False, **options: Any) -> "tqdm[None]":
    """Return a bar that counts what is passed to `update`, with the options of tqdm. It disappears unless `leave`."""
    shown = sys.stderr.isatty()
    # A terminal of unknown size reports 0 by 0, and tqdm would show nothing in it.
    width = (os.get_terminal_size(sys.stderr.fileno()).columns or 80) if shown else 80
    return tqdm(desc=description, file=sys.stderr, ncols=width, nrows=2, disable=not shown, leave=leave, **options)


@contextmanager
def show_check_progress(job_id: UUID, total: int) -> Iterator[None]:
    """Show how many rows of the job have an outcome, with rate and remaining time. The count is the job's own, because
    several processes may work on it."""
    if not sys.stderr.isatty():
        yield
        return
    ended = Event()
    # Rows that were checked while the file was read don't count for the rate.
    with progress_bar("Checking", total=total, unit=" rows", initial=_count_done(job_id), leave=True) as bar:
        watcher = Thread(target=_watch, args=(job_id, bar, ended), daemon=True)
        watcher.start()
        try:
            yield
        finally:
            ended.set()
            watcher.join()


def _count_done(job_id: UUID) -> int:
    return Job.objects.filter(pk=job_id).values_list("done", flat=True).first() or 0


def _watch(job_id: UUID, bar: "tqdm[None]", ended: Event) -> None:
    """Update the bar, in a thread with its own connection, and once more after the end."""
    try:
        last_time = False
        while not last_time:
            last_time = ended.wait(0.5)
            bar.update(_count_done(job_id) - bar.n)
    finally:
        connection.close()
