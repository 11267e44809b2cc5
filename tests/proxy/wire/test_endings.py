"""A batch that ends, or fails, in the middle: nothing is sent after it, and no other batch suffers."""

import socket
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from resolver.domain.handle.answers import Unreachable
from resolver.proxy.bulk_client import BatchRequest, BulkClient
from resolver.proxy.limits import FileBudget
from resolver.proxy.limits.budget import ABANDONED_SECONDS
from resolver.proxy.limits.proxy_health import BackoffPolicy
from tests.proxy import raw_server as raw
from tests.proxy.conftest import Ask, config_for
from tests.proxy.raw_server import RawServer

NAMES = [f"10.1/{number}" for number in range(100)]


@pytest.fixture
def wide(tmp_path: Path) -> Iterator[FileBudget]:
    """A budget with more permits than there are requests at a time."""
    budget = FileBudget(tmp_path / "wide", 50, None, policy=BackoffPolicy(first_pause=0.01))
    yield budget
    budget.close()


@pytest.mark.parametrize("seconds", [-60.0, -1.0, 0.0])
def test_a_batch_whose_end_is_past_sends_nothing(wide: FileBudget, seconds: float) -> None:
    with RawServer(lambda request: raw.missing(request.name)) as server:
        with BulkClient(config_for(server.url), wide) as bulk:
            found = bulk.start(BatchRequest(NAMES, NAMES, ends=time.monotonic() + seconds)).result()
            assert (found.agencies, found.records) == ({}, {})
            bulk.advance_meanwhile()
            time.sleep(0.2)
        assert server.requests == []


def test_nothing_is_sent_after_the_end(wide: FileBudget) -> None:
    with RawServer(lambda request: raw.silence) as server, BulkClient(config_for(server.url), wide) as bulk:
        ended = bulk.start(BatchRequest(records=NAMES, ends=time.monotonic() + 0.3))
        ended.wait(0.2)
        assert len(server.requests) == 4
        assert ended.result().records == {}
        bulk.start(BatchRequest()).result()
        time.sleep(0.2)
        assert len(server.requests) == 4


def test_all_permits_are_given_back_after_a_batch_that_has_ended(wide: FileBudget) -> None:
    with RawServer(lambda request: raw.silence) as server:
        with BulkClient(config_for(server.url), wide) as bulk:
            bulk.start(BatchRequest(records=NAMES, ends=time.monotonic() + 0.3)).result()
        left = ABANDONED_SECONDS + 1 + time.monotonic()
        while time.monotonic() < left:
            time.sleep(0.1)
        assert sum(bool(wide.take().permit) for _ in range(50)) == 50


class LostForAMoment(FileBudget):
    """A budget whose store is away for a moment."""

    away = False

    def give_back(self, permit: str, after: float = 0.0) -> None:
        if self.away:
            raise ConnectionError("the budget is gone")
        super().give_back(permit, after)


def test_after_an_error_of_the_store_what_was_under_way_is_over_and_the_next_names_are_requested(
    tmp_path: Path,
) -> None:
    budget = LostForAMoment(tmp_path, 4, 9000.0)  # with a rate no permit is passed on
    with (
        RawServer(lambda request: time.sleep(0.3) or raw.missing(request.name)) as server,
        BulkClient(config_for(server.url), budget) as bulk,
    ):
        batch = bulk.start(BatchRequest(records=NAMES))
        batch.wait(0.1)
        time.sleep(0.6)
        budget.away = True
        with pytest.raises(ConnectionError):
            batch.wait(5)
        budget.away = False
        assert batch.done()
        sent = len(server.requests)
        time.sleep(1)
        assert len(server.requests) == sent
        assert len(bulk.resolve(NAMES[:8])) == 8
    budget.close()


@pytest.mark.parametrize("concurrency", [1, 2, 4])
def test_an_answer_that_comes_at_once_is_taken_in_at_once(wide: FileBudget, concurrency: int) -> None:
    with (
        RawServer(lambda request: raw.missing(request.name)) as server,
        BulkClient(config_for(server.url, concurrency=concurrency), wide) as bulk,
    ):
        began = time.monotonic()
        assert len(bulk.resolve(NAMES[:20])) == 20
        assert time.monotonic() - began < 3, "some milliseconds on a machine that has time"


def test_a_connection_that_is_refused_at_once_is_told_at_once(wide: FileBudget) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    with BulkClient(config_for(f"http://127.0.0.1:{port}", concurrency=1), wide) as bulk:
        began = time.monotonic()
        for name in NAMES[:3]:
            bulk.resolve([name])
        assert time.monotonic() - began < 3


def test_an_address_without_a_scheme_is_none_for_either_client(ask: Ask) -> None:
    with RawServer(lambda request: raw.missing(NAMES[0])) as server:
        assert isinstance(ask(f"127.0.0.1:{server.port}").resolve(NAMES[0]).answer, Unreachable)
        assert server.connections == 0
