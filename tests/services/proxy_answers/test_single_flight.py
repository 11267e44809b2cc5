"""Whoever asks for what is not stored leaves a thread to those who ask for what is, and does not wait for ever."""

import re
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

import pytest
from django.db import connection
from django.utils import timezone

from doiportal.supervisor import processes
from resolver.domain.handle.record import ProxyError
from resolver.models import Question
from resolver.proxy.responses import Failure
from resolver.services.proxy_answers import semaphore, single_flight
from resolver.services.proxy_answers.semaphore import Attempt, ProxyBusy, ProxySemaphore, TurnedBack
from resolver.services.proxy_answers.single_flight import ask_once

ROOT = Path(__file__).parents[3]


@contextmanager
def taken(places: ProxySemaphore, number: int) -> Iterator[list[threading.Event]]:
    """So many places are taken, by a thread each; an event that is set gives one back."""
    leave = [threading.Event() for _ in range(number)]
    there = threading.Barrier(number + 1)

    def hold(until: threading.Event) -> None:
        with places.place():
            there.wait(10)
            until.wait(30)

    threads = [threading.Thread(target=hold, args=(event,)) for event in leave]
    for thread in threads:
        thread.start()
    there.wait(10)
    yield leave
    for event in leave:
        event.set()
    for thread in threads:
        thread.join()


def take(places: ProxySemaphore) -> str:
    with places.place():
        return "taken"


def test_who_waits_gets_the_next_place_that_becomes_free() -> None:
    places = ProxySemaphore()
    with ThreadPoolExecutor(2) as pool, taken(places, semaphore.PLACES) as leave:
        waiting = [pool.submit(take, places) for _ in range(2)]
        time.sleep(0.1)
        assert places.is_full
        assert not any(each.done() for each in waiting)
        leave[0].set()
        assert [each.result(5) for each in waiting] == ["taken"] * 2
    assert not places.is_full


def test_who_waits_goes_on_as_long_as_places_go_from_hand_to_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(semaphore, "SLOW_AFTER", 1.0)
    places = ProxySemaphore()
    with taken(places, semaphore.PLACES - 1), ThreadPoolExecutor(1) as pool:
        with taken(places, 1) as leave:
            time.sleep(0.8)
            leave[0].set()
        with taken(places, 1) as leave:
            waiting = pool.submit(take, places)
            time.sleep(0.9)
            assert not waiting.done(), "the others are slow, but one place has just been taken anew"
            leave[0].set()
            assert waiting.result(5) == "taken"


def test_who_waits_is_sent_away_when_no_place_becomes_free(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(semaphore, "SLOW_AFTER", 0.2)
    places = ProxySemaphore()
    with taken(places, semaphore.PLACES - 1):
        assert take(places) == "taken"
        time.sleep(0.3)
        assert take(places) == "taken", "there is a place, however slow the others are"
    with taken(places, semaphore.PLACES):
        with pytest.raises(ProxyBusy) as busy:
            take(places)
        assert busy.value.seconds > 0
        assert places.is_stuck


def test_three_threads_of_a_web_process_never_wait_for_the_proxy() -> None:
    told = [processes.WEB, *((ROOT / name).read_text() for name in ("docker-compose.yml", "Dockerfile"))]
    threads = [re.findall(r'--threads"?,? "?(\d+)', text) for text in told]
    assert threads == [[str(semaphore.PLACES + 3)]] * 3


def test_all_questions_of_one_request_are_put_from_one_place() -> None:
    places = ProxySemaphore()
    with taken(places, semaphore.PLACES - 1):
        with places.one_place():
            assert not places.is_full, "it is taken with the first question"
            with places.place():
                assert places.is_full
            assert places.is_full, "the place is kept between two questions"
            with places.place(), places.place():
                assert places.is_full
        assert not places.is_full


def test_a_request_that_the_server_can_run_again_waits_for_no_place_in_its_thread() -> None:
    places, attempt = ProxySemaphore(), Attempt()
    with taken(places, semaphore.PLACES):
        token = semaphore.ATTEMPT.set(attempt)
        try:
            with pytest.raises(TurnedBack):
                take(places)
            assert attempt.turned_back
            attempt.turned_back, attempt.came_at = False, attempt.came_at - semaphore.LONGEST_WAIT - 1
            with pytest.raises(ProxyBusy):
                take(places)
            assert not attempt.turned_back, "it has waited for long enough"
        finally:
            semaphore.ATTEMPT.reset(token)


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
    monkeypatch.setattr(semaphore, "SLOW_AFTER", 0.2)
    with ThreadPoolExecutor(semaphore.PLACES) as pool, under_way("silent"):
        waiting = [pool.submit(ask, "silent") for _ in range(semaphore.PLACES)]
        while not (semaphore.OF_THIS_PROCESS.is_full and semaphore.OF_THIS_PROCESS.is_stuck):
            time.sleep(0.01)
        for what in ("silent", "another"):
            with pytest.raises(ProxyBusy):
                ask(what)
        assert not any(each.done() for each in waiting)
    assert [each.result() for each in waiting] == ["asked"] * semaphore.PLACES


@pytest.mark.django_db(transaction=True)
def test_who_comes_while_all_are_quick_gets_a_place() -> None:
    with ThreadPoolExecutor(2 * semaphore.PLACES) as pool:
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
