"""Processes beside a command that check the chunks of its job, as the worker processes of a portal do.

One process alone loses time at the end of each chunk, when the last answers come in and no question is under way, and
has one core. Which chunk is whose, the claims in the database say; so nobody has to hand them out.
"""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import get_context
from uuid import UUID

import django

LONG = 2000  # rows: several chunks for each process, and some seconds of work, since a process takes one to start
FAST = 100  # requests a second: below, one process has time for all of them
MOST = 3


def helpful(rows: int, rate: float | None) -> int:
    """How many processes are worth starting beside this one, for so many rows at that rate (0, None: no bound)."""
    if rows < LONG or 0 < (rate or 0) < FAST:
        return 0
    return min((os.cpu_count() or 1) - 1, MOST)


@contextmanager
def companions(job_id: UUID, number: int) -> Iterator[None]:
    """So many processes check chunks of the job, until nothing is left of it or the block ends."""
    # A new interpreter each: a copy of this process would share its connections and lack its threads.
    context = get_context("spawn")
    started = [context.Process(target=_check, args=(job_id, os.getpid()), daemon=True) for _ in range(number)]
    for process in started:
        process.start()
    try:
        yield
    finally:
        # After Ctrl-C they may wait for the proxy. What they have not written by now is nobody's any more.
        for process in started:
            process.terminate()
        for process in started:
            process.join()


def _check(job_id: UUID, command: int) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the command's to answer
    django.setup()
    # What has models may be imported only now.
    from resolver.management.chunk_work import check_what_is_free
    from resolver.services.proxy_answers.doi_proxy import proxy_from_settings

    # A command that was killed cannot end its companions.
    check_what_is_free(job_id, proxy_from_settings(), goes_on=lambda: os.getppid() == command)
