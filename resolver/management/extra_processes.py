"""Extra processes of a command that check the chunks of its job, like the worker processes of a portal.

A single process has one core, and loses time at the end of each chunk, when it waits for the last answers without
requests in flight. The claims in the database assign the chunks, so the command doesn't distribute them.
"""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import get_context
from uuid import UUID

import django


def count_extra_processes(rows: int, rate: float | None) -> int:
    """Return how many extra processes are worth starting for so many rows at that rate (0, None: no limit)."""
    # Starting a process takes one second. From so many rows on there are several chunks and some seconds of work for
    # each, and at a lower rate than this one process has time for all requests.
    is_long, is_slow = rows >= 2000, 0 < (rate or 0) < 100
    if not is_long or is_slow:
        return 0
    return min((os.cpu_count() or 1) - 1, 3)


@contextmanager
def run_extra_processes(job_id: UUID, number: int) -> Iterator[None]:
    """Run this number of processes that check chunks of the job, until it has ended or the block ends."""
    # Each is a new interpreter: a fork would share the connections of this process and lack its threads.
    context = get_context("spawn")
    started = [context.Process(target=_check, args=(job_id, os.getpid()), daemon=True) for _ in range(number)]
    for process in started:
        process.start()
    try:
        yield
    finally:
        # After Ctrl-C they may be waiting for the proxy. Results that they have not written by now are dropped.
        for process in started:
            process.terminate()
        for process in started:
            process.join()


def _check(job_id: UUID, command: int) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the command itself handles Ctrl-C
    django.setup()
    # Modules with models may only be imported after `setup`.
    from resolver.management.check_chunks import check_free_chunks
    from resolver.services.proxy_answers.configured_proxy import proxy_from_settings

    # A killed command can't end its extra processes, so they watch for it.
    check_free_chunks(job_id, proxy_from_settings(), may_continue=lambda: os.getppid() == command)
