"""Celery's face of the services. A message says that there is work; which, the database says
(`services/jobs/scheduler.py`)."""

import logging
from collections.abc import Iterable
from typing import Any

from celery import shared_task
from celery.contrib.django.task import DjangoTask
from celery.signals import worker_ready
from django.utils import timezone
from kombu.exceptions import OperationalError

from resolver.models import Comparison, Job
from resolver.services import cleanup
from resolver.services.comparisons import compare as comparison_compare
from resolver.services.jobs import scheduler
from resolver.services.proxy_answers.doi_proxy import proxy_from_settings

logger = logging.getLogger(__name__)


@shared_task
def read_job(job_id: str) -> None:
    """A job has come. Whoever gets the message takes a turn: at this job, or at one that has waited longer."""
    _ask_for(scheduler.take(proxy_from_settings()))


@shared_task
def take_turn(token: str) -> None:
    """Serve the jobs for a few seconds, unless the message is a double."""
    if scheduler.begin(token):
        _ask_for(scheduler.take(proxy_from_settings()))


@shared_task
def sweep() -> None:
    """Ask for a turn when there is work that nobody holds, and for comparisons
    likewise; runs every few seconds, and when a worker starts."""
    now = timezone.now()
    _ask_for(scheduler.sweep(now))
    for comparison_id in comparison_compare.left_lying(now):
        compare.delay(comparison_id)


@shared_task
def prune() -> None:
    """Remove what is of no use any more; runs a few times an hour, and when a worker starts."""
    cleanup.prune(timezone.now())


@shared_task
def compare(comparison_id: int) -> None:
    """Compare two lists for two seconds, and let others have a turn before it goes on."""
    if comparison_compare.take_turn(comparison_id):
        compare.delay(comparison_id)


@worker_ready.connect
def look_around_at_start(**_: Any) -> None:
    """A restart goes on with what a killed worker left, without waiting for the next round."""
    sweep.delay()
    prune.delay()


def start_reading(job: Job) -> None:
    """Have the rows of a job read, once what stores it is committed."""
    _begin(read_job, str(job.pk))


def start_comparing(comparison: Comparison) -> None:
    """Have two long lists compared, likewise."""
    _begin(compare, comparison.pk)


def _begin(task: DjangoTask, key: str | int) -> None:
    try:
        task.delay_on_commit(key)
    except OperationalError:
        # It is stored. The next sweep sends another: late, not lost.
        logger.warning("The broker did not take %s of %s; the sweep will start it.", task.name, key, exc_info=True)


def _ask_for(tokens: Iterable[str]) -> None:
    for token in tokens:
        take_turn.delay(token)
