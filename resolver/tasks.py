"""Celery tasks: each names an object to work on, and the database says what to do."""

import logging
from datetime import datetime
from typing import Any
from uuid import UUID

from celery import shared_task
from celery.contrib.django.task import DjangoTask
from celery.signals import after_task_publish, beat_init, worker_ready
from celery.utils.nodenames import gethostname, nodename
from celery.worker.consumer import Consumer
from kombu.exceptions import OperationalError

from resolver.models import Job
from resolver.services.comparisons import compare as comparison_compare
from resolver.services.health.heartbeats import EVERY, SCHEDULER, say_alive
from resolver.services.hosts import check as host_check
from resolver.services.jobs import lifecycle
from resolver.services.maintenance import cleanup
from resolver.services.maintenance.independent_steps import run_each
from resolver.services.proxy_answers.configured_proxy import proxy_from_settings
from resolver.services.retractions.load import load_if_due
from resolver.services.storage.clock import read_clock
from resolver.services.turns import scheduler, turn_order
from resolver.services.turns.turn_order import TurnMessage
from resolver.services.watches import mails
from resolver.services.watches import runs as watch_runs
from resolver.services.webhooks import deliveries

logger = logging.getLogger(__name__)


@shared_task
def serve_owner(owner: str, token: str) -> None:
    """Serve the lists of one owner for a few seconds: of this one, or of the first in line now."""
    first = turn_order.take_wakeup()
    if first is not None:
        scheduler.run_turn(first, proxy_from_settings(), send=_send)
        send_due_webhooks()


@shared_task
def sweep() -> None:
    """Send messages for work that no worker holds; runs every few seconds, and when a worker starts."""
    now = read_clock()
    run_each(
        (
            ("continue lists", lambda: scheduler.recover_abandoned(now, _send)),
            ("continue comparisons", start_comparisons),
            ("remove deleted lists", start_removals),
            ("continue host checks", start_host_checks),
            ("send webhooks", send_due_webhooks),
        )
    )


@shared_task
def watch() -> None:
    """Run due watches, and send their events and mails; runs every minute, and when a person wants a run now."""
    now = read_clock()
    run_each(
        (
            ("check watched lists", lambda: _advance_watches(now)),
            ("send webhooks", send_due_webhooks),
            ("send mails", lambda: mails.send_due_mails(now)),
        )
    )


def _advance_watches(now: datetime) -> None:
    for job in watch_runs.advance_watches(now, proxy=proxy_from_settings()):
        enqueue_job(job)


@shared_task
def deliver(webhook_id: str) -> None:
    """Deliver one event to the webhook, and continue after others had a turn."""
    deliveries.deliver_next(webhook_id)
    send_due_webhooks()


@shared_task
def prune() -> None:
    """Remove what is no longer needed; runs a few times an hour, and when a worker starts."""
    cleanup.prune_all(read_clock())


@shared_task
def load_retractions() -> None:
    """Load the list of retractions from RETRACTIONS_URL if it is a week old; runs every hour."""
    load_if_due(read_clock())


@shared_task
def compare(comparison_id: int) -> None:
    """Compare two lists for two seconds, and continue after others had a turn."""
    comparison_compare.compare_for_turn(comparison_id)
    start_comparisons()


@shared_task
def check_hosts(check_id: int) -> None:
    """Check the hosts of a list for some seconds, and continue after others had a turn."""
    host_check.check_hosts_for_turn(check_id)
    start_host_checks()


@shared_task
def remove_list(job_id: str) -> None:
    """Remove a deleted list for two seconds, and continue after others had a turn."""
    lifecycle.remove_for_turn(UUID(job_id))
    start_removals()


@worker_ready.connect
def sweep_at_start(sender: Consumer, **_: Any) -> None:
    """Continue the work of killed workers, and report from now on that this one is alive."""
    sweep.delay()
    prune.delay()
    say_alive(sender.hostname)
    sender.timer.call_repeatedly(EVERY.total_seconds(), say_alive, (sender.hostname,))  # in the worker's main process


@beat_init.connect
def report_scheduler(**_: Any) -> None:
    """Report that the scheduler is alive, at its start and whenever the broker has accepted its message to sweep. A
    busy worker may sweep late, and that is no fault of the scheduler."""
    _say_scheduler_alive()
    after_task_publish.connect(_say_scheduler_alive, sender=sweep.name)


def _say_scheduler_alive(**_: Any) -> None:
    say_alive(nodename(SCHEDULER, gethostname()))


def enqueue_job(job: Job) -> None:
    """Start the check of a job once the transaction is committed."""
    owner = turn_order.get_turn_owner(job)
    turn_order.request_turn(owner, read_clock(), lambda turn: _begin(serve_owner, turn.owner, turn.token))


def start_watches() -> None:
    """Start the task of watches once the transaction is committed, instead of in the next minute."""
    _begin(watch)


def start_pruning() -> bool:
    """Start the cleanup now. Return whether the broker accepted the message."""
    try:
        prune.delay()
    except OperationalError:
        logger.warning("The broker did not take %s.", prune.name, exc_info=True)
        return False
    return True


def start_comparisons() -> None:
    """Start the comparisons whose turn it is, once the transaction is committed. A few are under way, each with one
    message: however many wait, lists to be checked don't wait for them. Each that ends starts the next."""
    for comparison_id in comparison_compare.reserve_abandoned(read_clock()):
        _begin(compare, comparison_id)


def start_host_checks() -> None:
    """Start the host checks whose turn it is, as `start_comparisons` does."""
    for check_id in host_check.reserve_abandoned(read_clock()):
        _begin(check_hosts, check_id)


def start_removals() -> None:
    """Start the removal of the deleted list whose turn it is, as `start_comparisons` does."""
    for job_id in lifecycle.reserve_deleted(read_clock()):
        _begin(remove_list, str(job_id))


def send_due_webhooks() -> None:
    """Start the delivery of due events. If the broker doesn't accept the message, the sweep sends it."""
    for webhook_id in deliveries.reserve_due(read_clock()):
        _begin(deliver, webhook_id)


def _begin(task: DjangoTask, *named: str | int) -> None:
    try:
        task.delay_on_commit(*named)
    except OperationalError:
        # It is stored. The sweep sends another: late, not lost.
        logger.warning("The broker did not take %s %s; the sweep will start it.", task.name, list(named), exc_info=True)


def _send(message: TurnMessage) -> None:
    serve_owner.delay(message.owner, message.token)
