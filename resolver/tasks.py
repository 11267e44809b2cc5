"""Celery's face of the services. A message says that there is work; which, the database says (`services/turns.py`)."""

import logging
from collections.abc import Iterable
from typing import Any

from celery import shared_task
from celery.signals import worker_ready
from django.utils import timezone
from kombu.exceptions import OperationalError

from resolver.models import Job
from resolver.services import pruning, sweeping, turns
from resolver.services.asking import proxy_from_settings

logger = logging.getLogger(__name__)


@shared_task
def read_job(job_id: str) -> None:
    """A job has come. Whoever gets the message takes a turn: at this job, or at one that has waited longer."""
    _ask_for(turns.take(proxy_from_settings()))


@shared_task
def take_turn(token: str) -> None:
    """Serve the jobs for a few seconds, unless the message is a double."""
    if turns.begin(token):
        _ask_for(turns.take(proxy_from_settings()))


@shared_task
def sweep() -> None:
    """Ask for a turn when there is work that nobody holds; runs every few seconds, and when a worker starts."""
    _ask_for(sweeping.sweep(timezone.now()))


@shared_task
def prune() -> None:
    """Remove what is of no use any more; runs a few times an hour, and when a worker starts."""
    pruning.prune(timezone.now())


@worker_ready.connect
def look_around_at_start(**_: Any) -> None:
    """A restart goes on with what a killed worker left, without waiting for the next round."""
    sweep.delay()
    prune.delay()


def start_reading(job: Job) -> None:
    """Have the rows of a job read, once what stores it is committed."""
    try:
        read_job.delay_on_commit(str(job.pk))
    except OperationalError:
        # The job is stored, and the next sweep enqueues what no message names: late, not lost.
        logger.warning("The broker did not take job %s; the sweep will start it.", job.pk, exc_info=True)


def _ask_for(tokens: Iterable[str]) -> None:
    for token in tokens:
        take_turn.delay(token)
