"""What the doctor finds in an installation."""

from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone

from resolver.proxy.limits.proxy_health import TELL_AFTER, ProxySignal, ProxySignalKind
from resolver.services.health.diagnosis import Level, diagnose
from resolver.services.health.heartbeats import record_heartbeat
from resolver.services.proxy_answers.configured_proxy import DoiProxy
from resolver.standin.server import SampleProxyServer

pytestmark = pytest.mark.django_db


def find_sentences(proxy: DoiProxy, level: Level) -> list[tuple[str, str]]:
    """The parts with findings of this level, each with its sentence."""
    return [(one.part, one.says) for one in diagnose(proxy, now=timezone.now()) if one.level is level]


def test_an_installation_without_faults_has_none(proxy: DoiProxy) -> None:
    record_heartbeat("celery@one", timezone.now())
    assert find_sentences(proxy, Level.FAULT) == []
    found = dict(find_sentences(proxy, Level.OK))
    assert {"data folder", "static files", "database", "broker", "workers", "DOI proxy"} <= set(found)
    assert found["workers"] == "1 alive in the last minute."
    assert f"{proxy.base_url} knows 10.1000/182" in found["DOI proxy"]


def test_a_part_that_cannot_be_looked_at_is_a_fault_and_the_others_are_looked_at(
    proxy: DoiProxy, settings: Any
) -> None:
    settings.REDIS_URL, settings.CELERY_BROKER_TRANSPORT_OPTIONS = "redis://127.0.0.1:9/0", {}
    ((part, says),) = find_sentences(proxy, Level.FAULT)
    assert (part, says.partition(":")[0]) == ("broker", "ConnectionError")
    assert {"database", "DOI proxy"} <= dict(find_sentences(proxy, Level.OK)).keys()


def test_every_fault_and_advice_says_what_to_do(proxy: DoiProxy, settings: Any, tmp_path: Path) -> None:
    settings.FILE_UPLOAD_TEMP_DIR, settings.DEBUG, settings.HOST = tmp_path / "missing", True, "0.0.0.0"
    found = [one for one in diagnose(proxy, now=timezone.now()) if one.level is not Level.OK]
    assert len(found) >= 4
    assert all(one.do.endswith((".", "prepare")) and one.says.endswith(".") for one in found)


def test_a_folder_that_cannot_be_written_is_a_fault(proxy: DoiProxy, settings: Any, tmp_path: Path) -> None:
    settings.FILE_UPLOAD_TEMP_DIR = tmp_path / "missing"
    assert ("data folder", f"{tmp_path / 'missing'} can't be written.") in find_sentences(proxy, Level.FAULT)


def test_pages_with_settings_are_a_fault(proxy: DoiProxy, settings: Any) -> None:
    settings.DEBUG = True
    assert ("settings", "DEBUG is on: pages of faults show settings.") in find_sentences(proxy, Level.FAULT)


def test_static_files_that_were_not_collected_are_a_fault(proxy: DoiProxy, settings: Any, tmp_path: Path) -> None:
    settings.STATIC_ROOT = tmp_path
    assert ("static files", "They aren't collected.") in find_sentences(proxy, Level.FAULT)


def test_a_missing_migration_is_a_fault(proxy: DoiProxy) -> None:
    ((app, last),) = MigrationLoader(connection).graph.leaf_nodes("resolver")
    MigrationRecorder(connection).record_unapplied(app, last)
    assert ("database", "Its tables are not up to date; missing migrations: 1.") in find_sentences(proxy, Level.FAULT)


def test_a_proxy_that_does_not_answer_is_a_fault(proxy_at: Any) -> None:
    ((part, says),) = find_sentences(proxy_at("http://127.0.0.1:9"), Level.FAULT)
    assert part == "DOI proxy"
    assert says.startswith("http://127.0.0.1:9: ")


def test_a_password_in_the_address_of_the_proxy_is_not_told(proxy_at: Any) -> None:
    ((_, says),) = find_sentences(proxy_at("http://user:hunter2@127.0.0.1:9"), Level.FAULT)
    assert "hunter2" not in says
    assert "http://127.0.0.1:9" in says


def test_an_address_that_cannot_be_read_is_a_fault_of_its_part(proxy: DoiProxy, settings: Any) -> None:
    settings.REDIS_URL, settings.CELERY_BROKER_TRANSPORT_OPTIONS = "redis://127.0.0.1:63x9/0", {}
    ((part, _),) = find_sentences(proxy, Level.FAULT)
    assert part == "broker"


def test_a_proxy_that_refuses_us_is_a_fault_and_gets_no_request(proxy: DoiProxy, standin: SampleProxyServer) -> None:
    for _ in range(TELL_AFTER):
        proxy.budget.record_signal(ProxySignal(ProxySignalKind.REFUSED))
    sent = standin.watch.total
    assert "it may have barred this address" in dict(find_sentences(proxy, Level.FAULT))["DOI proxy"]
    assert standin.watch.total == sent


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ({"HOST": "0.0.0.0", "CSRF_TRUSTED_ORIGINS": []}, "CSRF_TRUSTED_ORIGINS is not set"),
        ({"CSRF_TRUSTED_ORIGINS": ["https://dois.example.org"], "TRUSTED_PROXIES": []}, "TRUSTED_PROXIES is not set"),
        ({"DOI_PROXY_URL": "https://doi.org", "CONTACT_EMAIL": ""}, "CONTACT_EMAIL is not set"),
        ({"DOI_PROXY_URL": "https://doi.org", "PROXY_RATE": 0.0}, "any number of requests per second"),
        ({"DOI_PROXY_URL": "https://doi.org", "PROXY_RATE": 50.0}, "allows 50.0 requests per second"),
        ({"MAX_UPLOAD_BYTES": 10**15}, "GB are free"),
        ({}, "None was alive in the last minute"),
    ],
)
def test_what_should_be_better_is_advice(proxy: DoiProxy, settings: Any, values: dict[str, Any], told: str) -> None:
    for name, value in values.items():
        setattr(settings, name, value)
    assert any(told in says for _, says in find_sentences(proxy, Level.ADVICE))


def test_an_address_in_the_settings_that_nobody_else_reaches_needs_no_public_address(
    proxy: DoiProxy, settings: Any
) -> None:
    for settings.HOST in ("127.0.0.1", "::1", "localhost"):
        assert not any("CSRF_TRUSTED_ORIGINS" in says for _, says in find_sentences(proxy, Level.ADVICE))
