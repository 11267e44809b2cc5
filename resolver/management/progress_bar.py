"""Progress bars of a command on a terminal; nothing if stderr is not a terminal."""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread
from typing import Any
from uuid import UUID

from django.db import connection
from tqdm import tqdm

from resolver.models import Job

EVERY = 0.5
Step = Callable[[int], object]


@contextmanager
def show_detection(name: str) -> Iterator[None]:
    """Say that the file is being examined, which has no steps to count."""
    with _bar(desc=f"Looking at {name}", bar_format="{desc} …", leave=False):
        yield


@contextmanager
def show_input() -> Iterator[Step]:
    """Show the bytes read from standard input, whose length is unknown. Yield the function that adds a number."""
    with _bar(desc="Standard input", unit="B", unit_scale=True, leave=False) as bar:
        yield bar.update


@contextmanager
def show_reading(total: int | None) -> Iterator[Step]:
    """Show the rows read, out of `total` (None: unknown). Yield the function that adds a number."""
    with _bar(desc="Reading", total=total, unit=" rows", leave=False) as bar:
        # The last chunk is usually smaller than the number that is added for it.
        yield lambda rows: bar.update(rows if total is None else min(rows, total - bar.n))


@contextmanager
def show_check(job_id: UUID, total: int) -> Iterator[None]:
    """Show how many rows of the job have an outcome, with rate and remaining time. The count is the job's own, because
    several processes may work on it."""
    if not sys.stderr.isatty():
        yield
        return
    ended = Event()
    # Rows that were checked while the file was read don't count for the rate.
    with _bar(desc="Checking", total=total, unit=" rows", initial=_done(job_id)) as bar:
        watcher = Thread(target=_watch, args=(job_id, bar, ended), daemon=True)
        watcher.start()
        try:
            yield
        finally:
            ended.set()
            watcher.join()


def _bar(**options: Any) -> "tqdm[None]":
    shown = sys.stderr.isatty()
    # A terminal of unknown size reports 0 by 0, and tqdm would show nothing in it.
    width = (os.get_terminal_size(sys.stderr.fileno()).columns or 80) if shown else 80
    return tqdm(file=sys.stderr, ncols=width, nrows=2, disable=not shown, **options)


def _done(job_id: UUID) -> int:
    return Job.objects.filter(pk=job_id).values_list("done", flat=True).first() or 0


def _watch(job_id: UUID, bar: "tqdm[None]", ended: Event) -> None:
    """Update the bar, in a thread with its own connection, and once more after the end."""
    try:
        last_time = False
        while not last_time:
            last_time = ended.wait(EVERY)
            bar.update(_done(job_id) - bar.n)
    finally:
        connection.close()
