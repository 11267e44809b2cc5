"""Whoever asks for what is not stored leaves a thread to those who ask for what is, and does not wait for ever."""

import re
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from doiportal.supervisor import process_commands
from resolver.domain.handle.answers import ProxyError
from resolver.models import InFlightRequest
from resolver.proxy.limits.request_deadline import Paused, TimeLimitReached
from resolver.proxy.metadata_requests import ServicePaused
from resolver.services.http.request_run import ATTEMPT, RequestRun
from resolver.services.maintenance.cleanup import prune_in_flight_requests
from resolver.services.proxy_answers import single_flight, waiting_places
from resolver.services.proxy_answers.dated_answer import DatedAnswer, Found
from resolver.services.proxy_answers.single_flight import request_once
from resolver.services.proxy_answers.waiting_places import ProxyBusy, ProxyPlaces, TurnedBack
from tests.waiting import wait_until

ROOT = Path(__file__).parents[3]


@contextmanager
def taken(places: ProxyPlaces, number: int, *, is_batch: bool = False) -> Iterator[list[threading.Event]]:
    """So many places are taken, by a thread each; an event that is set gives one back."""
    leave = [threading.Event() for _ in range(number)]
    there = threading.Barrier(number + 1)

    def hold(until: threading.Event) -> None:
        with places.keep_place(is_batch=is_batch), places.take_place():
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


def take(places: ProxyPlaces, until: threading.Event | None = None) -> str:
    with places.take_place():
        if until is not None:
            until.wait(30)
        return "taken"


def test_who_waits_gets_the_next_place_that_becomes_free() -> None:
    places = ProxyPlaces()
    with ThreadPoolExecutor(2) as pool, taken(places, waiting_places.PLACES) as leave:
        waiting = [pool.submit(take, places) for _ in range(2)]
        time.sleep(0.1)
        assert places.is_full
        assert not any(each.done() for each in waiting)
        leave[0].set()
        assert [each.result(30) for each in waiting] == ["taken"] * 2
    assert not places.is_full


def test_who_waits_goes_on_as_long_as_places_go_from_hand_to_hand() -> None:
    places, over = ProxyPlaces(slow_after=4.0), threading.Event()
    with ThreadPoolExecutor(2) as pool, taken(places, waiting_places.PLACES) as leave:
        waiting = [pool.submit(take, places, over) for _ in range(2)]
        time.sleep(3)
        leave[0].set()  # one of the two takes the place, and keeps it
        time.sleep(2)
        assert not any(each.done() for each in waiting), "the others are slow, but one place went to somebody else"
        over.set()
        assert [each.result(30) for each in waiting] == ["taken"] * 2


def test_who_waits_is_sent_away_when_no_place_becomes_free() -> None:
    places = ProxyPlaces(slow_after=0.2)
    with taken(places, waiting_places.PLACES - 1):
        assert take(places) == "taken"
        time.sleep(0.3)
        assert take(places) == "taken", "there is a place, however slow the others are"
    with taken(places, waiting_places.PLACES):
        with pytest.raises(ProxyBusy) as busy:
            take(places)
        assert busy.value.seconds > 0
        assert places.is_stuck


def test_batches_leave_places_for_lookups() -> None:
    places, attempt = ProxyPlaces(slow_after=0.1), RequestRun()
    with taken(places, waiting_places.BATCH_PLACES, is_batch=True):
        assert take(places) == "taken", "a lookup finds a place"
        assert not places.is_full_for(attempt)
        token = waiting_places.ATTEMPT.set(attempt)
        try:
            with pytest.raises(TurnedBack), places.keep_place(is_batch=True), places.take_place():
                pass
        finally:
            waiting_places.ATTEMPT.reset(token)
        assert places.is_full_for(attempt), "so the web server waits before it runs the batch again"
    assert not places.is_full_for(attempt)
    with places.keep_place(is_batch=True), places.take_place():
        assert not places.is_full


def test_a_batch_waits_while_lookups_have_all_places() -> None:
    places = ProxyPlaces(slow_after=0.1)
    with taken(places, waiting_places.PLACES):
        time.sleep(0.2)
        with pytest.raises(ProxyBusy), places.keep_place(is_batch=True), places.take_place():
            pass
    with places.keep_place(is_batch=True), places.take_place():
        assert not places.is_full, "its part of the places was given back"


def test_three_threads_of_a_web_process_never_wait_for_the_proxy() -> None:
    told = [process_commands.WEB, *((ROOT / name).read_text() for name in ("docker-compose.yml", "Dockerfile"))]
    threads = [re.findall(r'--threads"?,? "?(\d+)', text) for text in told]
    assert threads == [[str(waiting_places.PLACES + 3)]] * 3


def test_all_questions_of_one_request_are_put_from_one_place() -> None:
    places = ProxyPlaces()
    with taken(places, waiting_places.PLACES - 1):
        with places.keep_place():
            assert not places.is_full, "it is taken with the first question"
            with places.take_place():
                assert places.is_full
            assert places.is_full, "the place is kept between two questions"
            with places.take_place(), places.take_place():
                assert places.is_full
        assert not places.is_full


def test_a_request_that_the_server_can_run_again_waits_for_no_place_in_its_thread() -> None:
    places, attempt = ProxyPlaces(), RequestRun()
    with taken(places, waiting_places.PLACES):
        token = ATTEMPT.set(attempt)
        try:
            with pytest.raises(TurnedBack):
                take(places)
            assert attempt.turned_back
            attempt.turned_back, attempt.came_at = False, attempt.came_at - waiting_places.LONGEST_WAIT_SECONDS - 1
            with pytest.raises(ProxyBusy):
                take(places)
            assert not attempt.turned_back, "it has waited for long enough"
        finally:
            ATTEMPT.reset(token)


def answers(answer: object = "answer") -> Found[Any]:
    return {"name": DatedAnswer(answer)}


def ask(key: str, proxy: Callable[[], Found[Any]] = answers, **options: Any) -> Any:
    """What a proxy says that is asked so; nothing is stored unless there is something to `recall`."""
    options = {"recall": lambda at, since: {}, "now": timezone.now(), **options}
    try:
        return request_once(key, ["name"], send=proxy, **options)["name"].answer
    finally:
        if threading.current_thread() is not threading.main_thread():
            connection.close()


@contextmanager
def under_way(key: str, *, since: timedelta = timedelta(0), until: timedelta = timedelta(minutes=5)) -> Iterator[None]:
    """Another process asks this, and lives, or was killed."""
    now = timezone.now()
    InFlightRequest.objects.create(key=key, token="another", until=now + until, asked_at=now - since)
    yield
    InFlightRequest.objects.filter(token="another").delete()


@pytest.mark.django_db(transaction=True)
def test_nobody_waits_for_what_has_been_asked_for_too_long() -> None:
    with under_way("silent", since=single_flight.LONGEST_WAIT), pytest.raises(ProxyBusy) as busy:
        ask("silent")
    assert busy.value.seconds > 0
    assert ask("silent") == "answer"


@pytest.mark.django_db(transaction=True)
def test_while_most_wait_for_a_silent_proxy_further_askers_are_sent_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waiting_places.PROXY_PLACES, "slow_after", 0.2)
    with ThreadPoolExecutor(waiting_places.PLACES) as pool, under_way("silent"):
        waiting = [pool.submit(ask, "silent") for _ in range(waiting_places.PLACES)]
        of_this = waiting_places.PROXY_PLACES
        wait_until("the places are stuck", lambda: of_this.is_full and of_this.is_stuck)
        for what in ("silent", "another"):
            with pytest.raises(ProxyBusy):
                ask(what)
        assert not any(each.done() for each in waiting)
    assert [each.result() for each in waiting] == ["answer"] * waiting_places.PLACES


@pytest.mark.django_db(transaction=True)
def test_who_comes_while_all_are_quick_gets_a_place() -> None:
    with ThreadPoolExecutor(2 * waiting_places.PLACES) as pool:
        asked = [pool.submit(ask, f"number {number}") for number in range(20)]
    assert [each.result() for each in asked] == ["answer"] * 20


def wait_until_it_is_awaited() -> None:
    wait_until("another asks", InFlightRequest.objects.filter(awaited=True).exists)


def fail_when_awaited(failure: ProxyError) -> Found[Any]:
    wait_until_it_is_awaited()
    return answers(failure)


@pytest.mark.django_db(transaction=True)
def test_those_who_wait_are_told_all_that_the_proxy_says_of_its_failure_and_those_in_line_hear_of_it() -> None:
    failure = ProxyError("code 2: no\x00", {"responseCode": 2, "message": "no\x00", "extra": [1.5, "\ud800"]})
    fail = partial(ask, "wrong", lambda: fail_when_awaited(failure), shared_for=timedelta(minutes=1))
    with ThreadPoolExecutor(2) as pool:
        told = [each.result() for each in [pool.submit(fail) for _ in range(2)]]
    told.append(ask("wrong"))
    assert told == [failure] * 3
    assert [each.raw for each in told] == [failure.raw] * 3
    InFlightRequest.objects.update(until=timezone.now() - timedelta(seconds=1))
    assert ask("wrong") == "answer"
    assert not InFlightRequest.objects.exists()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    "pause",
    [Paused(40.0), ServicePaused("api.example.org", 40.0), TimeLimitReached(), ProxyBusy()],
    ids=["proxy", "service", "time", "busy"],
)
def test_those_who_wait_are_told_which_server_pauses_and_why(pause: Paused) -> None:
    def pause_when_awaited() -> Found[Any]:
        wait_until_it_is_awaited()
        raise pause

    def told() -> str:
        with pytest.raises(Paused) as raised:
            ask("paused", pause_when_awaited)
        return f"{raised.value.seconds} {raised.value.describe('12:00')}"

    with ThreadPoolExecutor(2) as pool:
        both = {each.result() for each in [pool.submit(told) for _ in range(2)]}
    assert both == {f"{pause.seconds} {pause.describe('12:00')}"}


@pytest.mark.django_db(transaction=True)
def test_what_failed_requests_and_killed_processes_leave_behind_is_removed() -> None:
    ask("failed", lambda: answers(ProxyError("no")))
    InFlightRequest.objects.create(key="killed", asked_at=timezone.now())
    prune_in_flight_requests(timezone.now())
    assert InFlightRequest.objects.count() == 2
    prune_in_flight_requests(timezone.now() + timedelta(minutes=5))
    assert not InFlightRequest.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_a_failure_that_nobody_has_waited_for_is_nobody_elses() -> None:
    assert isinstance(ask("wrong", lambda: answers(ProxyError("no"))), ProxyError)
    assert ask("wrong") == "answer"


@pytest.mark.django_db(transaction=True)
def test_who_comes_just_when_another_is_done_does_not_ask_again() -> None:
    stored = lambda at, since: answers("stored")  # noqa: E731
    assert ask("done", recall=stored) == "stored"
    assert ask("done", recall=stored, anew=True) == "answer"


@pytest.mark.django_db(transaction=True)
def test_who_finds_a_killed_asker_waits_no_longer_than_its_lease_lasts() -> None:
    """As a process that was killed leaves it: a lease that nobody renews."""
    stored: Found[Any] = {}

    def keep() -> Found[Any]:
        stored.update(answers())
        asked.append("once")
        return stored

    asked: list[str] = []
    with under_way("killed", until=timedelta(seconds=0.5)), ThreadPoolExecutor(3) as pool:
        found = [pool.submit(ask, "killed", keep, recall=lambda at, since: stored) for _ in range(3)]
        assert [each.result() for each in found] == ["answer"] * 3
    assert asked == ["once"]


@pytest.mark.django_db(transaction=True)
def test_a_lease_is_kept_as_long_as_its_asker_lives() -> None:
    begun = timezone.now()
    leases = replace(single_flight.LEASES, lasting=timedelta(seconds=2))
    renewed = InFlightRequest.objects.filter(until__gte=begun + 2 * leases.lasting)

    def slowly() -> Found[Any]:
        asked.append("once")
        wait_until("the lease is renewed twice", renewed.exists, seconds=20)
        return answers()

    asked: list[str] = []
    with ThreadPoolExecutor(3) as pool:
        stored = lambda at, since: answers() if asked else {}  # noqa: E731
        found = [pool.submit(ask, "slow", slowly, recall=stored, leases=leases) for _ in range(3)]
        assert [each.result() for each in found] == ["answer"] * 3
    assert asked == ["once"]
