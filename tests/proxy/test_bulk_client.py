"""A list of names: it advances while its thread waits, and ends where it should: at a time, at so many bytes, when the
caller leaves."""

import math
import multiprocessing
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from resolver.domain.handle.answers import MissingHandle
from resolver.domain.handle.record import Record
from resolver.proxy.bulk_client import BatchRequest, BulkClient
from resolver.proxy.client import ProxyClient
from resolver.proxy.limits import FileBudget
from resolver.proxy.limits.budget import ABANDONED_SECONDS
from resolver.proxy.limits.budget_state import Booking
from resolver.proxy.proxy_reply import TIMED_OUT
from tests.proxy import raw_server as raw
from tests.proxy.conftest import config_for
from tests.proxy.raw_server import RawServer
from tests.waiting import wait_until

NAMES = [f"10.1/{number}" for number in range(500)]
NOBODY = "http://127.0.0.1:9"


def records(*, until: float = math.inf) -> BatchRequest:
    return BatchRequest(records=NAMES, until=until)


def answer_slowly(request: raw.Request) -> bytes:
    """All names together take two seconds and more."""
    time.sleep(0.02)
    return raw.missing(request.name)


def test_a_caller_may_leave_in_the_middle(budget: FileBudget) -> None:
    with RawServer(answer_slowly) as server:
        with BulkClient(config_for(server.url), budget) as bulk:
            asked = bulk.start(records())
            asked.wait(0.2)
        assert asked.done()
        got, sent = dict(asked.result().records), len(server.requests)
        assert 0 < len(got) <= sent < 500
        time.sleep(0.3)
        assert len(server.requests) <= sent + 4, "those that were on their way"


def test_what_is_under_way_when_the_session_is_closed_keeps_its_permits_for_a_while(budget: FileBudget) -> None:
    """The proxy works on: it cannot know that nobody waits any more. Who only waited has no permit."""
    with RawServer(lambda request: raw.silence) as server:
        with BulkClient(config_for(server.url), budget) as bulk:
            asked = bulk.start(records())
            wait_until("four are sent", lambda: asked.wait(0.05) or len(server.requests) == 4)
        closed = time.monotonic()
        assert not budget.take().permit
        with budget.permit():
            assert ABANDONED_SECONDS * 0.9 < time.monotonic() - closed < 40
        assert len(server.requests) == 4


def test_what_waits_for_a_turn_when_the_session_is_closed_gives_its_permits_back_at_once(budget: FileBudget) -> None:
    budget.pause(60)
    with RawServer(answer_slowly) as server:
        with BulkClient(config_for(server.url), budget) as bulk:
            asked = bulk.start(records())
            wait_until("it holds all permits", lambda: asked.wait(0.02) or not budget.take().permit)
        assert [bool(budget.take().permit) for _ in range(5)] == [True] * 4 + [False]
        assert server.requests == []


def test_a_name_that_rests_between_two_attempts_needs_no_permit_and_goes_when_the_session_is_closed(
    budget: FileBudget,
) -> None:
    with RawServer(lambda request: raw.http(404, "<html>")) as server:
        with BulkClient(config_for(server.url, backoff=60.0), budget) as bulk:
            asked = bulk.start(BatchRequest(records=NAMES[:2]))
            wait_until("both have failed once", lambda: asked.wait(0.05) or len(server.requests) == 2)
            asked.wait(0.2)
            assert [bool(budget.take().permit) for _ in range(4)] == [True] * 4
        assert asked.done()
        assert asked.result().records == {}


def work_for(seconds: float) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        sum(range(1000))


@pytest.mark.parametrize("do_something_else", [time.sleep, work_for])
def test_the_requests_go_on_while_the_caller_does_something_else(
    budget: FileBudget, do_something_else: Callable[[float], None]
) -> None:
    with (
        RawServer(lambda request: raw.missing(request.name)) as server,
        BulkClient(config_for(server.url), budget) as bulk,
    ):
        asked = bulk.start(BatchRequest(records=NAMES[:100]))
        do_something_else(3)
        assert asked.done()
        assert len(asked.result().records) == 100


def test_a_person_does_not_wait_for_a_caller_that_does_something_else(budget: FileBudget) -> None:
    """Answers that came while it was busy would keep all permits."""
    with RawServer(answer_slowly) as server, BulkClient(config_for(server.url), budget) as bulk:
        bulk.start(records())
        other = ThreadPoolExecutor(1).submit(resolve_alone, server.url, budget)
        work_for(3)
        assert other.done()


def resolve_alone(url: str, budget: FileBudget) -> None:
    with ProxyClient(config_for(url), budget) as client:
        client.resolve("10.1/other")


def test_a_busy_caller_sends_no_burst_of_requests_when_the_pace_is_slow(tmp_path: Path) -> None:
    budget = FileBudget(tmp_path, 8, 20.0)
    with (
        RawServer(lambda request: raw.missing(request.name)) as server,
        BulkClient(config_for(server.url, concurrency=8), budget) as bulk,
    ):
        bulk.start(records())
        time.sleep(2)
        sent = len(server.requests)
        bulk.advance_meanwhile()
        time.sleep(0.02)
        assert len(server.requests) - sent <= 3
    budget.close()


def test_a_busy_caller_lets_the_requests_go_on_meanwhile(budget: FileBudget) -> None:
    with RawServer(lambda request: raw.missing(request.name)) as server:
        with BulkClient(config_for(server.url), budget) as bulk:
            bulk.advance_meanwhile()
            asked = bulk.start(records())
            end = time.monotonic() + 60
            while not asked.done():
                bulk.advance_meanwhile()
                assert time.monotonic() < end
        assert len(server.requests) == 500
        assert len(asked.found.records) == 500


@pytest.mark.parametrize("seconds", [0.0, 0.05, 0.3])
def test_a_caller_waits_no_longer_than_it_says(budget: FileBudget, seconds: float) -> None:
    with RawServer(lambda request: raw.silence) as server, BulkClient(config_for(server.url), budget) as bulk:
        asked = bulk.start(records())
        began = time.monotonic()
        asked.wait(seconds)
        assert seconds <= time.monotonic() - began < seconds + 3
        assert not asked.done()


def test_two_batches_go_on_together_whichever_is_waited_for(budget: FileBudget) -> None:
    """The older one's records come first."""
    with RawServer(lambda request: raw.missing(request.name)) as server:
        with BulkClient(config_for(server.url), budget) as bulk:
            older = bulk.start(BatchRequest(records=NAMES[:50]))
            newer = bulk.start(BatchRequest(records=NAMES[50:100]))
            assert len(newer.result().records) == 50
            assert len(older.found.records) > 50 - config_for(server.url).concurrency, "it comes first"
            assert len(older.result().records) == 50
        came = [NAMES.index(request.name) for request in server.requests]
        assert max(came[:45]) < 50


def test_a_batch_ends_though_another_one_goes_on(budget: FileBudget) -> None:
    def answer(request: raw.Request) -> raw.Answer:
        return raw.silence if request.name == NAMES[0] else raw.missing(request.name)

    with RawServer(answer) as server, BulkClient(config_for(server.url), budget) as bulk:
        silent = bulk.start(BatchRequest(records=NAMES[:1]))
        assert len(bulk.start(BatchRequest(records=NAMES[1:50])).result().records) == 49
        assert not silent.done()


def test_records_are_requested_of_the_names_that_need_one_by_their_agency(budget: FileBudget) -> None:
    def answer(request: raw.Request) -> raw.Answer:
        if "/doiRA/" in request.target:
            return raw.agencies(request.names)
        return raw.missing(request.name)

    with RawServer(answer) as server, BulkClient(config_for(server.url), budget) as bulk:
        names = NAMES[:120]
        found = bulk.start(BatchRequest(names, needs_record=lambda name, _: name.endswith("7"))).result()
        assert set(found.agencies) == set(names)
        assert set(found.records) == {name for name in names if name.endswith("7")}
        assert len(server.requests) == 3 + 12


def test_the_end_may_be_moved_meanwhile(budget: FileBudget) -> None:
    with RawServer(answer_slowly) as server, BulkClient(config_for(server.url), budget) as bulk:
        asked = bulk.start(records())
        asked.wait(0.3)
        asked.request.until = time.monotonic()
        sent = len(server.requests)
        found = asked.result()
        assert sent <= len(server.requests) <= sent + 4, "those that waited already for their permit"
        assert len(found.records) == len(server.requests)

        later = bulk.start(records(until=time.monotonic() + 0.2))
        later.request.until = math.inf
        assert len(later.result().records) == 500


def test_the_latest_end_may_be_moved_meanwhile(budget: FileBudget) -> None:
    with RawServer(lambda request: raw.silence) as server, BulkClient(config_for(server.url), budget) as bulk:
        asked = bulk.start(BatchRequest(records=NAMES))
        asked.wait(0.2)
        asked.request.ends = time.monotonic() + 0.2
        began = time.monotonic()
        assert asked.result().records == {}
        assert 0.1 < time.monotonic() - began < 3


def test_a_request_that_is_given_up_at_the_end_keeps_its_permit_for_a_while(budget: FileBudget) -> None:
    with RawServer(lambda request: raw.silence) as server, BulkClient(config_for(server.url), budget) as bulk:
        bulk.start(BatchRequest(records=NAMES, ends=time.monotonic() + 0.3)).result()
        assert len(server.requests) == 4
        assert not budget.take().permit


def test_threads_that_share_a_client_have_sessions_of_their_own(budget: FileBudget) -> None:
    """One leaves in the middle; the other ones' requests go on."""

    def ask(number: int) -> int:
        with bulk:
            asked = bulk.start(BatchRequest(records=NAMES[:100] if number else NAMES))
            if number:
                return len(asked.result().records)
            asked.wait(0.1)
            return 0

    with RawServer(answer_slowly) as server:
        bulk = BulkClient(config_for(server.url), budget)
        with ThreadPoolExecutor(4) as threads:
            assert list(threads.map(ask, range(4))) == [0, 100, 100, 100]
        assert server.most_in_flight <= 4


def test_a_client_may_be_entered_again_inside_and_keeps_its_session(budget: FileBudget) -> None:
    with RawServer(lambda request: raw.missing(request.name)) as server:
        with BulkClient(config_for(server.url, concurrency=1), budget) as bulk:
            for name in NAMES[:10]:
                with bulk:
                    assert isinstance(bulk.resolve([name])[name].answer, MissingHandle)
        assert server.connections == 1


def test_no_thread_is_left_of_a_session_that_has_ended(budget: FileBudget) -> None:
    with RawServer(answer_slowly) as server:
        with BulkClient(config_for(server.url), budget) as bulk:
            bulk.start(records()).wait(0.2)
        assert "proxy-session" not in {thread.name for thread in threading.enumerate()}


@pytest.mark.parametrize("seconds", [0.3, 0.8, 1.4])
def test_a_batch_ends_in_time(budget: FileBudget, seconds: float) -> None:
    with RawServer(lambda request: raw.silence) as server, BulkClient(config_for(server.url), budget) as bulk:
        began = time.monotonic()
        bulk.start(BatchRequest(records=NAMES[:4], ends=began + seconds)).result()
        assert seconds <= time.monotonic() - began < seconds + 0.6


def test_an_agency_s_batch_that_the_end_cuts_off_leaves_its_names_out(budget: FileBudget) -> None:
    with RawServer(lambda request: raw.silence) as server, BulkClient(config_for(server.url), budget) as bulk:
        found = bulk.start(BatchRequest(NAMES, ends=time.monotonic() + 0.3)).result()
        assert (found.agencies, found.records) == ({}, {})


def test_nothing_new_is_begun_after_the_time_given(budget: FileBudget) -> None:
    with RawServer(answer_slowly) as server:
        with BulkClient(config_for(server.url), budget) as bulk:
            found = bulk.start(records(until=time.monotonic() + 1)).result()
            over = BatchRequest(NAMES, needs_record=lambda name, verdict: True, until=time.monotonic())
            assert bulk.start(over).result().agencies == {}
        assert 0 < len(found.records) == len(server.requests) < 500


def test_nothing_new_is_begun_after_so_many_bytes(budget: FileBudget) -> None:
    """Each answer may have five megabytes, and a worker holds those of a thousand names."""

    def answer(request: raw.Request) -> bytes:
        return raw.record(request.name, ("URL", "https://example.org/" + "a" * 100_000))

    with RawServer(answer) as server, BulkClient(config_for(server.url), budget) as bulk:
        found = bulk.start(BatchRequest(records=NAMES, most_bytes=1_000_000)).result()
        under_way = config_for(server.url).concurrency
        assert 10 <= len(found.records) == len(server.requests) <= 10 + under_way
        assert 1_000_000 < found.received < (11 + under_way) * 100_000
        assert bulk.start(BatchRequest(records=NAMES[:3], most_bytes=1_000_000)).result().records.keys() == {*NAMES[:3]}


def test_what_has_no_answer_at_the_end_is_given_up_and_the_other_answers_are_kept(budget: FileBudget) -> None:
    def answer(request: raw.Request) -> raw.Answer:
        return raw.silence if request.name == "10.1/3" else raw.missing(request.name)

    with RawServer(answer) as server, BulkClient(config_for(server.url), budget) as bulk:
        began = time.monotonic()
        found = bulk.start(BatchRequest(records=NAMES[:10], ends=began + 2)).result()
        assert time.monotonic() - began < 30
        assert set(found.records) == {*NAMES[:10]} - {"10.1/3"}
        assert bulk.resolve(["10.1/1"])["10.1/1"].answer.raw, "and the session goes on"


@pytest.mark.parametrize("size", [0, 100_000])
def test_an_answer_that_came_in_time_counts_however_long_the_caller_was_busy(budget: FileBudget, size: int) -> None:
    """A worker may wait for its database longer than for the proxy."""

    def answer(request: raw.Request) -> bytes:
        return raw.record(request.name, ("URL", f"https://example.org/{'a' * size}"))

    with RawServer(answer) as server, BulkClient(config_for(server.url, timeout=0.5), budget) as bulk:
        bulk.resolve(NAMES[:4])  # on connections that are open already, too
        asked = bulk.start(BatchRequest(records=NAMES[4:8]))
        time.sleep(1.5)
        assert {type(found.answer) for found in asked.result().records.values()} == {Record}
        assert len(server.requests) == 8, "none was repeated"


def test_an_answer_that_does_not_come_in_time_is_none_however_long_the_caller_was_busy(budget: FileBudget) -> None:
    with RawServer(lambda request: raw.silence) as server:
        with BulkClient(config_for(server.url, timeout=0.5, attempts=3), budget) as bulk:
            asked = bulk.start(BatchRequest(records=NAMES[:1]))
            time.sleep(1.5)
            assert asked.result().records[NAMES[0]].answer == TIMED_OUT
        assert len(server.requests) == 3


def test_an_empty_list_needs_nothing(budget: FileBudget) -> None:
    assert BulkClient(config_for(NOBODY), budget).resolve([]) == {}


class Lost(FileBudget):
    """A budget whose store goes away after so many turns, as Redis may, and comes back later."""

    turns = 20

    def take(self, waiter: str = "") -> Booking:
        booking = super().take(waiter)
        if booking.permit:
            self.turns -= 1
            if self.turns < 0:
                self.give_back(booking.permit)
                raise ConnectionError("the budget is gone")
        return booking


@pytest.fixture
def lost(tmp_path: Path) -> Iterator[Lost]:
    budget = Lost(tmp_path, 4, 10_000 - 1)  # with a rate each request takes its permit from the store
    yield budget
    budget.close()


def test_an_error_of_the_budget_s_store_ends_the_list_with_that_error(lost: Lost) -> None:
    with RawServer(lambda request: raw.missing(request.name)) as server:
        with pytest.raises(ConnectionError, match="the budget is gone"):
            BulkClient(config_for(server.url), lost).resolve(NAMES)
        assert len(server.requests) <= 20


def test_after_an_error_of_the_store_nothing_is_held_or_sent_any_more(lost: Lost) -> None:
    with RawServer(answer_slowly) as server:
        with pytest.raises(ConnectionError), BulkClient(config_for(server.url), lost) as bulk:
            bulk.start(records()).result()
        sent = len(server.requests)
        lost.turns = 10**6
        time.sleep(ABANDONED_SECONDS + 1)  # for those that were under way
        assert len(server.requests) == sent
        assert [bool(lost.take().permit) for _ in range(4)] == [True] * 4


def test_when_the_store_is_back_the_same_client_goes_on(lost: Lost) -> None:
    with RawServer(lambda request: raw.missing(request.name)) as server:
        bulk = BulkClient(config_for(server.url), lost)
        with pytest.raises(ConnectionError):
            bulk.resolve(NAMES)
        lost.turns = 10**6
        assert len(bulk.resolve(NAMES[:50])) == 50


FORKING = multiprocessing.get_context("fork")


def resolve_some(bulk: BulkClient, answer: "multiprocessing.Queue[int]") -> None:
    answer.put(sum(isinstance(found.answer, MissingHandle) for found in bulk.resolve(NAMES[:20]).values()))


def test_a_forked_process_has_a_session_of_its_own(budget: FileBudget) -> None:
    with RawServer(lambda request: raw.missing(request.name)) as server:
        bulk = BulkClient(config_for(server.url), budget)
        assert len(bulk.resolve(NAMES[:20])) == 20
        answer = FORKING.Queue()
        child = FORKING.Process(target=resolve_some, args=(bulk, answer))
        child.start()
        assert len(bulk.resolve(NAMES[20:40])) == 20
        assert answer.get(timeout=60) == 20
        child.join()


MANY_FILES = """
import resource, socket, sys, time
from pathlib import Path
from resolver.proxy.bulk_client import BatchRequest, BulkClient
from resolver.proxy.limits import FileBudget
from resolver.proxy.proxy_config import ProxyConfig
resource.setrlimit(resource.RLIMIT_NOFILE, (4096, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
held = [open("/dev/null") for _ in range(1500)]
began = time.monotonic()
bulk = BulkClient(ProxyConfig(sys.argv[1], "test", backoff=0), FileBudget(Path(sys.argv[2]), 4, None))
found = bulk.resolve(f"10.1/{number}" for number in range(100))
print({type(one.answer).__name__ for one in found.values()}, time.monotonic() - began < 20)
"""


def test_a_process_may_have_more_than_a_thousand_files_open(tmp_path: Path) -> None:
    with RawServer(lambda request: raw.missing(request.name)) as server:
        command = [sys.executable, "-c", MANY_FILES, server.url, str(tmp_path)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("{'MissingHandle'} True\n", "")
    assert len(server.requests) == 100
