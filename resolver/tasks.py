"""Celery's face of the services: an id comes in, one service is called. What it means is written there."""

from typing import Any
from uuid import UUID

from celery import shared_task
from celery.signals import worker_ready
from django.utils import timezone

from resolver.services import checking, jobs, retrying, sweeping
from resolver.services.asking import proxy_from_settings


@shared_task
def read_job(job_id: str) -> None:
    """Read a job's file; each chunk is checked as soon as it is stored, by whoever is free."""
    for chunk_id in jobs.read_rows(job_id):
        check_chunk.delay(chunk_id)


@shared_task
def check_chunk(chunk_id: int) -> None:
    """Check the rows of one chunk."""
    checking.check_chunk(chunk_id, proxy=proxy_from_settings())


@shared_task
def go_on(job_id: str) -> None:
    """Work on a job that was taken up again: what is undone first, then what is still to be read of its file."""
    for chunk_id in retrying.undone(UUID(job_id)):
        check_chunk.delay(chunk_id)
    read_job(job_id)


@shared_task
def sweep() -> None:
    """Enqueue again what nobody works on; runs every few seconds, and when a worker starts."""
    tasks = {"read_job": read_job, "check_chunk": check_chunk}
    for work in sweeping.sweep(timezone.now()):
        tasks[work.task].delay(work.id)


@worker_ready.connect
def sweep_at_start(**_: Any) -> None:
    """A restart goes on with what a killed worker left, without waiting for the next round."""
    sweep.delay()
