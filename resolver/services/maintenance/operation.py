"""The data of the operation page in the admin: the state of the running portal, without counts of rows."""

import shutil
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from platform import python_version

import django
from django.conf import settings
from django.db import connection
from django.db.models import QuerySet
from django.db.models.functions import Coalesce

from resolver import conf
from resolver.models import ENDED, Job, RetractionLoad, State, WaitingMessage, WorkerHeartbeat
from resolver.services.health import figures, heartbeats, storage_sizes
from resolver.services.jobs.lifecycle import WORKED_ON, build_waiting_condition
from resolver.services.proxy_answers.configured_proxy import DoiProxy
from resolver.services.retractions.load import find_current_load, find_refused_load

SHOWN_ROWS = 50  # lists of each kind, and workers


@dataclass(frozen=True, slots=True)
class Operation:
    """The state of the portal. `stuck` and `unended` hold at most SHOWN_ROWS lists, the oldest first."""

    states: dict[State, int]
    oldest_waiting: datetime | None
    stuck: list[Job]
    unended: list[Job]
    live_workers: int
    workers: list[WorkerHeartbeat]
    scheduler_at: datetime | None  # when it was last alive; None: not in the last day
    messages: int  # that wait in the queue
    pause: float  # seconds for which nothing may be sent to the DOI proxy
    proxy: "ProxyStatus"
    retractions: RetractionLoad | None  # the list that counts; None: none was loaded
    refused_retractions: RetractionLoad | None  # the last attempt, if it was refused
    database_size: int  # bytes
    uploads: storage_sizes.FilesUse
    disk_free: int  # bytes, where the data folder is
    disk_total: int
    keep: timedelta | None  # None: nothing is removed by its age
    versions: dict[str, str]


@dataclass(frozen=True, slots=True)
class ProxyStatus:
    """When the DOI proxy last answered, and how; None: not in the last hour. `unusable_status`: the HTTP status of the
    last request without a usable answer, 0 if there was no answer. `refused_since`: it has refused all requests since
    then, and may have barred this address. `pace`: requests per second after it demanded fewer; 0: as many as the
    settings allow."""

    address: str
    good_at: datetime | None
    unusable_at: datetime | None
    unusable_status: int
    refused_since: datetime | None
    pace: float


def describe_operation(proxy: DoiProxy, *, now: datetime) -> Operation:
    """Return the state of the portal at `now`."""
    disk = shutil.disk_usage(settings.DOIPORTAL_DATA_DIR)
    return Operation(
        states=figures.count_unended_lists(),
        oldest_waiting=figures.find_oldest_waiting(),
        stuck=list(_shorten(find_stuck_lists(now))),
        unended=list(_shorten(Job.objects.exclude(state__in=ENDED))),
        live_workers=heartbeats.count_live_workers(now),
        workers=list(heartbeats.find_workers().order_by("-at")[:SHOWN_ROWS]),
        scheduler_at=heartbeats.find_latest_heartbeat(heartbeats.find_schedulers(), now),
        messages=WaitingMessage.objects.count(),
        pause=proxy.budget.get_pause(),
        proxy=_describe_last_answers(proxy),
        retractions=find_current_load(),
        refused_retractions=find_refused_load(),
        database_size=storage_sizes.measure_database(),
        uploads=storage_sizes.measure_files(),
        disk_free=disk.free,
        disk_total=disk.total,
        keep=conf.retention_period(),
        versions={
            "doiportal": settings.VERSION,
            "Python": python_version(),
            "Django": django.get_version(),
            connection.display_name: ".".join(map(str, connection.get_database_version())),
        },
    )


def _describe_last_answers(proxy: DoiProxy) -> ProxyStatus:
    health = proxy.budget.read_health()
    return ProxyStatus(
        address=proxy.base_url,
        good_at=_to_time(health.good_at),
        unusable_at=_to_time(health.unusable_at),
        unusable_status=int(health.unusable_status),
        refused_since=_to_time(health.refused_since) if health.barred else None,
        pace=health.pace,
    )


def _to_time(unix: float) -> datetime | None:
    return datetime.fromtimestamp(unix, UTC) if unix else None


def find_stuck_lists(now: datetime) -> QuerySet[Job]:
    """Return the lists without work for WORKED_ON that don't wait for an older one with the same file."""
    unended = Job.objects.exclude(state__in=ENDED)
    idle = unended.alias(worked_on=Coalesce("heartbeat_at", "created_at")).filter(worked_on__lt=now - WORKED_ON)
    return idle.exclude(build_waiting_condition(now))


def _shorten(lists: QuerySet[Job]) -> QuerySet[Job]:
    shown = ("id", "filename", "name", "state", "done", "total", "created_at", "heartbeat_at")
    return lists.only(*shown).order_by("created_at", "id")[:SHOWN_ROWS]
