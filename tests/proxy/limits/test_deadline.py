"""While all pause for long, whoever asks for a person is told so at once, and sends nothing."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from resolver.domain.handle.answers import MissingHandle, Unreachable
from resolver.proxy.client import ProxyClient
from resolver.proxy.limits import FileBudget, Paused, request_deadline
from resolver.proxy.limits.budget import ABANDONED_SECONDS
from resolver.proxy.limits.proxy_health import BackoffPolicy
from resolver.proxy.limits.request_deadline import TimeLimitReached, time_limit
from resolver.services.proxy_answers.waiting_places import LOOKUP_SECONDS
from tests.proxy import raw_server as raw
from tests.proxy.conftest import Make, config_for
from tests.proxy.raw_server import RawServer, http

LONG = 40.0


def test_how_long_all_pause_yet_is_known_to_every_process(make: Make) -> None:
    one, other = make(1), make(1)
    assert one.get_pause() == other.get_pause() == 0.0
    one.pause(LONG)
    assert LONG - 10 < other.get_pause() <= LONG


@contextmanager
def soon(call: Callable[[float], None], argument: float) -> Iterator[None]:
    """Call it in a thread a moment later, and wait for its end."""
    timer = threading.Timer(0.1, call, [argument])
    timer.start()
    yield
    timer.join()


def test_a_pause_longer_than_one_s_own_bound_holds_too(make: Make) -> None:
    """A command in the shell may have a smaller PROXY_LONGEST_PAUSE than the portal."""
    portal, command = make(1), make(1, policy=BackoffPolicy(longest_pause=5.0))
    portal.pause(LONG)
    command.pause(5.0)
    assert command.get_pause() > LONG - 10
    turn = command.take()
    assert turn.permit
    assert turn.wait > LONG - 10


def test_a_pause_longer_than_patience_is_told_before_a_slot_is_taken(make: Make) -> None:
    budget, other = make(1, 1.0), make(1, 1.0)  # one that was taken and given back would count for a second
    other.pause(LONG)
    with pytest.raises(Paused) as told, budget.permit(patience=10.0):
        pass
    assert LONG - 10 < told.value.seconds <= LONG
    assert other.take().permit


def test_a_pause_is_told_to_those_who_wait_behind_others_too(make: Make) -> None:
    budget, other = make(1), make(1)
    assert other.take().permit
    with soon(other.pause, LONG), pytest.raises(Paused), budget.permit(patience=10.0):
        pass


def test_a_pause_that_grows_while_it_is_waited_for_is_told_and_the_slot_given_back(make: Make) -> None:
    budget, other = make(1), make(1)
    other.pause(5.0)
    with soon(other.pause, LONG), pytest.raises(Paused), budget.permit(patience=10.0):
        pass
    assert other.take().permit


def test_a_pause_shorter_than_patience_is_waited_for(make: Make) -> None:
    budget = make(1)
    began = time.monotonic()
    budget.pause(0.3)
    with budget.permit(patience=10.0):
        assert time.monotonic() - began >= 0.3


def test_a_pause_that_the_first_answer_asks_for_ends_the_question(budget: FileBudget) -> None:
    with RawServer(lambda request: http(429, "wait", Retry_After="40")) as server:
        with ProxyClient(config_for(server.url), budget, patience=10.0) as client, pytest.raises(Paused):
            client.resolve("10.1/a")
        assert len(server.requests) == 1


def test_the_pauses_of_all_attempts_together_count(budget: FileBudget) -> None:
    with RawServer(lambda request: http(429, "wait", Retry_After="1")) as server:
        with ProxyClient(config_for(server.url), budget, patience=1.9) as client, pytest.raises(Paused):
            client.resolve("10.1/a")
        assert len(server.requests) == 2


def test_without_a_bound_a_question_waits_for_its_answer(budget: FileBudget) -> None:
    answers = iter([http(503, "wait", Retry_After="1"), raw.missing("10.1/a")])
    with RawServer(lambda request: next(answers)) as server, ProxyClient(config_for(server.url), budget) as client:
        assert isinstance(client.resolve("10.1/a").answer, MissingHandle)


def test_a_time_limit_holds_over_all_questions_their_attempts_and_their_waiting(make: Make) -> None:
    """Each answer comes within its own time-out; together they take too long."""

    def slow(request: raw.Request) -> raw.Answer:
        time.sleep(0.4)
        return http(404, {"responseCode": 100, "handle": request.name})

    with RawServer(slow) as server, ProxyClient(config_for(server.url), make(2)) as client:
        with time_limit(4.0):
            assert isinstance(client.record("10.5555/in-time"), MissingHandle)
            names = (f"10.5555/{number}" for number in range(50))
            with pytest.raises(TimeLimitReached) as told:
                list(map(client.record, names))
        assert told.value.seconds > 0
        assert isinstance(client.record("10.5555/without-a-limit"), MissingHandle)


def test_a_proxy_that_never_answers_is_out_of_reach_after_three_attempts_within_the_time_limit(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(request_deadline, "ATTEMPT_SECONDS", 1.2)
    monkeypatch.setattr(request_deadline, "AFTER_LAST_ATTEMPT_SECONDS", 0.3)
    monkeypatch.setattr(request_deadline, "SHORTEST_ATTEMPT_SECONDS", 0.2)
    budget = make(4, policy=BackoffPolicy(first_pause=0.01))
    with RawServer(lambda request: raw.silence) as server, ProxyClient(config_for(server.url), budget) as client:
        with time_limit(4.0):
            assert isinstance(client.record("10.5555/hangs"), Unreachable)
        assert len(server.requests) == 3


def test_with_two_permits_the_last_attempt_has_its_time_though_the_permit_of_the_first_is_still_taken() -> None:
    first = LOOKUP_SECONDS - 2 * request_deadline.ATTEMPT_SECONDS - request_deadline.AFTER_LAST_ATTEMPT_SECONDS
    last = LOOKUP_SECONDS - request_deadline.AFTER_LAST_ATTEMPT_SECONDS - (first + ABANDONED_SECONDS)
    assert last > request_deadline.SHORTEST_ATTEMPT_SECONDS + 0.3  # looking for the permit takes a moment


def test_a_time_limit_holds_while_others_have_all_slots(make: Make) -> None:
    budget, other = make(1), make(1)
    assert other.take().permit
    with time_limit(0.2), pytest.raises(TimeLimitReached), budget.permit():
        pass
