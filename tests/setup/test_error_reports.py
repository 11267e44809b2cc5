"""What a Sentry server receives: faults of pages, workers and commands, with ids and without a text of anybody."""

import gzip
import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
import requests

from tests.setup.portal import RunningPortal, serving
from tests.waiting import wait_until

ROOT = Path(__file__).parents[2]
SECRET = "marked-secret-of-a-person"
REQUEST_ID = "trusted-0123456789"


class EnvelopeServer(ThreadingHTTPServer):
    """Keeps each envelope: the bytes as they came, unpacked, and the events in it."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), EnvelopeRequest)
        self.envelopes: list[bytes] = []

    @property
    def dsn(self) -> str:
        return f"http://key@127.0.0.1:{self.server_address[1]}/1"

    @property
    def events(self) -> list[dict[str, Any]]:
        lines = [json.loads(line) for envelope in self.envelopes for line in envelope.splitlines() if line]
        return [line for line in lines if "level" in line]

    def wait_for(self, is_it: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        events = wait_until("the event comes", lambda: self.events, lambda events: any(map(is_it, events)))
        return next(filter(is_it, events))


class EnvelopeRequest(BaseHTTPRequestHandler):
    server: EnvelopeServer

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        unpacked = gzip.decompress(body) if self.headers.get("Content-Encoding") == "gzip" else body
        self.server.envelopes.append(unpacked)
        self.send_response(200)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def sentry() -> Iterator[EnvelopeServer]:
    with EnvelopeServer() as server:
        Thread(target=server.serve_forever, args=(0.05,)).start()
        yield server
        server.shutdown()


@pytest.fixture(scope="module")
def portal(tmp_path_factory: pytest.TempPathFactory, sentry: EnvelopeServer) -> Iterator[RunningPortal]:
    """A portal in whose database nobody can look a text up, and no row can be resolved. The database says so with the
    text itself, as databases do."""
    with serving(
        tmp_path_factory.mktemp("portal"), worker=True, SENTRY_DSN=sentry.dsn, TRUSTED_PROXIES="127.0.0.1"
    ) as running:
        fail = f"BEGIN SELECT RAISE(ABORT, '{SECRET}'); END"
        folder = Path(running.environment["DOIPORTAL_DATA_DIR"])
        with closing(sqlite3.connect(folder / "doiportal.sqlite3")) as database:
            database.execute(f"CREATE TRIGGER lookups BEFORE INSERT ON resolver_lookup {fail}")
            found = "WHEN NEW.outcome IN ('resolved', 'not-found')"
            database.execute(f"CREATE TRIGGER rows BEFORE UPDATE ON resolver_row {found} {fail}")
            database.execute(f"CREATE TRIGGER accounts BEFORE INSERT ON auth_user {fail}")
        yield running


def types(event: dict[str, Any]) -> list[str]:
    return [value["type"] for value in event["exception"]["values"]]


def test_a_fault_of_a_page_arrives_with_the_id_of_its_request(portal: RunningPortal, sentry: EnvelopeServer) -> None:
    answer = requests.post(
        f"http://127.0.0.1:{portal.port}/api/v1/lookups",
        json={"input": f"10.5555/{SECRET}"},
        cookies={"other": SECRET},
        headers={"X-Request-ID": REQUEST_ID, "User-Agent": SECRET},
        timeout=30,
    )
    assert answer.status_code == 500
    event = sentry.wait_for(lambda event: event["tags"].get("request_id") == REQUEST_ID)
    assert "IntegrityError" in types(event)
    assert event["logentry"]["formatted"] == "Server error: POST /api/v1/lookups"
    places = [frame["module"] for value in event["exception"]["values"] for frame in value["stacktrace"]["frames"]]
    assert "resolver.services.lookups.look_up" in places


def test_a_fault_of_a_form_arrives(portal: RunningPortal, sentry: EnvelopeServer) -> None:
    browser = requests.Session()
    root = f"http://127.0.0.1:{portal.port}"
    page = browser.get(f"{root}/", timeout=30).text
    token = page.partition('name="csrfmiddlewaretoken" value="')[2].partition('"')[0]
    answer = browser.post(
        f"{root}/lookups?q={SECRET}", data={"csrfmiddlewaretoken": token, "text": f"10.5555/{SECRET}"}, timeout=30
    )
    assert answer.status_code == 500
    event = sentry.wait_for(lambda event: event["tags"].get("request_id") == answer.headers["X-Request-ID"])
    assert event["logentry"]["formatted"] == "Server error: POST /lookups"


def test_a_fault_in_the_task_of_a_worker_arrives_with_the_id_of_the_list(
    portal: RunningPortal, sentry: EnvelopeServer
) -> None:
    body = "DOI,note\n" + "".join(f"10.5555/{SECRET}.{number},{SECRET}\n" for number in range(3))
    api = f"http://127.0.0.1:{portal.port}/api/v1/jobs"
    headers = {"Content-Type": "text/csv", "X-Request-ID": "upload-0123456789"}
    job = requests.post(api, data=body, headers=headers, timeout=30).json()["id"]
    event = sentry.wait_for(lambda event: event["tags"].get("list_id") == job)
    assert event["tags"]["request_id"] == "upload-0123456789"
    assert "IntegrityError" in types(event)


@pytest.mark.slow
def test_a_fault_that_ends_a_command_arrives(portal: RunningPortal, sentry: EnvelopeServer) -> None:
    with pytest.raises(subprocess.CalledProcessError):
        portal.run_manage("createsuperuser", "--noinput", "--username", SECRET, "--email", "")
    event = sentry.wait_for(lambda event: "logger" not in event)
    assert "IntegrityError" in types(event)
    assert event["tags"] == {}


LOGGED_WITH_WORDS = f"""
import asyncio
from resolver.api.errors import answer_with_problem
from tests.waiting import wait_until

async def fail():
    raise ValueError({SECRET!r})

async def forget_a_task():
    task = asyncio.ensure_future(fail())
    await asyncio.sleep(0)
    del task

asyncio.run(forget_a_task())
answer_with_problem(OSError(28, "{SECRET}"), {{}})
"""


@pytest.mark.slow
def test_neither_a_full_disk_nor_a_library_puts_the_words_of_an_exception_into_the_message(
    portal: RunningPortal, sentry: EnvelopeServer
) -> None:
    portal.run_manage("shell", "-v0", "-c", LOGGED_WITH_WORDS)
    full = sentry.wait_for(lambda event: event.get("logger") == "resolver.api.errors" and not event["tags"])
    assert full["logentry"]["formatted"] == "Storage full"
    assert "OSError" in types(full)
    forgotten = sentry.wait_for(lambda event: event.get("logger") == "asyncio")
    assert forgotten["logentry"]["formatted"] == "A line of asyncio, written in base_events.default_exception_handler"
    assert types(forgotten) == ["ValueError"]


def test_no_report_holds_a_text_of_anybody(portal: RunningPortal, sentry: EnvelopeServer) -> None:
    sentry.wait_for(lambda event: "list_id" in event["tags"])
    assert SECRET in portal.printed, "the log has the words of the exception"
    assert len(sentry.events) >= 3
    for envelope in sentry.envelopes:
        assert SECRET.encode() not in envelope
        assert b"127.0.0.1" not in envelope
        assert b"csrf" not in envelope


@pytest.mark.slow
def test_without_the_setting_the_library_is_not_even_imported(tmp_path: Path) -> None:
    shown = subprocess.run(
        [
            sys.executable,
            "-c",
            "import sys, doiportal.wsgi, doiportal.celery, resolver.tasks; print('sentry_sdk' in sys.modules)",
        ],
        cwd=ROOT,
        env={"PATH": os.environ["PATH"], "DOIPORTAL_DATA_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert shown.stdout.strip() == "False"
