"""Checking the chunks of one job together with other processes, until all of it is done."""

import time
from collections.abc import Callable
from uuid import UUID

from django.utils import timezone

from resolver.models import ENDED, Chunk, Job
from resolver.services.jobs import import_rows, lifecycle
from resolver.services.jobs.check import check_chunk
from resolver.services.jobs.chunk_claims import free
from resolver.services.proxy_answers.doi_proxy import DoiProxy

POLL = 0.2


def check_what_is_free(
    job_id: UUID, proxy: DoiProxy, *, reads: bool = False, goes_on: Callable[[], bool] = lambda: True
) -> None:
    """Check one chunk after the other that nobody holds; returns when the job has ended, or `goes_on` says no.

    Waits for what others hold, and does what they give up: the worker of a running portal may have taken a chunk or,
    which is looked after only with `reads`, the file.
    """
    with proxy.bulk:
        while goes_on() and not Job.objects.filter(pk=job_id, state__in=ENDED).exists():
            chunk = free(Chunk.objects.filter(job=job_id), timezone.now()).order_by("number").first()
            if chunk is not None:
                check_chunk(chunk.pk, proxy=proxy)
            elif not Job.objects.filter(pk=job_id).exists():
                return
            elif not reads or not list(import_rows.read_rows(job_id)):
                lifecycle.finish_if_done(job_id, timezone.now())
                time.sleep(POLL)
