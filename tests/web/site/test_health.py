"""/healthz and /readyz, which need no login."""

from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from resolver.services.health.heartbeats import record_heartbeat


def test_the_web_server_is_alive_without_a_database(settings: Any) -> None:
    """No access to the database is allowed in this test."""
    settings.DOIPORTAL_OPEN = False
    response = Client().get("/healthz")
    assert (response.status_code, response.content) == (200, b"ok")


@pytest.mark.django_db
def test_a_portal_is_ready_with_all_its_parts(settings: Any) -> None:
    settings.DOIPORTAL_OPEN = False
    for name in ("celery@one", "celerybeat@one"):
        record_heartbeat(name, timezone.now())
    response = Client().get("/readyz")
    good = {"ready": True, "detail": ""}
    assert response.status_code == 200
    assert response.json() == {
        "ready": True,
        "parts": dict.fromkeys(("database", "broker", "worker", "scheduler", "files", "proxy", "disk"), good),
    }


@pytest.mark.django_db
def test_what_fails_is_named_and_no_path_is_told(settings: Any, tmp_path: Path) -> None:
    settings.CELERY_BROKER_TRANSPORT_OPTIONS = {"data_folder_out": str(tmp_path / "missing")}
    record_heartbeat("celerybeat@one", timezone.now())
    response = Client().get("/readyz")
    assert response.status_code == 503
    assert {name for name, part in response.json()["parts"].items() if not part["ready"]} == {"broker", "worker"}
    assert str(tmp_path) not in response.content.decode()


@pytest.mark.django_db
def test_a_broker_that_does_not_answer_is_named(settings: Any) -> None:
    settings.CELERY_BROKER_TRANSPORT_OPTIONS = {}
    settings.REDIS_URL = "redis://127.0.0.1:9/0"
    parts = Client().get("/readyz").json()["parts"]
    assert parts["broker"] == {"ready": False, "detail": "It doesn't answer. The log of the web server says why."}
