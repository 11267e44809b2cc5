"""What an operator's programs hear of each part of the portal."""

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import psutil
import pytest
import redis
from django.db import connection
from django.utils import timezone

from resolver.models import Job, WorkerHeartbeat
from resolver.proxy.limits import RedisBudget
from resolver.proxy.limits.proxy_health import ALARM_AFTER_REFUSALS, FAILING_SECONDS, ProxySignal, ProxySignalKind
from resolver.services.health.diagnosis import diagnose
from resolver.services.health.figures import PortalFigures
from resolver.services.health.findings import Level
from resolver.services.health.heartbeats import KEPT, LOST, count_live_workers, prune_heartbeats, record_heartbeat
from resolver.services.health.readiness import check_parts
from resolver.services.proxy_answers.configured_proxy import DoiProxy
from tests.faults.servers import Redis

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 11, 23, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)


def troubles(proxy: DoiProxy, now: datetime = NOW, uptime: timedelta = HOUR) -> dict[str, str]:
    return {part.name: part.trouble for part in check_parts(proxy, now=now, uptime=uptime) if not part.is_ready}


@pytest.fixture
def _worker() -> None:
    """And the scheduler."""
    record_heartbeat("celery@one", NOW)
    record_heartbeat("celerybeat@one", NOW)


@pytest.mark.usefixtures("_worker")
def test_all_is_well_with_a_worker_and_a_proxy_that_nobody_has_asked(proxy: DoiProxy) -> None:
    parts = [part.name for part in check_parts(proxy, now=NOW, uptime=HOUR)]
    assert parts == ["database", "broker", "worker", "scheduler", "files", "proxy", "disk"]
    assert troubles(proxy) == {}


def test_a_worker_is_missed_from_the_start_and_a_minute_after_its_last_heartbeat(proxy: DoiProxy) -> None:
    assert "in the last day" in troubles(proxy)["worker"]
    record_heartbeat("celery@one", NOW)
    assert "worker" not in troubles(proxy, NOW + LOST)
    assert "for 61 seconds" in troubles(proxy, NOW + LOST + timedelta(seconds=1))["worker"]


def test_a_scheduler_is_missed_a_minute_after_the_start_of_the_web_server_and_after_its_last_heartbeat(
    proxy: DoiProxy,
) -> None:
    record_heartbeat("celery@one", NOW + LOST)
    assert troubles(proxy, NOW, LOST) == {}
    assert "in the last day" in troubles(proxy, NOW, LOST + timedelta(seconds=1))["scheduler"]
    record_heartbeat("celerybeat@one", NOW)
    assert troubles(proxy, NOW + LOST) == {}
    assert "for 61 seconds" in troubles(proxy, NOW + LOST + timedelta(seconds=1))["scheduler"]


def test_the_scheduler_is_no_worker_and_no_worker_is_the_scheduler(proxy: DoiProxy) -> None:
    record_heartbeat("celerybeat@one", NOW)
    assert count_live_workers(NOW) == 0
    assert list(troubles(proxy)) == ["worker"]
    WorkerHeartbeat.objects.update(name="celery@one")
    assert list(troubles(proxy)) == ["scheduler"]


def test_each_live_worker_counts_once_and_old_ones_are_forgotten() -> None:
    for name, age in (("celery@one", 90), ("celery@one", 10), ("celery@two", 20), ("celery@gone", 61)):
        record_heartbeat(name, NOW - timedelta(seconds=age))
    assert count_live_workers(NOW) == 2
    prune_heartbeats(NOW + KEPT - timedelta(seconds=15))
    assert list(WorkerHeartbeat.objects.values_list("name", flat=True)) == ["celery@one"]


@pytest.mark.usefixtures("_worker")
def test_a_proxy_that_cannot_be_reached_is_told_until_it_answers(
    nowhere: DoiProxy, proxy_at: Callable[..., DoiProxy], proxy: DoiProxy
) -> None:
    nowhere.client.resolve("10.1000/182")
    assert "can't be reached" in troubles(nowhere)["proxy"]
    proxy.client.resolve("10.1000/182")
    assert troubles(nowhere) == {}


@pytest.mark.usefixtures("_worker")
def test_a_failure_between_good_answers_is_a_mishap(proxy: DoiProxy, nowhere: DoiProxy) -> None:
    proxy.client.resolve("10.1000/182")
    nowhere.client.resolve("10.1000/182")
    health = proxy.budget.read_health()
    assert 0 < health.failed_at - health.good_at < FAILING_SECONDS
    assert troubles(proxy) == {}


def test_a_proxy_that_redirects_to_metadata_and_pages_has_not_failed(proxy: DoiProxy) -> None:
    """Else a portal that is asked for nothing but metadata would count as one without a proxy after a minute."""
    proxy.client.resolve("10.1000/182")
    assert proxy.client.find_redirect("10.1000/182", "text/html") is not None
    health = proxy.budget.read_health()
    assert (health.good_at > 0, health.failed_at) == (True, 0)


@pytest.mark.usefixtures("_worker")
def test_a_proxy_that_refuses_or_pauses_us_is_told(proxy: DoiProxy) -> None:
    for _ in range(ALARM_AFTER_REFUSALS):
        proxy.budget.record_signal(ProxySignal(ProxySignalKind.REFUSED, reason="HTTP 403"))
    assert "may have barred" in troubles(proxy)["proxy"]
    proxy.budget.record_signal(ProxySignal(ProxySignalKind.GOOD))
    assert troubles(proxy) == {}
    proxy.budget.pause(20)
    assert "20 more seconds" in troubles(proxy)["proxy"]


@pytest.mark.django_db(transaction=True)
def test_without_the_table_of_workers_the_other_parts_are_told_too(proxy: DoiProxy) -> None:
    """A database that was not migrated."""
    with connection.schema_editor() as editor:
        editor.delete_model(WorkerHeartbeat)
    try:
        assert list(troubles(proxy, timezone.now())) == ["worker", "scheduler", "files"]
    finally:
        with connection.schema_editor() as editor:
            editor.create_model(WorkerHeartbeat)


@pytest.fixture
def hanging_redis(tmp_path: Path) -> Iterator[str]:
    """The address of one that accepts connections and never answers."""
    with Redis(tmp_path) as server, redis.Redis.from_url(server.url) as client:
        process = psutil.Process(client.info()["process_id"])
        process.suspend()
        yield server.url
        process.resume()


@pytest.fixture
def proxy_with_hanging_budget(proxy: DoiProxy, hanging_redis: str) -> Iterator[DoiProxy]:
    budget = RedisBudget(hanging_redis, 4, 10)
    yield replace(proxy, budget=budget)
    budget.close()


@pytest.mark.usefixtures("_worker")
def test_while_redis_hangs_readiness_and_metrics_and_the_doctor_wait_for_seconds_only(
    proxy_with_hanging_budget: DoiProxy,
) -> None:
    began = time.monotonic()
    assert list(troubles(proxy_with_hanging_budget)) == ["proxy"]
    names = [figure.name for figure in PortalFigures(proxy_with_hanging_budget, NOW, Job.objects.none()).collect()]
    assert "doiportal_proxy_pause_seconds" not in names
    faults = [one for one in diagnose(proxy_with_hanging_budget, now=NOW) if one.level is Level.FAULT]
    assert [one.part for one in faults] == ["DOI proxy"]
    assert "Redis" in faults[0].says
    assert faults[0].do == "Check REDIS_URL, and look whether Redis runs."
    assert time.monotonic() - began < 13, "three waits of 2 seconds; one with the usual patience is 10 alone"
