"""What the doctor finds in an installation."""

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import InterfaceError, connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone

from resolver.proxy.limits.proxy_health import ALARM_AFTER_REFUSALS, ProxySignal, ProxySignalKind
from resolver.services.health import diagnosis
from resolver.services.health.diagnosis import diagnose
from resolver.services.health.findings import Level
from resolver.services.health.heartbeats import record_heartbeat
from resolver.services.proxy_answers.configured_proxy import DoiProxy
from resolver.services.storage.clock import read_clock
from resolver.standin.server import SampleProxyServer
from tests.mail_server import receiving_mail
from tests.openid_provider import WrittenProvider
from tests.saml_provider import SamlProvider
from tests.services.conftest import NOWHERE

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


@pytest.mark.parametrize(
    ("name", "meant"),
    [("PROXY_CONCURENCY", "PROXY_CONCURRENCY"), ("DATABASE_URI", "DATABASE_URL"), ("keep_days", "KEEP_DAYS")],
)
def test_a_setting_with_a_misspelt_name_is_named_with_the_one_that_is_meant(
    proxy: DoiProxy, monkeypatch: pytest.MonkeyPatch, name: str, meant: str
) -> None:
    monkeypatch.setenv(name, "5")
    (found,) = [one for one in diagnose(proxy, now=timezone.now()) if one.says.startswith(name)]
    assert (found.level, meant in found.do) == (Level.ADVICE, True)


def test_variables_of_other_programs_are_no_misspelt_settings(proxy: DoiProxy, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HOSTNAME", "https_proxy", "no_proxy", "FTP_PROXY", "SENTRY_RELEASE", "SSL_CERT_DIR", "PYTHONPATH"):
        monkeypatch.setenv(name, "5")
    assert not [says for part, says in find_sentences(proxy, Level.ADVICE) if "no such setting" in says]


def test_a_host_that_no_web_server_can_listen_on_is_a_fault(proxy: DoiProxy, settings: Any) -> None:
    settings.HOST = "192.0.2.1"
    ((part, says),) = find_sentences(proxy, Level.FAULT)
    assert (part, "can't listen on HOST=192.0.2.1: " in says) == ("settings", True)
    for host in ("0.0.0.0", "localhost", "127.0.0.1"):
        settings.HOST = host
        assert find_sentences(proxy, Level.FAULT) == []


def test_a_disk_that_is_nearly_full_is_a_fault(proxy: DoiProxy, settings: Any) -> None:
    settings.DISK_RESERVE = 10**18
    ((part, says),) = find_sentences(proxy, Level.FAULT)
    assert (part, says.partition(":")[0]) == ("data folder", "Uploads are refused")


def test_an_error_between_us_and_the_database_is_a_fault_of_each_part_that_needs_it(proxy: DoiProxy) -> None:
    def fail(*_: Any) -> None:
        raise InterfaceError("the cursor is closed")

    with connection.execute_wrapper(fail):
        faults = find_sentences(proxy, Level.FAULT)
    assert ("database", "InterfaceError: the cursor is closed") in faults


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


@pytest.mark.slow
def test_static_files_of_another_version_are_a_fault(proxy: DoiProxy, settings: Any, tmp_path: Path) -> None:
    settings.STATIC_ROOT = tmp_path
    call_command("collectstatic", interactive=False, verbosity=0)
    assert ("static files", "They are collected.") in find_sentences(proxy, Level.OK)
    with (tmp_path / "resolver/site.css").open("a") as file:
        file.write("/* of the version before */")
    (says,) = [says for part, says in find_sentences(proxy, Level.FAULT) if part == "static files"]
    assert says.endswith("files that differ: 1.")
    call_command("collectstatic", clear=True, interactive=False, verbosity=0)  # as the doctor says
    assert ("static files", "They are collected.") in find_sentences(proxy, Level.OK)


def test_the_proxy_gets_one_request_however_it_answers(proxy_at: Any) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(30)
        connections = []

        def hang_up() -> None:
            with suppress(OSError):  # closed at the end
                while True:
                    connection, _ = server.accept()
                    connections.append(connection.getsockname())
                    connection.close()

        threading.Thread(target=hang_up, daemon=True).start()
        found = find_sentences(proxy_at(f"http://127.0.0.1:{server.getsockname()[1]}"), Level.FAULT)
    assert [part for part, _ in found] == ["DOI proxy"]
    assert len(connections) == 1


def test_a_folder_of_static_files_that_prepare_leaves_alone_is_filled_by_another_command(
    proxy: DoiProxy, settings: Any, tmp_path: Path
) -> None:
    settings.STATIC_DIR = settings.STATIC_ROOT = tmp_path
    (found,) = [one for one in diagnose(proxy, now=timezone.now()) if one.part == "static files"]
    assert found.do == "Run: manage.py collectstatic --clear --noinput"


def test_a_mail_server_that_answers_is_all_right_and_one_that_does_not_is_a_fault(
    proxy: DoiProxy, settings: Any
) -> None:
    assert "mail" not in [part for part, _ in find_sentences(proxy, Level.OK)], "without a server nothing is said"
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    with receiving_mail() as server:
        settings.EMAIL_HOST, settings.EMAIL_PORT = server.host, server.port
        says = f"The mail server {server.host} port {server.port} answers."
        assert ("mail", says) in find_sentences(proxy, Level.OK)
    assert not server.messages
    settings.EMAIL_PORT = 9
    says = "The mail server 127.0.0.1 port 9 can't be used (ConnectionRefusedError)."
    assert ("mail", says) in find_sentences(proxy, Level.FAULT)


def test_a_missing_migration_is_a_fault(proxy: DoiProxy) -> None:
    ((app, last),) = MigrationLoader(connection).graph.leaf_nodes("resolver")
    MigrationRecorder(connection).record_unapplied(app, last)
    assert ("database", "Its tables are not up to date; missing migrations: 1.") in find_sentences(proxy, Level.FAULT)


def test_a_proxy_with_other_dois_alone_is_no_fault_and_the_doctor_says_what_was_requested(
    proxy_at: Any, tmp_path: Path
) -> None:
    records = tmp_path / "records.json"
    records.write_text('{"records": [], "absent": ["10.1000/182"]}')
    with SampleProxyServer(records) as private:
        found = [one for one in diagnose(proxy_at(private.url), now=timezone.now()) if one.part == "DOI proxy"]
    assert [one.level for one in found] == [Level.ADVICE]
    assert "doesn't know 10.1000/182 (the DOI Handbook)" in found[0].says


def test_the_scheduler_is_missed_and_of_two_one_is_too_many(proxy: DoiProxy) -> None:
    assert any("wasn't alive in the last minute" in says for _, says in find_sentences(proxy, Level.ADVICE))
    record_heartbeat("celerybeat@one", timezone.now())
    assert ("scheduler", "Alive in the last minute.") in find_sentences(proxy, Level.OK)
    record_heartbeat("celerybeat@two", timezone.now())
    says = "2 were alive in the last minute, and there must be one."
    assert ("scheduler", says) in find_sentences(proxy, Level.ADVICE)


def test_a_proxy_that_does_not_answer_is_a_fault(proxy_at: Any) -> None:
    ((part, says),) = find_sentences(proxy_at("http://127.0.0.1:9"), Level.FAULT)
    assert part == "DOI proxy"
    assert says.startswith("http://127.0.0.1:9: ")


def test_a_request_that_gets_no_permit_is_a_fault_after_a_while(proxy_at: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(diagnosis, "PERMIT_SECONDS", 0.1)
    proxy: DoiProxy = proxy_at(NOWHERE)
    proxy = replace(proxy, config=replace(proxy.config, timeout=0.1))
    while proxy.budget.take().permit:
        pass
    assert ("DOI proxy", "A request had no answer within 0.2 seconds, or no permit to be sent.") in find_sentences(
        proxy, Level.FAULT
    )


def test_a_password_in_the_address_of_the_proxy_is_not_told(proxy_at: Any) -> None:
    ((_, says),) = find_sentences(proxy_at("http://user:hunter2@127.0.0.1:9"), Level.FAULT)
    assert "hunter2" not in says
    assert "http://127.0.0.1:9" in says


def test_an_address_that_cannot_be_read_is_a_fault_of_its_part(proxy: DoiProxy, settings: Any) -> None:
    settings.REDIS_URL, settings.CELERY_BROKER_TRANSPORT_OPTIONS = "redis://127.0.0.1:63x9/0", {}
    ((part, _),) = find_sentences(proxy, Level.FAULT)
    assert part == "broker"


def test_a_proxy_that_refuses_us_is_a_fault_and_gets_no_request(proxy: DoiProxy, standin: SampleProxyServer) -> None:
    for _ in range(ALARM_AFTER_REFUSALS):
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
        ({"METADATA": True, "CONTACT_EMAIL": "", "METADATA_SERVICE_URL": ""}, "the slower public limits of Crossref"),
        ({"DOI_PROXY_URL": "https://doi.org", "PROXY_RATE": 0.0}, "any number of requests per second"),
        ({"DOI_PROXY_URL": "https://doi.org", "PROXY_RATE": 50.0}, "allows 50.0 requests per second"),
        ({"MAX_UPLOAD_BYTES": 10**15}, "GB are free"),
        (
            {"CSRF_TRUSTED_ORIGINS": ["https://dois.example.org"], "ALLOWED_HOSTS": ["localhost"]},
            "ALLOWED_HOSTS doesn't allow dois.example.org",
        ),
        ({"REMOTE_GROUPS_HEADER": "X-Groups", "REMOTE_USER_HEADER": ""}, "REMOTE_USER_HEADER is not"),
        ({"REMOTE_GROUPS_HEADER": "X-Groups", "REMOTE_USER_HEADER": "X-User"}, "no groups are"),
        ({}, "None was alive in the last minute"),
    ],
)
def test_what_should_be_better_is_advice(proxy: DoiProxy, settings: Any, values: dict[str, Any], told: str) -> None:
    for name, value in values.items():
        setattr(settings, name, value)
    assert any(told in says for _, says in find_sentences(proxy, Level.ADVICE))


@pytest.mark.parametrize(
    "values", [{"METADATA": False}, {"CONTACT_EMAIL": "a@b.example"}, {"METADATA_SERVICE_URL": "http://127.0.0.1:9"}]
)
def test_public_limits_are_no_advice_where_they_do_not_hold(
    proxy: DoiProxy, settings: Any, values: dict[str, Any]
) -> None:
    for name, value in ({"METADATA": True, "CONTACT_EMAIL": "", "METADATA_SERVICE_URL": ""} | values).items():
        setattr(settings, name, value)
    assert not any("public limits" in says for _, says in find_sentences(proxy, Level.ADVICE))


LOCAL = ["127.0.0.1", "localhost", "[::1]", "0.0.0.0"]


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ({"HOST": "0.0.0.0", "ALLOWED_HOSTS": LOCAL}, True),
        ({"HOST": "::", "ALLOWED_HOSTS": [*LOCAL, "[::]"]}, True),
        ({"HOST": "127.0.0.1", "ALLOWED_HOSTS": LOCAL, "TRUSTED_PROXIES": ["127.0.0.1"]}, True),
        ({"HOST": "127.0.0.1", "ALLOWED_HOSTS": LOCAL, "TRUSTED_PROXIES": []}, False),
        ({"HOST": "0.0.0.0", "ALLOWED_HOSTS": [*LOCAL, "dois.example.org"]}, False),
        ({"HOST": "192.0.2.7", "ALLOWED_HOSTS": [*LOCAL, "192.0.2.7"], "TRUSTED_PROXIES": ["192.0.2.8"]}, False),
    ],
)
def test_hosts_of_this_machine_alone_are_told_if_other_machines_reach_the_portal(
    proxy: DoiProxy, settings: Any, values: dict[str, Any], told: bool
) -> None:
    for name, value in values.items():
        setattr(settings, name, value)
    assert any("ALLOWED_HOSTS has only" in says for _, says in find_sentences(proxy, Level.ADVICE)) is told


@pytest.mark.parametrize("path", ["api/handles", "doi"])
def test_a_path_too_many_in_the_address_of_the_proxy_is_suspected(
    standin: SampleProxyServer, proxy_at: Any, path: str
) -> None:
    found = diagnose(proxy_at(f"{standin.url}/{path}"), now=timezone.now())
    (fault,) = [one for one in found if one.level is Level.FAULT]
    assert fault.part == "DOI proxy"
    assert fault.do.startswith("Check DOI_PROXY_URL: it has a path.")


@pytest.mark.parametrize("allowed", ["dois.example.org", ".example.org"])
def test_a_public_host_that_is_allowed_needs_nothing(proxy: DoiProxy, settings: Any, allowed: str) -> None:
    settings.CSRF_TRUSTED_ORIGINS = ["https://dois.example.org:8443", "https://*.example.com"]
    settings.ALLOWED_HOSTS = [allowed]
    assert not any("ALLOWED_HOSTS" in says for _, says in find_sentences(proxy, Level.ADVICE))


def test_an_address_in_the_settings_that_nobody_else_reaches_needs_no_public_address(
    proxy: DoiProxy, settings: Any
) -> None:
    for settings.HOST in ("127.0.0.1", "::1", "localhost"):
        assert not any("CSRF_TRUSTED_ORIGINS" in says for _, says in find_sentences(proxy, Level.ADVICE))


@pytest.fixture
def provider(settings: Any) -> Iterator[WrittenProvider]:
    with WrittenProvider() as written:
        settings.OIDC_SERVER_URL = written.url
        yield written


def find_sign_on(proxy: DoiProxy, level: Level) -> list[str]:
    return [says for part, says in find_sentences(proxy, level) if part == "sign-on"]


def test_a_provider_that_answers_is_all_right_and_one_by_http_gets_advice(
    proxy: DoiProxy, provider: WrittenProvider
) -> None:
    assert find_sign_on(proxy, Level.OK) == [f"{provider.url} is an OpenID provider, and answers."]
    (says,) = find_sign_on(proxy, Level.ADVICE)
    assert says.startswith(f"OIDC_SERVER_URL is {provider.url}:")


@pytest.mark.parametrize("answer", [404, 503, b"<html>", {"issuer": "https://elsewhere.example"}, []])
def test_a_provider_that_does_not_answer_as_one_is_a_fault(
    proxy: DoiProxy, provider: WrittenProvider, answer: Any
) -> None:
    provider.answers["/.well-known/openid-configuration"] = lambda: answer
    assert len(find_sign_on(proxy, Level.FAULT)) == 1


def test_a_scope_that_the_provider_does_not_list_and_groups_that_count_for_nobody_get_advice(
    proxy: DoiProxy, provider: WrittenProvider, settings: Any
) -> None:
    provider.answers["/.well-known/openid-configuration"] = lambda: provider.description(scopes_supported=["openid"])
    settings.OIDC_USER_GROUPS = ["library"]
    assert [says.split(":")[0] for says in find_sign_on(proxy, Level.ADVICE)[1:]] == [
        "The OpenID provider doesn't list these scopes",
        "OIDC_USER_GROUPS is set, but everyone may use the portal without a login.",
    ]


def test_without_a_provider_nothing_is_said_of_one(proxy: DoiProxy) -> None:
    assert [one for level in Level for one in find_sign_on(proxy, level)] == []


@pytest.fixture
def saml_provider(settings: Any) -> Iterator[SamlProvider]:
    with SamlProvider() as running:
        settings.SAML_IDP_METADATA = f"{running.url}/metadata"
        yield running


def test_metadata_of_a_saml_provider_is_all_right_and_by_http_gets_advice(
    proxy: DoiProxy, saml_provider: SamlProvider
) -> None:
    assert find_sign_on(proxy, Level.OK) == [f"{saml_provider.url} is a SAML identity provider."]
    (says,) = find_sign_on(proxy, Level.ADVICE)
    assert says.startswith(f"SAML_IDP_METADATA is {saml_provider.url}/metadata:")


@pytest.mark.parametrize(
    "wrong", [{"SAML_IDP_METADATA": "missing.xml"}, {"SAML_IDP_ENTITY_ID": "another"}, {"SAML_KEY_FILE": "missing.key"}]
)
def test_metadata_that_cannot_be_used_and_a_missing_key_are_faults(
    proxy: DoiProxy, saml_provider: SamlProvider, settings: Any, wrong: dict[str, str]
) -> None:
    for name, value in wrong.items():
        setattr(settings, name, value)
    assert len(find_sign_on(proxy, Level.FAULT)) == 1


def test_metadata_that_cannot_be_fetched_is_a_fault(proxy: DoiProxy, saml_provider: SamlProvider) -> None:
    saml_provider.metadata = 503
    assert len(find_sign_on(proxy, Level.FAULT)) == 1


def test_a_worker_whose_clock_is_off_is_named(proxy: DoiProxy) -> None:
    now = read_clock()
    record_heartbeat("celery@right", now, clock_ahead=-2.9)
    record_heartbeat("celery@ahead", now, clock_ahead=120.2)
    record_heartbeat("celery@behind", now, clock_ahead=-4.0)
    record_heartbeat("celery@gone", now - timedelta(hours=1), clock_ahead=500)
    found = [says for part, says in find_sentences(proxy, Level.ADVICE) if part == "clocks"]
    wrong = [
        "The clock of the machine of worker celery@ahead is 120 s ahead of the database's.",
        "The clock of the machine of worker celery@behind is 4 s behind the database's.",
    ]
    assert found == (wrong if connection.vendor == "postgresql" else [])


def test_this_machine_with_a_clock_that_is_off_is_named(proxy: DoiProxy, monkeypatch: pytest.MonkeyPatch) -> None:
    read = time.time
    monkeypatch.setattr(time, "time", lambda: read() + 120)
    found = [says for part, says in find_sentences(proxy, Level.ADVICE) if part == "clocks"]
    wrong = ["The clock of this machine is 120 s ahead of the database's."]
    assert found == (wrong if connection.vendor == "postgresql" else [])
