"""Whoever asks for what is not stored leaves a thread to those who ask for what is, and does not wait for ever."""

import re
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from datetime import timedelta
from pathlib import Path

import pytest
from django.db import connection
from django.utils import timezone

from doiportal.supervisor import processes
from resolver.domain.handle.record import ProxyError
from resolver.models import Question
from resolver.proxy.responses import Failure
from resolver.services.proxy_answers import line, single_flight
from resolver.services.proxy_answers.line import Attempt, Line, ProxyBusy, TurnedBack
from resolver.services.proxy_answers.single_flight import ask_once

ROOT = Path(__file__).parents[3]


def test_who_stands_behind_gets_ahead_when_one_in_front_leaves() -> None:
    one, another, place = ExitStack(), ExitStack(), Line()
    first = one.enter_context(place.joined())
    rest = [another.enter_context(place.joined()) for _ in range(line.FRONT + 1)]
    assert [each.in_front for each in (first, *rest)] == [True] * line.FRONT + [False] * 2
    one.close()
    assert [each.in_front for each in rest] == [True] * line.FRONT + [False]
    another.close()
    with place.joined() as alone:
        assert alone.in_front


def test_who_stands_behind_is_sent_away_when_most_in_front_are_slow(monkeypatch: pytest.MonkeyPatch) -> None:
    moment = 100.0
    monkeypatch.setattr("time.monotonic", lambda: moment)
    place = Line()
    with ExitStack() as front, ExitStack() as quick:
        slow, _ = (front.enter_context(place.joined()) for _ in range(2))
        moment += line.SLOW_AFTER
        for _ in range(line.FRONT - 2):
            quick.enter_context(place.joined())
        with place.joined() as behind:
            behind.stay()
            moment += line.SLOW_AFTER
            with pytest.raises(ProxyBusy):
                behind.stay()
            slow.stay()
            quick.close()
            behind.stay()


def test_three_threads_of_a_web_process_never_wait_for_the_proxy() -> None:
    told = [processes.WEB, *((ROOT / name).read_text() for name in ("docker-compose.yml", "Dockerfile"))]
    threads = [re.findall(r'--threads"?,? "?(\d+)', text) for text in told]
    assert threads == [[str(line.FRONT + 3)]] * 3


def test_all_questions_of_one_request_are_put_from_one_place() -> None:
    place = Line()
    with place.one_place():
        with place.joined() as first:
            assert first.in_front
        with ExitStack() as others:
            for _ in range(line.FRONT):
                last = others.enter_context(place._standing())
            assert not last.in_front, "the place is kept between two questions"
            with place.joined() as second:
                assert second is first
            assert not last.in_front
    with place.joined() as next_one:
        assert next_one.in_front


def test_a_request_that_the_server_can_run_again_waits_for_no_turn_in_its_thread() -> None:
    place, attempt = Line(), Attempt()
    with ExitStack() as front:
        for _ in range(line.FRONT):
            front.enter_context(place.joined())
        token = line.ATTEMPT.set(attempt)
        try:
            with place.joined() as behind:
                with pytest.raises(TurnedBack):
                    behind.get_ahead()
                assert attempt.turned_back
                attempt.turned_back, attempt.came_at = False, attempt.came_at - line.LONGEST_BEHIND - 1
                with pytest.raises(ProxyBusy):
                    behind.get_ahead()
                assert not attempt.turned_back, "it has waited for long enough"
        finally:
            line.ATTEMPT.reset(token)


def answer_at_once() -> tuple[str | Failure, Failure | None]:
    return "asked", None


def ask(what: str, proxy: Callable[[], tuple[str | Failure, Failure | None]] = answer_at_once) -> str | Failure:
    """Of a proxy that is asked so; nothing is stored."""
    now = timezone.now()
    try:
        return ask_once(what, ask=proxy, stored=lambda since: None, now=now, fresh_since=now)
    finally:
        if threading.current_thread() is not threading.main_thread():
            connection.close()


@contextmanager
def under_way(what: str, *, since: timedelta = timedelta(0)) -> Iterator[None]:
    """Another process asks this, and lives."""
    now = timezone.now()
    row = Question.objects.create(what=what, until=now + timedelta(minutes=5), asked_at=now - since)
    yield
    row.delete()


@pytest.mark.django_db(transaction=True)
def test_nobody_waits_for_what_has_been_asked_for_too_long() -> None:
    with under_way("silent", since=single_flight.LONGEST_WAIT), pytest.raises(ProxyBusy) as busy:
        ask("silent")
    assert busy.value.seconds > 0
    assert ask("silent") == "asked"


@pytest.mark.django_db(transaction=True)
def test_while_most_wait_for_a_silent_proxy_further_askers_are_sent_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(line, "SLOW_AFTER", 0.2)
    with ThreadPoolExecutor(line.FRONT) as pool, under_way("silent"):
        waiting = [pool.submit(ask, "silent") for _ in range(line.FRONT)]
        while not (line.OF_THIS_PROCESS.is_full and line.OF_THIS_PROCESS.is_stuck):
            time.sleep(0.01)
        for what in ("silent", "another"):
            with pytest.raises(ProxyBusy):
                ask(what)
        assert not any(each.done() for each in waiting)
    assert [each.result() for each in waiting] == ["asked"] * line.FRONT


@pytest.mark.django_db(transaction=True)
def test_who_comes_while_all_are_quick_gets_a_turn() -> None:
    with ThreadPoolExecutor(2 * line.FRONT) as pool:
        asked = [pool.submit(ask, f"number {number}") for number in range(20)]
    assert [each.result() for each in asked] == ["asked"] * 20


@pytest.mark.django_db(transaction=True)
def test_those_who_wait_are_told_all_that_the_proxy_says_of_its_failure() -> None:
    failure = ProxyError("code 2: no\x00", {"responseCode": 2, "message": "no\x00", "extra": [1.5, "\ud800"]})

    def fail_when_awaited() -> tuple[str | Failure, Failure | None]:
        while not Question.objects.filter(awaited=True).exists():
            time.sleep(0.01)
        return failure, failure

    with ThreadPoolExecutor(2) as pool:
        told = [each.result() for each in [pool.submit(ask, "wrong", fail_when_awaited) for _ in range(2)]]
    assert told == [failure] * 2
    assert [each.raw for each in told if isinstance(each, ProxyError)] == [failure.raw] * 2
