"""Many texts for a program that waits: in time, and what came is kept."""

import time
from collections.abc import Callable
from typing import Any

import pytest

from resolver.models import Lookup, StoredAnswer
from resolver.proxy.limits import Paused
from resolver.services.lookups.check_batch import check_batch
from resolver.services.lookups.look_up import LookupPaused
from resolver.services.proxy_answers.configured_proxy import DoiProxy
from resolver.standin.server import SampleProxyServer
from tests.proxy import raw_server as raw
from tests.proxy.raw_server import RawServer
from tests.services.conftest import NOW

pytestmark = pytest.mark.django_db


def outcomes(texts: list[str], proxy: DoiProxy, **options: Any) -> list[str]:
    return [str(one.report.outcome) for one in check_batch(texts, proxy=proxy, now=NOW, **options)]


def test_the_results_are_in_the_order_of_the_texts(proxy: DoiProxy) -> None:
    texts = ["10.5555/a", "nothing", "10.5555/missing", "10.5555/novalues", "10.5555/A", "10.5555/a"]
    expected = ["resolved", "invalid", "not-found", "no-values", "resolved", "resolved"]
    assert outcomes(texts, proxy) == expected
    assert not Lookup.objects.exists()


def test_no_text_needs_nothing(proxy: DoiProxy, standin: SampleProxyServer) -> None:
    standin.reset()
    assert outcomes([], proxy) == outcomes(["nothing"], proxy)[1:] == []
    assert not standin.requests


def test_a_quick_check_asks_for_records_only_where_which_ra_cannot_tell(
    proxy: DoiProxy, standin: SampleProxyServer
) -> None:
    standin.reset()
    assert outcomes(["10.5555/quick.1", "10.5555/missing.1", "10/p54k"], proxy, quick=True)[:2] == [
        "registered",
        "not-found",
    ]
    of_records = [target for target in standin.requests if target.startswith("/api/handles/10.5555")]
    assert of_records == []


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("silent", ["10.1000/b", "10.1000/good"])
def test_a_record_that_never_comes_ends_with_the_time_and_the_other_answers_are_kept(
    silent: str, proxy_at: Callable[..., DoiProxy]
) -> None:
    """10.1000/good is the suggestion for the text with a full stop, and its record is requested last."""

    def answer(request: raw.Request) -> raw.Answer:
        if request.target.startswith("/doiRA/"):
            known = {"10.1000/good": {"RA": "Crossref"}}
            status = {"status": "DOI does not exist"}
            return raw.http(200, [{"DOI": name, **known.get(name, status)} for name in request.names])
        if request.name == silent:
            return raw.silence
        return raw.missing(request.name) if request.name.endswith(".") else raw.record(request.name)

    with RawServer(answer) as server:
        proxy = proxy_at(server.url)
        began = time.monotonic()
        found = outcomes(["10.1000/a", "10.1000/b", "10.1000/good."], proxy, longest=1.5)
        assert time.monotonic() - began < 10
    assert found == ["resolved", "unreachable" if silent == "10.1000/b" else "resolved", "not-found"]
    assert StoredAnswer.objects.filter(name="10.1000/a").exists()


def test_a_pause_that_is_longer_than_the_time_is_told_at_once(proxy: DoiProxy) -> None:
    proxy.budget.pause(50)
    began = time.monotonic()
    with pytest.raises(LookupPaused) as told:
        check_batch(["10.5555/paused"], proxy=proxy, now=NOW, longest=20)
    assert time.monotonic() - began < 15
    assert 20 < told.value.seconds <= 50
    assert isinstance(told.value.__cause__, Paused)
