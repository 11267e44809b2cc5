"""A handle's own record, or what Which RA says: from what is stored, else asked for once for all who ask then."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from resolver.domain.handle.answers import AgencyAnswer, MissingHandle, NoValues, ProxyError, Unreachable, WhichRaAnswer
from resolver.domain.handle.record import Record
from resolver.models import InFlightRequest, StoredAnswer
from resolver.proxy.limits import Paused
from resolver.services.proxy_answers import fetch
from resolver.services.proxy_answers.configured_proxy import DoiProxy
from resolver.services.proxy_answers.dated_answer import DatedAnswer
from resolver.services.proxy_answers.fetch import fetch_agencies, fetch_record
from resolver.standin.server import SampleProxyServer

pytestmark = pytest.mark.django_db(transaction=True)


def asked(standin: SampleProxyServer, name: str) -> list[str]:
    """What the proxy was asked that holds this."""
    return [target for target in standin.requests if name in target]


def said(names: list[str], proxy: DoiProxy, now: datetime) -> list[AgencyAnswer]:
    return [known.answer for known in fetch_agencies(names, proxy=proxy, now=now)]


def all_at_once(number: int, ask: Callable[[], Any]) -> list[Any]:
    """So many threads, each with a connection of its own, that begin together; what each of them got or raised."""
    ready = threading.Barrier(number)

    def one() -> Any:
        try:
            ready.wait()
            return ask()
        except Paused as pause:
            return pause
        finally:
            connection.close()

    with ThreadPoolExecutor(number) as pool:
        return [each.result() for each in [pool.submit(one) for _ in range(number)]]


def test_a_record_is_asked_for_once_and_then_stored(proxy: DoiProxy, standin: SampleProxyServer) -> None:
    now = timezone.now()
    first = fetch_record("10.5555/Own", proxy=proxy, now=now)
    later = fetch_record("10.5555/OWN", proxy=proxy, now=now + timedelta(hours=23))
    assert isinstance(first.answer, Record)
    assert isinstance(later.answer, Record)
    assert later.answer.raw == {**first.answer.raw, "handle": "10.5555/OWN"}
    assert first.answered_at == later.answered_at == now
    assert len(asked(standin, "10.5555/Own")) == 1
    assert not InFlightRequest.objects.exists()


@pytest.mark.parametrize(("name", "kind"), [("10.5555/missing-own", MissingHandle), ("10.5555/novalues-own", NoValues)])
def test_that_there_is_none_is_an_answer_too(
    name: str, kind: type, proxy: DoiProxy, standin: SampleProxyServer
) -> None:
    found = [fetch_record(name, proxy=proxy, now=timezone.now()) for _ in range(2)]
    assert [type(held.answer) for held in found] == [kind, kind]
    assert len(asked(standin, name)) == 1


@pytest.mark.clause("P7", "A1")
def test_no_alias_is_followed(proxy: DoiProxy, standin: SampleProxyServer) -> None:
    found = fetch_record("10.5555/alias-own", proxy=proxy, now=timezone.now()).answer
    assert isinstance(found, Record)
    assert found.alias == "10.5555/target-own"
    assert asked(standin, "10.5555/target-own") == []


def test_a_stored_record_costs_one_query(proxy: DoiProxy) -> None:
    now = timezone.now()
    fetch_record("10.5555/one-query", proxy=proxy, now=now)
    with CaptureQueriesContext(connection) as queries:
        fetch_record("10.5555/one-query", proxy=proxy, now=now)
    assert len(queries) == 1


@pytest.mark.clause("P13")
def test_after_a_day_it_is_asked_for_again(proxy: DoiProxy, standin: SampleProxyServer) -> None:
    now = timezone.now()
    for hours in (0, 24, 24.01):
        fetch_record("10.5555/a-day", proxy=proxy, now=now + timedelta(hours=hours))
    assert len(asked(standin, "10.5555/a-day")) == 2


@pytest.mark.clause("P13")
def test_how_long_it_counts_is_a_setting(proxy: DoiProxy, standin: SampleProxyServer, settings: Any) -> None:
    settings.ANSWERS_FRESH_HOURS = 1.0
    now = timezone.now()
    for minutes in (0, 59, 61):
        fetch_record("10.5555/an-hour", proxy=proxy, now=now + timedelta(minutes=minutes))
    assert len(asked(standin, "10.5555/an-hour")) == 2


@pytest.mark.clause("P8")
@pytest.mark.parametrize(
    ("demand", "sent"),
    [
        ({"fresh": True}, "?auth=true"),
        ({"certified": True}, "?cert=true"),
        ({"fresh": True, "certified": True}, "?auth=true&cert=true"),
    ],
)
def test_an_authoritative_answer_is_asked_for_past_what_is_stored(
    demand: dict[str, bool], sent: str, proxy: DoiProxy, standin: SampleProxyServer
) -> None:
    name = f"10.5555/{uuid4()}"
    now = timezone.now()
    fetch_record(name, proxy=proxy, now=now)
    later = now + timedelta(minutes=1)
    assert fetch_record(name, proxy=proxy, now=later, **demand).answered_at == later
    assert asked(standin, name) == [f"/api/handles/{name}", f"/api/handles/{name}{sent}"]
    # What was learned so is what others get from now on.
    assert fetch_record(name, proxy=proxy, now=later).answered_at == later


@pytest.mark.clause("P8")
def test_what_is_authoritative_is_no_answer_to_who_asks_so_later(proxy: DoiProxy, standin: SampleProxyServer) -> None:
    for _ in range(2):
        fetch_record("10.5555/auth-twice", proxy=proxy, now=timezone.now(), fresh=True)
    assert len(asked(standin, "10.5555/auth-twice")) == 2


def test_a_failure_is_never_stored(proxy: DoiProxy, nowhere: DoiProxy, standin: SampleProxyServer) -> None:
    for _ in range(2):
        assert fetch_record("10.5555/error-own", proxy=proxy, now=timezone.now()) == DatedAnswer(
            ProxyError("response code 2: Internal Error"), None
        )
    assert len(asked(standin, "10.5555/error-own")) == 2
    assert isinstance(fetch_record("10.5555/a", proxy=nowhere, now=timezone.now()).answer, Unreachable)
    assert not StoredAnswer.objects.exists()


@pytest.mark.parametrize("name", ["10.5555/many", "10.5555/missing-many"])
def test_many_who_ask_at_once_cost_one_request(name: str, proxy: DoiProxy, standin: SampleProxyServer) -> None:
    standin.latency = 0.2
    try:
        found = all_at_once(8, lambda: fetch_record(name, proxy=proxy, now=timezone.now()))
    finally:
        standin.latency = 0
    assert len({held.answered_at for held in found}) == 1
    assert len(asked(standin, name)) == 1
    assert not InFlightRequest.objects.exists()


@pytest.mark.clause("P8")
def test_those_who_ask_for_an_authoritative_answer_at_once_share_one(
    proxy: DoiProxy, standin: SampleProxyServer
) -> None:
    standin.latency = 0.2
    try:
        all_at_once(4, lambda: fetch_record("10.5555/many-auth", proxy=proxy, now=timezone.now(), fresh=True))
    finally:
        standin.latency = 0
    assert asked(standin, "10.5555/many-auth") == ["/api/handles/10.5555/many-auth?auth=true"]


def test_a_pause_is_told_to_all_who_wait(proxy: DoiProxy) -> None:
    proxy.budget.pause(50)
    found = all_at_once(3, lambda: fetch_record("10.5555/paused", proxy=proxy, now=timezone.now()))
    assert [type(each) for each in found] == [Paused] * 3


def test_an_asker_that_stumbles_leaves_the_question_to_the_others(
    proxy: DoiProxy, monkeypatch: pytest.MonkeyPatch
) -> None:
    store_answers = fetch.cache.store_answers
    stumbles = iter([True])

    def stumble_once(*arguments: Any, **options: Any) -> None:
        if next(stumbles, False):
            raise RuntimeError
        store_answers(*arguments, **options)

    monkeypatch.setattr(fetch.cache, "store_answers", stumble_once)
    with pytest.raises(RuntimeError):
        fetch_record("10.5555/stumbled", proxy=proxy, now=timezone.now())
    assert isinstance(fetch_record("10.5555/stumbled", proxy=proxy, now=timezone.now()).answer, Record)
    assert not InFlightRequest.objects.exists()


@pytest.mark.clause("R1")
def test_agencies_come_in_the_order_asked_and_are_asked_for_once(proxy: DoiProxy, standin: SampleProxyServer) -> None:
    now = timezone.now()
    assert said(["10.5555/ra-b"], proxy, now) == [WhichRaAnswer("10.5555/ra-b", ra="Crossref")]
    names = ["10.5555/ra-a", "10.5555/RA-B", "10.5555/missing-ra", "10.5555/ra-a"]
    assert said(names, proxy, now) == [
        WhichRaAnswer("10.5555/ra-a", ra="Crossref"),
        WhichRaAnswer("10.5555/RA-B", ra="Crossref"),
        WhichRaAnswer("10.5555/missing-ra", status="DOI does not exist"),
        WhichRaAnswer("10.5555/ra-a", ra="Crossref"),
    ]
    assert said(names, proxy, now)[0].ra == "Crossref"
    assert [target.partition("/doiRA/")[2] for target in asked(standin, "ra-")] == [
        "10.5555/ra-b",
        "10.5555/ra-a,10.5555/missing-ra",
    ]


def test_many_who_ask_which_ra_at_once_cost_one_request(proxy: DoiProxy, standin: SampleProxyServer) -> None:
    names = ["10.5555/ra-many-1", "10.5555/ra-many-2"]
    standin.latency = 0.2
    try:
        found = all_at_once(6, lambda: said(names, proxy, timezone.now()))
    finally:
        standin.latency = 0
    assert [[agency.ra for agency in each] for each in found] == [["Crossref", "Crossref"]] * 6
    assert len(asked(standin, "ra-many")) == 1


def test_that_which_ra_could_not_be_asked_is_told_of_each_name_that_is_not_stored(
    proxy: DoiProxy, nowhere: DoiProxy
) -> None:
    assert [type(each) for each in said(["10.5555/a", "10.5555/b"], nowhere, timezone.now())] == [
        Unreachable,
        Unreachable,
    ]
    assert not StoredAnswer.objects.exists()


def test_of_very_long_names_nothing_is_stored(proxy: DoiProxy, standin: SampleProxyServer) -> None:
    now, longest = timezone.now(), f"10.5555/missing-{'x' * 1984}"
    for name in (longest, f"{longest}x"):
        assert isinstance(fetch_record(name, proxy=proxy, now=now).answer, MissingHandle)
        assert [agency.name for agency in said([name], proxy, now)] == [name]
    assert [row.name for row in StoredAnswer.objects.all()] == [longest]
