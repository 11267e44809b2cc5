"""Stored answers count no longer than their values say, for lookups and lists alike (P15)."""

import time
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from resolver.domain.handle.answers import Resolution
from resolver.domain.handle.proxy_json import build_answer
from resolver.domain.handle.record import Record
from resolver.services.lookups.look_up import create_lookup
from resolver.services.proxy_answers.cache import load_answers, store_answers
from resolver.services.proxy_answers.configured_proxy import DoiProxy
from resolver.services.proxy_answers.dated_answer import DatedAnswer
from resolver.services.proxy_answers.fetch import fetch_record
from tests.proxy import raw_server as raw
from tests.proxy.raw_server import RawServer, Request
from tests.services.conftest import NOW
from tests.services.proxy_answers.test_fetch import all_at_once

pytestmark = pytest.mark.django_db(transaction=True)
PROXY = "https://doi.example"


def values(kind: str, text: str, ttl: Any) -> list[dict[str, Any]]:
    return [{"index": 1, "type": kind, "data": {"format": "string", "value": text}, "ttl": ttl}]


def of(name: str, kind: str, text: str, ttl: Any, age: float = 0.0) -> Record:
    found = build_answer({"responseCode": 1, "handle": name, "values": values(kind, text, ttl)}, age)
    assert isinstance(found, Record)
    return found


def known(name: str, seconds: float) -> DatedAnswer[Resolution] | None:
    return load_answers([name], proxy=PROXY, now=NOW + timedelta(seconds=seconds)).resolutions.get(name)


@pytest.mark.clause("P15")
def test_a_stored_record_counts_for_the_ttl_of_its_values() -> None:
    store_answers({"10.1/a": Resolution(of("10.1/a", "URL", "https://a.example/", 60))}, {}, proxy=PROXY, now=NOW)
    assert known("10.1/a", 60) is not None
    assert known("10.1/a", 61) is None


@pytest.mark.clause("P13")
def test_a_stored_record_counts_from_when_it_was_made() -> None:
    aged = of("10.1/a", "URL", "https://a.example/", 86_400, age=7200)
    store_answers({"10.1/a": Resolution(aged)}, {}, proxy=PROXY, now=NOW)
    assert known("10.1/a", 79_200) is not None
    assert known("10.1/a", 79_201) is None


@pytest.mark.clause("P15", "P7")
@pytest.mark.parametrize("short", ["10.1/a", "10.1/b"])
def test_an_alias_counts_as_long_as_every_record_on_its_way(short: str) -> None:
    alias = of("10.1/a", "HS_ALIAS", "10.1/b", 60 if short == "10.1/a" else 600)
    end = of("10.1/b", "URL", "https://b.example/", 60 if short == "10.1/b" else 600)
    way = (("10.1/a", alias), ("10.1/b", end))
    store_answers({"10.1/a": Resolution(end, "10.1/a", way=way)}, {}, proxy=PROXY, now=NOW)
    assert known("10.1/a", 60) is not None
    assert known("10.1/a", 61) is None


def answering(ttl: Any, seconds: float = 0.0) -> RawServer:
    """A proxy that has a record of this time to live for every name, after some seconds."""

    def answer(request: Request) -> bytes:
        time.sleep(seconds)
        if "/doiRA/" in request.target:
            return raw.agencies(request.names)
        told = values("URL", "https://a.example/", ttl)
        return raw.http(200, {"responseCode": 1, "handle": request.name, "values": told})

    return RawServer(answer)


@pytest.mark.clause("P15")
def test_a_lookup_asks_anew_when_the_ttl_is_over(proxy_at: Callable[..., DoiProxy]) -> None:
    with answering(60) as server:
        proxy = proxy_at(server.url)
        cached = [
            create_lookup("10.1000/a", owner="user:1", proxy=proxy, now=NOW + timedelta(seconds=seconds)).cached
            for seconds in (0, 50, 70)
        ]
    assert cached == [False, True, False]


@pytest.mark.clause("P15")
def test_who_asks_while_an_answer_is_on_its_way_shares_it_however_short_it_is_kept(
    proxy_at: Callable[..., DoiProxy],
) -> None:
    with answering(0, seconds=0.3) as server:
        proxy = proxy_at(server.url)
        all_at_once(8, lambda: fetch_record("10.1000/a", proxy=proxy, now=timezone.now()))
        assert len(server.requests) == 1
        fetch_record("10.1000/a", proxy=proxy, now=timezone.now())
        assert len(server.requests) == 2
