"""The DOI proxy is a shared public service: Retry-After is obeyed by everyone, and every attempt takes a slot."""

import time
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path

import pytest

from resolver.domain.handle.answers import MissingHandle
from resolver.proxy.bulk_client import BulkClient
from resolver.proxy.client import ProxyClient
from resolver.proxy.limits import FileBudget
from resolver.proxy.proxy_reply import parse_retry_after
from tests.proxy import raw_server as raw
from tests.proxy.conftest import Ask, config_for
from tests.proxy.raw_server import RawServer, Request, http

NOW = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("7", 7.0),
        ("0", 0.0),
        (" 12 ", 12.0),
        ("86400", 86400.0),
        (format_datetime(NOW + timedelta(seconds=30), usegmt=True), 30.0),
        (format_datetime(NOW - timedelta(days=1), usegmt=True), 0.0),
        (format_datetime(NOW + timedelta(days=1), usegmt=True), 86400.0),
        (None, None),
        ("", None),
        ("-1", None),
        ("1.5", None),
        ("soon", None),
        ("٣", None),
        ("Thu, 99 Foo 2026 99:99:99 GMT", None),
        ("9" * 5000, None),
    ],
)
def test_retry_after_is_seconds_or_a_date(value: str | None, seconds: float | None) -> None:
    assert parse_retry_after(value, NOW.timestamp()) == seconds


@pytest.mark.parametrize("status", [403, 429, 503])
def test_retry_after_is_obeyed(ask: Ask, status: int) -> None:
    answers = iter([http(status, "wait", Retry_After="1"), raw.missing("10.1/a")])
    with RawServer(lambda request: next(answers)) as server:
        assert isinstance(ask(server.url).resolve("10.1/a").answer, MissingHandle)
    first, second = (request.at for request in server.requests)
    assert 0.9 <= second - first < 20


def test_retry_after_holds_for_other_processes_too(tmp_path: Path) -> None:
    mine, theirs = FileBudget(tmp_path, 4, None), FileBudget(tmp_path, 4, None)
    answers = iter([http(429, "wait", Retry_After="1"), raw.missing("10.1/a")])
    with RawServer(lambda request: next(answers)) as server, ProxyClient(config_for(server.url), mine) as client:
        client.resolve("10.1/a")
        mine.pause(0.5)
        began = time.monotonic()
        with theirs.permit():
            assert time.monotonic() - began > 0.4
    mine.close()
    theirs.close()


def test_a_list_stays_within_the_slots_and_every_name_has_its_answer(budget: FileBudget) -> None:
    def answer(request: Request) -> raw.Answer:
        time.sleep(0.005)
        number = int(request.name.rpartition("/")[2])
        return raw.missing(request.name) if number % 3 else raw.record(request.name)

    names = [f"10.1/{number}" for number in range(300)]
    with RawServer(answer) as server:
        found = BulkClient(config_for(server.url, concurrency=16), budget).resolve([*names, *names])
    assert sorted(found) == sorted(names)
    assert all(isinstance(found[name].answer, MissingHandle) == (index % 3 > 0) for index, name in enumerate(names))
    assert server.most_in_flight == 4
    assert len(server.requests) == 300


def test_a_worker_waits_for_nobody_s_slow_name(budget: FileBudget) -> None:
    def answer(request: Request) -> raw.Answer:
        return raw.silence if request.name == "10.1/0" else raw.missing(request.name)

    with RawServer(answer) as server:
        names = [f"10.1/{number}" for number in range(50)]
        found = BulkClient(config_for(server.url, timeout=0.3), budget).resolve(names)
    assert [name for name in names if not isinstance(found[name].answer, MissingHandle)] == ["10.1/0"]
