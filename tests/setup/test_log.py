"""The log of a portal that is started whole: its lines, the ids in them, and what doesn't stand in it."""

import json
import logging
import logging.config
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import requests
from django.http import HttpRequest, StreamingHttpResponse
from django.test import Client, RequestFactory
from structlog.contextvars import bound_contextvars, clear_contextvars, get_contextvars

from doiportal.logs.ids import RequestIdMiddleware
from doiportal.logs.lines import build_formatter, write_json
from doiportal.supervisor import process_commands
from resolver.models import Job
from resolver.standin.server import SampleProxyServer
from tests.portal_processes import ROOT
from tests.setup.portal import SupervisedPortal, supervised
from tests.waiting import wait_until

TYPED = "10.5555/typed-by-somebody"
TRUSTED_ID, SHORT_ID = "trusted-0123456789", "x"


@pytest.fixture(scope="module")
def portal(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[SupervisedPortal, SampleProxyServer]]:
    """A portal that logs JSON, behind a server on this machine, and its DOI proxy."""
    with (
        SampleProxyServer() as proxy,
        supervised(
            tmp_path_factory.mktemp("portal"),
            LOG_FORMAT="json",
            LOG_LEVEL="info",
            DOI_PROXY_URL=proxy.url,
            DOI_PROXY_BACKOFF="0.01",
            TRUSTED_PROXIES="127.0.0.1",
        ) as running,
    ):
        yield running, proxy


def read_lines(portal: SupervisedPortal) -> list[dict[str, Any]]:
    return [json.loads(line) for line in portal.printed.splitlines()]


@pytest.mark.slow
def test_a_line_of_a_worker_names_the_list_and_the_request_that_sent_it(
    portal: tuple[SupervisedPortal, SampleProxyServer],
) -> None:
    running, proxy = portal
    proxy.refuse(everyone=True)
    body = "DOI\n" + "".join(f"{TYPED}.{number}\n" for number in range(5))
    api = f"http://127.0.0.1:{running.port}/api/v1/jobs"
    answer = requests.post(api, data=body, headers={"Content-Type": "text/csv", "X-Request-ID": TRUSTED_ID}, timeout=30)
    running.wait_until_it_says("list_id")
    (line, *_) = [line for line in read_lines(running) if "list_id" in line]
    assert answer.headers["X-Request-ID"] == TRUSTED_ID
    assert (line["process"], line["list_id"], line["request_id"]) == ("worker", answer.json()["id"], TRUSTED_ID)
    assert line["level"] in ("warning", "error")


def test_every_line_is_an_object_with_the_process_and_a_message(
    portal: tuple[SupervisedPortal, SampleProxyServer],
) -> None:
    lines = wait_until(  # the web server may answer before a worker has written anything
        "each process has written a line",
        lambda: read_lines(portal[0]),
        lambda lines: {"web", "worker", "supervisor"} <= {line.get("process") for line in lines},
    )
    assert all({"process", "event"} <= set(line) for line in lines)
    told = [line for line in lines if line["process"] == "web"]
    assert told
    assert all({"timestamp", "level", "logger"} <= set(line) for line in told)


def run_worker(portal: SupervisedPortal, folder: Path, *options: str, **environment: str) -> tuple[list[str], str]:
    """The lines that a worker of its own logs until it is ready and ended, and what else it prints."""
    log, rest = folder / "stderr", folder / "stdout"
    with log.open("wb") as stderr, rest.open("wb") as stdout:
        worker = subprocess.Popen(
            [sys.executable, "-m", *process_commands.WORKER.split(), *options],
            cwd=ROOT,
            env=portal.environment | environment,
            stderr=stderr,
            stdout=stdout,
        )
    logged = wait_until(
        "the worker is ready", log.read_text, lambda logged: " ready." in logged or worker.poll() is not None
    )
    assert " ready." in logged, logged
    worker.terminate()
    assert worker.wait(60) == 0
    return log.read_text().splitlines(), rest.read_text()


@pytest.mark.slow
def test_all_that_a_worker_logs_from_its_start_is_json_without_make_run(
    portal: tuple[SupervisedPortal, SampleProxyServer], tmp_path: Path
) -> None:
    lines, rest = run_worker(portal[0], tmp_path)
    objects = [json.loads(line) for line in lines]
    assert all({"timestamp", "level", "logger", "event"} <= set(line) for line in objects)
    about_root = [line for line in objects if "superuser privileges" in line["event"]]
    assert len(about_root) == (1 if os.geteuid() == 0 else 0)
    assert rest.strip() == "worker: Warm shutdown (MainProcess)"


@pytest.mark.slow
def test_a_level_on_the_command_line_of_a_worker_goes_before_the_setting(
    portal: tuple[SupervisedPortal, SampleProxyServer], tmp_path: Path
) -> None:
    lines, _ = run_worker(portal[0], tmp_path, "--loglevel", "INFO", LOG_LEVEL="ERROR")
    assert "info" in {json.loads(line)["level"] for line in lines}


def test_an_answer_names_its_request_and_an_id_of_another_shape_is_not_taken(
    portal: tuple[SupervisedPortal, SampleProxyServer],
) -> None:
    page = f"http://127.0.0.1:{portal[0].port}/healthz"
    ids = [
        requests.get(page, headers={"X-Request-ID": given}, timeout=10).headers["X-Request-ID"]
        for given in (SHORT_ID, "a b" * 9, "y" * 65)
    ]
    assert len(set(ids)) == 3
    assert all(re.fullmatch("[0-9a-f]{32}", one) for one in ids)


def test_nothing_that_was_typed_is_logged(portal: tuple[SupervisedPortal, SampleProxyServer]) -> None:
    running, _ = portal
    root = f"http://127.0.0.1:{running.port}"
    for path in (TYPED, f"api/handles/{TYPED}", f"search?q={TYPED}", f"nothing/{TYPED}", "api/v1/lookups"):
        requests.get(f"{root}/{path}", timeout=30, allow_redirects=False)
    requests.get(f"{root}/{TYPED}", headers={"Host": "typed-by-somebody.example"}, timeout=30)
    requests.post(f"{root}/lookups", data={"text": TYPED}, timeout=30)  # no CSRF token
    requests.post(
        f"{root}/lookups?{TYPED}", data=TYPED, headers={"Content-Type": "multipart/form-data; boundary="}, timeout=30
    )
    requests.post(f"{root}/api/v1/lookups", json={"input": TYPED, TYPED: 1}, timeout=30)
    # All of it is written before the line of what ends now.
    running.process("worker").kill()
    running.wait_until_it_says("ending the rest", 60)
    assert "typed-by-somebody" not in running.printed


def test_a_fault_of_ours_is_logged_with_its_route(
    client: Client, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("as in a fault")

    monkeypatch.setattr("resolver.web.site.monitoring.check_parts", fail)
    client.raise_request_exception = False
    assert client.get(f"/readyz?q={TYPED}").status_code == 500
    (record,) = [one for one in caplog.records if one.name == "django.request"]
    assert record.getMessage() == "Server error: GET /readyz"
    written = logging.Formatter().format(record)
    assert "RuntimeError: as in a fault" in written
    assert TYPED not in written
    assert "Resolver404" not in written
    assert "'path'" not in written


def format_lines(log_format: str) -> list[str]:
    """What the formatter makes of a line with ids, and of one with an exception."""
    logging_settings = {"()": "x", **build_formatter(log_format)}
    clear_contextvars()
    written: list[str] = []

    class Lines(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            written.append(self.format(record))

    handler = Lines()
    made = logging_settings.pop("()")
    handler.setFormatter(made(**logging_settings))
    log = logging.getLogger("tests.lines")
    log.addHandler(handler)
    try:
        with bound_contextvars(request_id="r1", list_id="l1"):
            log.warning("%s rows", 5)
        try:
            raise ValueError("wrong")
        except ValueError:
            log.exception("It failed")
    finally:
        log.removeHandler(handler)
    return written


def test_a_line_as_text_has_time_level_place_message_and_ids() -> None:
    with_ids, with_exception = format_lines("text")
    assert re.fullmatch(r"\S+Z WARNING tests\.lines: 5 rows list_id=l1 request_id=r1", with_ids)
    first, *traceback = with_exception.splitlines()
    assert first.endswith("ERROR tests.lines: It failed")
    assert (traceback[0], traceback[-1]) == ("Traceback (most recent call last):", "ValueError: wrong")


def test_a_line_as_json_has_them_as_members() -> None:
    with_ids, with_exception = (json.loads(line) for line in format_lines("json"))
    assert {**with_ids, "timestamp": ""} == {
        "event": "5 rows", "level": "warning", "logger": "tests.lines", "timestamp": "",
        "request_id": "r1", "list_id": "l1",
    }  # fmt: skip
    assert with_exception["exception"].endswith("ValueError: wrong")


def test_a_name_of_a_file_with_a_lone_surrogate_is_written() -> None:
    line = write_json(None, "", {"event": "list\ud800.csv"})
    assert json.loads(line) == {"event": "list\ud800.csv"}


def test_a_long_answer_is_made_with_the_id_of_its_request(rf: RequestFactory) -> None:
    def answer(_: HttpRequest) -> StreamingHttpResponse:
        return StreamingHttpResponse(get_contextvars().get("request_id", "none") for _ in range(2))

    middleware = RequestIdMiddleware(answer)
    for given in ("first-request", "second-request"):
        response = middleware(rf.get("/", headers={"X-Request-ID": given}))
        assert response.headers["X-Request-ID"] == given
        assert b"".join(response) == given.encode() * 2


@pytest.mark.django_db
def test_each_list_of_an_owner_has_the_id_of_its_own_upload(client: Client) -> None:
    for given in ("first-upload", "second-upload"):
        client.post("/api/v1/jobs", b"10.1000/182\n", content_type="text/plain", headers={"X-Request-ID": given})
    assert set(Job.objects.values_list("request_id", flat=True)) == {"first-upload", "second-upload"}
