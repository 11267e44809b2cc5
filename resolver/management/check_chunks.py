"""Check the chunks of one job together with other processes, until the job has ended."""

import time
from collections.abc import Callable
from uuid import UUID

from resolver.models import ENDED, Chunk, Job
from resolver.services.jobs import import_rows, lifecycle
from resolver.services.jobs.chunk_claims import filter_free_chunks
from resolver.services.proxy_answers.configured_proxy import DoiProxy
from resolver.services.storage.clock import read_clock
from resolver.services.turns.check import check_chunk


def check_free_chunks(
    job_id: UUID, proxy: DoiProxy, *, reads: bool = False, may_continue: Callable[[], bool] = lambda: True
) -> None:
    """Check unclaimed chunks one after the other, until the job has ended or `may_continue` returns False.

    Wait for chunks that other processes hold, and check those that they release: a worker of a running portal may have
    claimed a chunk or the file. The file is only read with `reads`.
    """
    with proxy.bulk:
        while may_continue() and not Job.objects.filter(pk=job_id, state__in=ENDED).exists():
            chunk = filter_free_chunks(Chunk.objects.filter(job=job_id), read_clock()).order_by("number").first()
            if chunk is not None:
                check_chunk(chunk.pk, proxy=proxy)
            elif not Job.objects.filter(pk=job_id).exists():
                return
            elif not reads or not list(import_rows.read_into_rows(job_id)):
                lifecycle.finish_if_done(job_id, read_clock())
                time.sleep(0.2)
