"""What can be read at this moment, for Prometheus: lists and workers, the DOI proxy, the disk."""

import logging
import math
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

import redis
from django.conf import settings
from django.db import Error as AnyDatabaseError
from django.db.models import Count, Min, QuerySet
from django.db.models.functions import Coalesce
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from resolver.models import ENDED, Delivery, Job, State, WaitingMessage
from resolver.services.health.heartbeats import count_live_workers, find_latest_heartbeat, find_schedulers
from resolver.services.health.readiness import close_kept_connection
from resolver.services.health.storage_sizes import measure_database
from resolver.services.proxy_answers.configured_proxy import DoiProxy

log = logging.getLogger(__name__)


def count_unended_lists() -> dict[State, int]:
    """Return how many lists are in each state that is not an end."""
    unended = Job.objects.exclude(state__in=ENDED)
    numbers = dict(unended.values_list("state").annotate(Count("pk")).order_by())
    return {state: numbers.get(state, 0) for state in State if state not in ENDED}


def find_oldest_waiting() -> datetime | None:
    """Return since when the list waits that has waited longest for a worker; None if none waits. A retry, which is a
    heartbeat, begins to wait anew."""
    waiting = Job.objects.filter(state=State.QUEUED)
    oldest: datetime | None = waiting.aggregate(at=Min(Coalesce("heartbeat_at", "created_at")))["at"]
    return oldest


@dataclass(frozen=True)
class PortalFigures(Collector):
    """The figures now. `stuck_lists`: those without progress."""

    proxy: DoiProxy
    now: datetime
    stuck_lists: QuerySet[Job]

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """Yield the figures of each part, and 1 for the part. If a part doesn't answer, yield only a 0 for it, so that
        the counts of the processes are sent in any case."""
        answers = GaugeMetricFamily(
            "doiportal_figures_read",
            "1: the figures of this part could be read; 0: it doesn't answer, and they are missing.",
            labels=["part"],
        )
        parts = {"database": self._read_database, "budget": self._read_budget, "disk": self._read_disk}
        for part, read in parts.items():
            figures: list[GaugeMetricFamily] = []
            try:
                figures = list(read())
            except (AnyDatabaseError, redis.RedisError, OSError):
                log.warning("The figures of a part can't be read: %s", part, exc_info=True)
            answers.add_metric([part], bool(figures))
            yield from figures
        yield answers

    def _read_database(self) -> Iterator[GaugeMetricFamily]:
        """Lists that have ended aren't counted: there may be very many."""
        close_kept_connection()
        lists = GaugeMetricFamily("doiportal_lists", "Lists that haven't ended, by state.", labels=["state"])
        for state, number in count_unended_lists().items():
            lists.add_metric([str(state)], number)
        yield lists
        oldest = find_oldest_waiting()
        yield GaugeMetricFamily(
            "doiportal_oldest_waiting_list_seconds",
            "Seconds for which the list that has waited longest waits for a worker, since its upload or its retry; "
            "0: none waits.",
            value=(self.now - oldest).total_seconds() if oldest else 0,
        )
        yield GaugeMetricFamily(
            "doiportal_lists_without_progress",
            "Lists that no worker has worked on for two minutes, and that don't wait for another one.",
            value=self.stuck_lists.count(),
        )
        yield GaugeMetricFamily(
            "doiportal_lists_failed",
            "Lists that failed in the last hour.",
            value=Job.objects.filter(state=State.FAILED, finished_at__gt=self.now - timedelta(hours=1)).count(),
        )
        yield from self._read_processes()

    def _read_processes(self) -> Iterator[GaugeMetricFamily]:
        yield GaugeMetricFamily(
            "doiportal_turns_waiting",
            "Messages in the queue: one for each owner whose lists have work for another worker.",
            value=WaitingMessage.objects.count(),
        )
        yield GaugeMetricFamily(
            "doiportal_workers", "Workers that were alive in the last minute.", value=count_live_workers(self.now)
        )
        scheduler = find_latest_heartbeat(find_schedulers(), self.now)
        yield GaugeMetricFamily(
            "doiportal_scheduler_silent_seconds",
            "Seconds since the scheduler was last alive; +Inf: it wasn't in the last day.",
            value=(self.now - scheduler).total_seconds() if scheduler else math.inf,
        )
        yield GaugeMetricFamily(
            "doiportal_webhook_deliveries_due",
            "Events that wait to be sent to a webhook.",
            value=Delivery.objects.filter(next_at__lte=self.now).count(),
        )
        yield GaugeMetricFamily(
            "doiportal_database_bytes", "Bytes of the database with its indexes.", value=measure_database()
        )

    def _read_budget(self) -> Iterator[GaugeMetricFamily]:
        self.proxy.budget.check_store()
        health = self.proxy.budget.read_health()
        yield GaugeMetricFamily(
            "doiportal_proxy_refuses",
            "1: the DOI proxy has refused all last requests, and may have barred this address.",
            value=int(health.barred),
        )
        yield GaugeMetricFamily(
            "doiportal_proxy_pause_seconds",
            "Seconds for which nothing may be sent to the DOI proxy.",
            value=self.proxy.budget.get_pause(),
        )

    def _read_disk(self) -> Iterator[GaugeMetricFamily]:
        disk = shutil.disk_usage(settings.DOIPORTAL_DATA_DIR)
        yield GaugeMetricFamily(
            "doiportal_disk_free_bytes", "Bytes that are free on the disk of the data folder.", value=disk.free
        )
        yield GaugeMetricFamily("doiportal_disk_bytes", "Bytes of the disk of the data folder.", value=disk.total)
