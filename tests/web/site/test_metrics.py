"""/metrics in one process: lists that wait, a proxy that refuses, and requests from elsewhere."""

import math
import shutil
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.db import connection
from django.test import Client
from django.utils import timezone

from resolver.models import Job, State, WaitingMessage, WorkerHeartbeat
from resolver.proxy.limits.proxy_health import ALARM_AFTER_REFUSALS, ProxySignal, ProxySignalKind
from resolver.services.health.heartbeats import record_heartbeat
from resolver.services.jobs import lifecycle
from resolver.services.jobs.retry import retry_job
from resolver.services.proxy_answers.configured_proxy import proxy_from_settings
from tests.web.conftest import Look

pytestmark = pytest.mark.django_db


def read_figures(**headers: Any) -> dict[str, float]:
    lines = Client().get("/metrics", **headers).content.decode().splitlines()
    return {name: float(value) for name, value in (line.rsplit(" ", 1) for line in lines if not line.startswith("#"))}


def test_lists_that_wait_are_counted_with_the_time_of_the_oldest(settings: Any) -> None:
    settings.DOIPORTAL_OPEN = False
    now = timezone.now()
    for age, state in ((50, State.QUEUED), (500, State.QUEUED), (5000, State.CHECKING), (9000, State.FINISHED)):
        Job.objects.create(owner="o", created_at=now - timedelta(seconds=age), state=state, filename="list.csv")
    found = read_figures()
    assert found['doiportal_lists{state="queued"}'] == 2
    assert found['doiportal_lists{state="checking"}'] == 1
    assert 'doiportal_lists{state="finished"}' not in found
    assert 500 <= found["doiportal_oldest_waiting_list_seconds"] < 600
    assert found["doiportal_workers"] == 0


def test_the_messages_in_the_queue_are_counted() -> None:
    assert read_figures()["doiportal_turns_waiting"] == 0
    for owner in ("one", "another"):
        WaitingMessage.objects.create(owner=owner, token=owner, sent_at=timezone.now())
    assert read_figures()["doiportal_turns_waiting"] == 2


def test_a_list_that_is_retried_waits_since_its_retry(upload: Look) -> None:
    now = timezone.now()
    upload("DOI\n10.1000/182\n")
    long_ago = now - timedelta(days=3)
    Job.objects.update(created_at=long_ago, heartbeat_at=long_ago)
    job = Job.objects.get()
    assert read_figures()["doiportal_oldest_waiting_list_seconds"] >= 3 * 24 * 3600
    lifecycle.cancel_job(job, now=now - timedelta(seconds=600))
    retry_job(job, proxy=proxy_from_settings(), now=now - timedelta(seconds=500))
    assert job.state == State.QUEUED
    assert 500 <= read_figures()["doiportal_oldest_waiting_list_seconds"] < 1000


def test_a_list_that_no_worker_works_on_and_lists_that_failed_are_counted(upload: Look) -> None:
    upload("DOI\n10.1000/182\n")
    assert read_figures()["doiportal_lists_without_progress"] == 0
    now = timezone.now()
    Job.objects.update(created_at=now - timedelta(minutes=3), heartbeat_at=None)
    assert read_figures()["doiportal_lists_without_progress"] == 1
    assert read_figures()["doiportal_lists_failed"] == 0
    for age in (5, 50, 70):
        ended = now - timedelta(minutes=age)
        Job.objects.create(owner="o", state=State.FAILED, filename="list.csv", created_at=ended, finished_at=ended)
    assert read_figures()["doiportal_lists_failed"] == 2


def test_the_time_since_the_scheduler_was_last_alive_shows() -> None:
    assert read_figures()["doiportal_scheduler_silent_seconds"] == math.inf
    record_heartbeat("celerybeat@one", timezone.now() - timedelta(seconds=150))
    assert 150 <= read_figures()["doiportal_scheduler_silent_seconds"] < 200
    assert read_figures()["doiportal_workers"] == 0


def test_answers_are_counted_by_status_but_not_those_of_readiness() -> None:
    def count() -> dict[str, float]:
        return {name: value for name, value in read_figures().items() if name.startswith("doiportal_answers_total")}

    before = count()
    for path in ("/healthz", "/nothing-here/at/all", "/readyz"):
        Client().get(path)
    after = count()
    risen = {name: after[name] - before.get(name, 0) for name in after}
    # /healthz, and the first reading of /metrics itself.
    assert risen == {
        'doiportal_answers_total{status="2xx"}': 2,
        'doiportal_answers_total{status="4xx"}': 1,
    } | {name: 0 for name in risen if "5xx" in name or "3xx" in name}


def test_a_proxy_that_refuses_all_requests_shows() -> None:
    assert read_figures()["doiportal_proxy_refuses"] == 0
    for _ in range(ALARM_AFTER_REFUSALS):
        proxy_from_settings().budget.record_signal(ProxySignal(ProxySignalKind.REFUSED))
    assert read_figures()["doiportal_proxy_refuses"] == 1


def test_the_room_on_the_disk_and_the_size_of_the_database_show(settings: Any, tmp_path: Path) -> None:
    found = read_figures()
    assert found["doiportal_database_bytes"] > 100_000
    disk = shutil.disk_usage(settings.DOIPORTAL_DATA_DIR)
    assert found["doiportal_disk_free_bytes"] == pytest.approx(disk.free, rel=0.1)
    assert found["doiportal_disk_bytes"] == disk.total
    settings.DOIPORTAL_DATA_DIR = tmp_path / "gone"
    found = read_figures()
    assert found['doiportal_figures_read{part="disk"}'] == 0
    assert "doiportal_disk_free_bytes" not in found


@pytest.mark.django_db(transaction=True)
def test_without_an_answer_of_the_database_the_other_figures_are_told() -> None:
    assert read_figures()['doiportal_figures_read{part="database"}'] == 1
    with connection.schema_editor() as editor:
        editor.delete_model(WorkerHeartbeat)
    try:
        found = read_figures()
    finally:
        with connection.schema_editor() as editor:
            editor.create_model(WorkerHeartbeat)
    assert found['doiportal_figures_read{part="database"}'] == 0
    assert found["doiportal_proxy_pause_seconds"] == 0
    assert "doiportal_workers" not in found


def test_without_an_answer_of_redis_the_other_figures_are_told(settings: Any) -> None:
    settings.REDIS_URL = "redis://127.0.0.1:9/0"
    found = read_figures()
    assert found['doiportal_figures_read{part="budget"}'] == 0
    assert found["doiportal_workers"] == 0
    assert "doiportal_proxy_pause_seconds" not in found


@pytest.mark.parametrize("address", ["192.0.2.7", "10.0.0.3", "2001:db8::1", ""])
def test_nobody_else_may_read_them_without_a_token(settings: Any, address: str) -> None:
    settings.METRICS_TOKEN = ""
    assert Client(REMOTE_ADDR=address).get("/metrics").status_code == 404
    assert Client(REMOTE_ADDR=address).get("/metrics", headers={"Authorization": "Bearer "}).status_code == 404
    settings.METRICS_TOKEN = "secret"
    assert Client(REMOTE_ADDR=address).get("/metrics", headers={"Authorization": "Bearer secre"}).status_code == 404
    assert Client(REMOTE_ADDR=address).get("/metrics", headers={"Authorization": "Bearer secret"}).status_code == 200


def test_this_machine_may_read_them_unless_it_hands_on_a_request_of_others() -> None:
    assert Client(REMOTE_ADDR="::1").get("/metrics").status_code == 200
    for name in ("X-Forwarded-For", "X-Forwarded-Proto", "X-Real-IP", "Forwarded", "Via"):
        assert Client().get("/metrics", headers={name: "x"}).status_code == 404


def test_the_empty_file_of_a_killed_process_is_left_out() -> None:
    left = Path(settings.METRICS_DIR, "counter_killed.1.db")
    left.touch()
    try:
        assert read_figures()['doiportal_answers_total{status="2xx"}'] >= 1
    finally:
        left.unlink()


def test_without_a_folder_of_counts_there_are_figures_alone(settings: Any) -> None:
    settings.METRICS_DIR = ""
    found = read_figures()
    assert found["doiportal_workers"] == 0
    assert not [name for name in found if name.startswith("doiportal_answers_total")]
