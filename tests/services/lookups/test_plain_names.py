"""Of a plain name the record and the agency are requested at once; of other texts one after the other."""

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from resolver.models import Lookup, StoredAnswer
from resolver.proxy.limits import FileBudget
from resolver.services.lookups.look_up import LookupPaused, create_lookup
from resolver.services.proxy_answers.cache import NEVER
from resolver.services.proxy_answers.configured_proxy import DoiProxy
from resolver.services.proxy_answers.waiting_places import PLACES, PROXY_PLACES
from resolver.standin.server import SampleProxyServer
from tests.proxy import raw_server as raw
from tests.proxy.raw_server import Answer, RawServer, Request
from tests.services.conftest import NOW, build_config
from tests.services.proxy_answers.test_request_cost import code_2, nothing_exists, only_agencies, only_records, orderly

pytestmark = pytest.mark.django_db(transaction=True)

DELAY = 1.0  # seconds


def look_up(text: str, proxy: DoiProxy, **options: Any) -> Lookup:
    return create_lookup(text, owner="user:1", proxy=proxy, now=NOW, **options)


def slowly(answer: Callable[[Request], Answer], seconds: float = 0.2) -> Callable[[Request], Answer]:
    def wait(request: Request) -> Answer:
        time.sleep(seconds)
        return answer(request)

    return wait


@pytest.mark.parametrize("text", ["10.1000/a", "https://doi.org/10.1000/a", "doi:10.1000/a"])
def test_neither_request_waits_for_the_answer_to_the_other(text: str, proxy_at: Callable[..., DoiProxy]) -> None:
    both = threading.Barrier(2, timeout=20)

    def answer(request: Request) -> Answer:
        both.wait()
        return orderly(request)

    with RawServer(answer) as server:
        found = look_up(text, proxy_at(server.url))
        assert (found.outcome, found.ra, found.incomplete) == ("resolved", "Crossref", False)
        assert sorted(server.targets) == ["/api/handles/10.1000/a", "/doiRA/10.1000/a"]
        look_up(text, proxy_at(server.url))
        assert len(server.requests) == 2


def test_a_lookup_takes_as_long_as_one_answer(proxy_at: Callable[..., DoiProxy]) -> None:
    with SampleProxyServer(latency=DELAY) as standin:
        began = time.monotonic()
        found = look_up("10.5555/two", proxy_at(standin.url))
        took = time.monotonic() - began
    assert (found.outcome, found.ra) == ("resolved", "Crossref")
    assert DELAY <= took < 2 * DELAY


@pytest.mark.parametrize(
    "text",
    ["10.1000/a.", "see 10.1000/a and 10.1000/b", "10.1000/a 10.1000/b", "https://doi.org/10.1000/a#b", "10/abcd"],
)
def test_a_text_that_is_no_plain_name_has_one_request_at_a_time(text: str, proxy_at: Callable[..., DoiProxy]) -> None:
    with RawServer(slowly(orderly)) as server:
        look_up(text, proxy_at(server.url))
        assert server.most_in_flight == 1
        assert server.targets[0].startswith("/api/handles/")


def test_a_request_for_what_is_stored_is_not_sent_again(proxy_at: Callable[..., DoiProxy]) -> None:
    with RawServer(orderly) as server:
        look_up("10.1000/a", proxy_at(server.url))
        StoredAnswer.objects.update(record=None, record_at=None)
        server.requests.clear()
        look_up("10.1000/a", proxy_at(server.url))
        assert server.targets == ["/api/handles/10.1000/a"]
        server.requests.clear()
        look_up("10.1000/a", proxy_at(server.url), fresh_since=NEVER)
        assert sorted(server.targets) == ["/api/handles/10.1000/a?auth=true", "/doiRA/10.1000/a"]


def test_a_name_that_does_not_exist_costs_one_request_more(proxy_at: Callable[..., DoiProxy]) -> None:
    with RawServer(nothing_exists) as server:
        found = look_up("10.1000/a", proxy_at(server.url))
        assert found.outcome == "not-found"
        assert sorted(server.targets[:2]) == ["/api/handles/10.1000/a", "/doiRA/10.1000/a"]
        assert [target for target in server.targets[2:] if not target.startswith("/doiRA/10.1000")] == []


def test_with_one_permit_for_all_the_requests_come_one_after_the_other(tmp_path: Path) -> None:
    with RawServer(slowly(orderly)) as server:
        proxy = DoiProxy(build_config(server.url), FileBudget(tmp_path / "budget", 1, 10_000))
        found = look_up("10.1000/a", proxy)
        proxy.client.close()
        assert (found.outcome, found.ra, server.most_in_flight) == ("resolved", "Crossref", 1)
        assert len(server.requests) == 2


def test_the_rate_holds_for_both(tmp_path: Path) -> None:
    with RawServer(orderly) as server:
        proxy = DoiProxy(build_config(server.url), FileBudget(tmp_path / "budget", 16, 1))
        look_up("10.1000/a", proxy)
        proxy.client.close()
        first, second = (request.at for request in server.requests)
    assert second - first > 0.9


def test_a_pause_that_the_proxy_demands_ends_the_lookup_and_stores_nothing(proxy_at: Callable[..., DoiProxy]) -> None:
    def limited(_: Request) -> Answer:
        return raw.http(429, "", Retry_After="60")

    with RawServer(limited) as server:
        with pytest.raises(LookupPaused) as paused:
            look_up("10.1000/a", proxy_at(server.url))
        assert 0 < paused.value.seconds <= 60
        sent = len(server.requests)
        with pytest.raises(LookupPaused):
            look_up("10.1000/b", proxy_at(server.url))
        assert (len(server.requests), sent <= 2) == (sent, True)
    assert not Lookup.objects.exists()


def only_agencies_at_all(request: Request) -> Answer:
    """No answer at all about records."""
    return orderly(request) if request.target.startswith("/doiRA/") else raw.reset


def no_agencies_at_all(request: Request) -> Answer:
    return raw.reset if request.target.startswith("/doiRA/") else orderly(request)


def only_absence(request: Request) -> Answer:
    """Which RA denies the name, and its record has no answer at all."""
    return nothing_exists(request) if request.target.startswith("/doiRA/") else raw.reset


@pytest.mark.parametrize(
    ("answer", "outcome", "ra"),
    [
        (only_records, "resolved", ""),
        (no_agencies_at_all, "resolved", ""),
        (only_agencies, "unreachable", ""),
        (only_agencies_at_all, "unreachable", ""),
        (only_absence, "unreachable", ""),
        (code_2, "proxy-error", ""),
    ],
)
def test_a_failure_of_one_has_the_outcome_that_it_has_of_a_text_with_one_request_at_a_time(
    answer: Callable[[Request], Answer], outcome: str, ra: str, proxy_at: Callable[..., DoiProxy]
) -> None:
    with RawServer(answer) as server:
        found = look_up("10.1000/a", proxy_at(server.url))
        other = look_up("10.1000/b.", proxy_at(server.url))
    assert (found.outcome, found.ra, found.incomplete) == (other.outcome, other.ra, other.incomplete)
    assert (found.outcome, found.ra) == (outcome, ra)


def test_both_requests_share_one_place(proxy_at: Callable[..., DoiProxy]) -> None:
    end = threading.Event()
    taken = threading.Barrier(PLACES, timeout=20)

    def occupy() -> None:
        with PROXY_PLACES.take_place():
            taken.wait()
            end.wait(20)

    with ThreadPoolExecutor(PLACES) as others, RawServer(orderly) as server:
        for _ in range(PLACES - 1):
            others.submit(occupy)
        taken.wait()
        try:
            assert look_up("10.1000/a", proxy_at(server.url)).ra == "Crossref"
        finally:
            end.set()
