"""What a DOI stands for, asked of a server of raw bytes that redirects, answers wrongly, too much, or never."""

import json
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from resolver.domain.handle.answers import ProxyError, Unreachable
from resolver.domain.work.metadata import NoMetadata, NoMetadataReason, WorkMetadata
from resolver.proxy.client import ProxyClient
from resolver.proxy.limits import FileBudget, Paused
from resolver.proxy.limits.proxy_health import BackoffPolicy
from resolver.proxy.limits.request_deadline import TimeLimitReached, time_limit
from resolver.proxy.metadata_requests import CSL_JSON, LONGEST_PAUSE_SECONDS, MAX_REDIRECTS, ServicePaused
from resolver.proxy.proxy_config import MAX_ANSWER_BYTES
from tests.proxy import raw_server as raw
from tests.proxy.agency_service import HOST, AgencyService, serve_agency
from tests.proxy.conftest import AGENT, config_for
from tests.proxy.raw_server import Answer, RawServer, Request, http

WORK = {"title": "A title", "DOI": "10.1/a", "issued": {"date-parts": [[2004]]}}
GIVEN = http(200, WORK, Content_Type=CSL_JSON)
Ask = Callable[..., Any]


@pytest.fixture
def service_budget(tmp_path: Path) -> Iterator[FileBudget]:
    policy = BackoffPolicy(longest_pause=LONGEST_PAUSE_SECONDS, first_pause=10.0)
    kept = FileBudget(tmp_path / "service", 2, None, policy=policy)
    yield kept
    kept.close()


@pytest.fixture
def ask(budget: FileBudget, service_budget: FileBudget) -> Ask:
    def send(server: RawServer, name: str = "10.1/a") -> Any:
        with ProxyClient(config_for(server.url), budget, patience=3.0) as client:
            return client.find_metadata(name, lambda host: service_budget)

    return send


def to(location: str, status: int = 302) -> bytes:
    return http(status, "<html>", Location=location, Content_Type="text/html")


def test_a_redirect_within_the_proxy_is_followed_with_the_same_words(ask: Ask) -> None:
    def answer(request: Request) -> bytes:
        return to("/metadata/10.1%2Fa%23b") if request.target == "/10.1/a%23b" else GIVEN

    with RawServer(answer) as server:
        found = ask(server, "10.1/a#b")
    assert found == WorkMetadata(
        doi="10.1/a", title="A title", year=2004, source="127.0.0.1", titles=("A title",), years=(2004,)
    )
    assert server.targets == ["/10.1/a%23b", "/metadata/10.1%2Fa%23b"]
    assert {request.headers["accept"] for request in server.requests} == {CSL_JSON}
    assert {request.headers["user-agent"] for request in server.requests} == {AGENT}


def test_a_proxy_that_gives_the_metadata_itself_is_taken_at_its_word(ask: Ask) -> None:
    with RawServer(lambda request: GIVEN) as server:
        assert ask(server).title == "A title"


@pytest.mark.parametrize(
    "location",
    [
        "https://publisher.example/article",
        "http://169.254.169.254/latest/meta-data/",
        "http://localhost:1/",
        "file:///etc/passwd",
        "javascript:alert(1)",
        "https://[",
        "https://api.crossref.org@evil.example/",
    ],
)
def test_an_address_that_is_not_in_the_table_is_never_requested(location: str, ask: Ask) -> None:
    with RawServer(lambda request: to(location)) as server:
        found = ask(server)
    assert isinstance(found, NoMetadata)
    assert found.reason is NoMetadataReason.NO_SERVICE
    assert len(server.requests) == 1


def test_a_second_server_on_the_same_machine_is_never_requested(ask: Ask) -> None:
    with RawServer(lambda request: GIVEN) as inner, RawServer(lambda request: to(inner.url + "/secret")) as server:
        assert ask(server) == NoMetadata(NoMetadataReason.NO_SERVICE, "127.0.0.1")
    assert inner.requests == []


def test_redirects_in_a_circle_end(ask: Ask) -> None:
    with RawServer(lambda request: to("/10.1/a")) as server:
        assert isinstance(ask(server), ProxyError)
    assert len(server.requests) == MAX_REDIRECTS + 1


def test_an_address_of_any_length_is_refused(ask: Ask) -> None:
    with RawServer(lambda request: to("/" + "x" * 9000)) as server:
        assert isinstance(ask(server), ProxyError)
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (http(404, "<html>", Content_Type="text/html"), NoMetadataReason.NOT_REGISTERED),
        (http(406, ""), NoMetadataReason.NOT_AVAILABLE),
        (http(410, ""), NoMetadataReason.NOT_AVAILABLE),
        (raw.PAGE, NoMetadataReason.WEB_PAGE),
        (http(200, "<!DOCTYPE html><p>"), NoMetadataReason.WEB_PAGE),
        (http(200, "<?xml version='1.0'?><ONIXDOIMessage/>", Content_Type="text/xml"), NoMetadataReason.OTHER_FORMAT),
        (http(200, "@article{a}", Content_Type="application/x-bibtex"), NoMetadataReason.OTHER_FORMAT),
        (http(200, {"errors": []}), NoMetadataReason.EMPTY),
        (http(200, []), NoMetadataReason.EMPTY),
    ],
)
def test_no_metadata_is_an_answer_that_is_asked_for_once(answer: bytes, reason: NoMetadataReason, ask: Ask) -> None:
    with RawServer(lambda request: answer) as server:
        assert ask(server) == NoMetadata(reason, "127.0.0.1")
    assert len(server.requests) == 1


def test_a_service_that_does_not_know_the_name_says_nothing_about_its_registration(ask: Ask) -> None:
    with RawServer(lambda request: to("/metadata") if request.target == "/10.1/a" else http(404, "")) as server:
        assert ask(server) == NoMetadata(NoMetadataReason.NOT_AVAILABLE, "127.0.0.1")


@pytest.mark.parametrize(
    ("answer", "kind", "requests"),
    [
        (raw.reset, Unreachable, 3),
        (http(502, "x"), Unreachable, 3),
        (raw.half, Unreachable, 3),
        (http(400, "x"), ProxyError, 1),
        (http(403, "x"), ProxyError, 1),
        (http(200, ""), ProxyError, 1),
        (http(200, '{"title": "cut'), ProxyError, 1),
        (http(200, "[" * 100_000), ProxyError, 1),
        (http(200, b'{"title": "\xff"}'), ProxyError, 1),
    ],
)
def test_a_failure_is_no_answer_and_only_what_may_pass_is_tried_again(
    answer: Answer, kind: type, requests: int, ask: Ask
) -> None:
    with RawServer(lambda request: answer) as server:
        assert type(ask(server)) is kind
    assert len(server.requests) == requests


def test_an_answer_of_ten_megabytes_is_not_read_to_its_end(ask: Ask) -> None:
    huge = json.dumps({"title": "x" * 2 * MAX_ANSWER_BYTES}).encode()
    with RawServer(lambda request: http(200, huge, Content_Type=CSL_JSON)) as server:
        assert isinstance(ask(server), ProxyError)
    assert len(server.requests) == 1


def test_a_large_answer_within_the_bound_is_read_and_cut(ask: Ask) -> None:
    body = {"title": "x" * 1_000_000, "author": [{"family": "y" * 100}] * 20_000}
    with RawServer(lambda request: http(200, body)) as server:
        found = ask(server)
    assert (len(found.title), found.authors) == (600, 20_000)


def test_a_service_that_drips_is_left_at_the_time_limit(ask: Ask) -> None:
    began = time.monotonic()
    with RawServer(lambda request: raw.dripping) as server, time_limit(0.5), pytest.raises(TimeLimitReached):
        ask(server)
    assert time.monotonic() - began < 5


Serve = Callable[[Answer], AgencyService]


@pytest.fixture
def agency(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Serve]:
    with ExitStack() as stack:
        yield lambda answer: stack.enter_context(serve_agency(answer, tmp_path, monkeypatch))


def test_a_host_of_the_table_is_asked_over_https_and_named_as_the_source(ask: Ask, agency: Serve) -> None:
    served = agency(GIVEN)
    assert ask(served.behind) == WorkMetadata(
        doi="10.1/a", title="A title", year=2004, source=HOST, titles=("A title",), years=(2004,)
    )
    assert served.server.targets == ["/10.1%2Fa"]
    assert served.server.requests[0].headers["host"] == HOST


@pytest.mark.parametrize(
    ("header", "seconds"), [({"Retry_After": "30"}, 30), ({}, 10), ({"Retry_After": "999999"}, LONGEST_PAUSE_SECONDS)]
)
@pytest.mark.parametrize("status", [429, 503])
def test_an_agency_that_wants_fewer_requests_gets_no_other_and_the_proxy_goes_on(
    status: int,
    header: dict[str, str],
    seconds: float,
    ask: Ask,
    agency: Serve,
    budget: FileBudget,
    service_budget: FileBudget,
) -> None:
    served = agency(http(status, "<html>", **header))
    with pytest.raises(ServicePaused) as pause:
        ask(served.behind)
    assert (pause.value.host, pause.value.seconds) == (HOST, seconds)
    assert len(served.server.requests) == 1
    assert seconds / 2 - 1 < service_budget.get_pause() <= seconds * 1.5  # all processes pause, by their own guess too
    with budget.permit(0.2):  # nobody waits for it at the DOI proxy
        assert budget.get_barred_since() is None


@pytest.mark.parametrize("status", [429, 503])
def test_a_proxy_that_wants_fewer_requests_is_tried_again_and_pauses_no_agency(status: int, ask: Ask) -> None:
    def answer(request: Request) -> bytes:
        return http(status, "<html>", Retry_After="1") if len(server.requests) == 1 else GIVEN

    with RawServer(answer) as server:
        assert ask(server).title == "A title"
    assert len(server.requests) == 2


def test_an_agency_that_is_paused_gets_no_request(ask: Ask, agency: Serve, service_budget: FileBudget) -> None:
    service_budget.pause(5)
    served = agency(GIVEN)
    with pytest.raises(ServicePaused) as pause:
        ask(served.behind)
    assert (pause.value.host, isinstance(pause.value, Paused)) == (HOST, True)
    assert served.server.requests == []


def test_a_page_that_an_agency_shows_to_robots_is_no_sign_that_the_proxy_bars_us(
    ask: Ask, agency: Serve, budget: FileBudget
) -> None:
    served = agency(http(403, "<html>Blocked", Content_Type="text/html"))
    for _ in range(5):
        assert ask(served.behind) == ProxyError(f"{HOST} gave an answer that can't be used")
    assert budget.get_barred_since() is None


@pytest.mark.slow
def test_an_agency_without_an_answer_is_named_and_tried_three_times(ask: Ask, agency: Serve) -> None:
    served = agency(raw.reset)
    assert ask(served.behind) == Unreachable(f"{HOST} didn't answer")
    assert len(served.server.requests) == 3


def test_an_agency_with_a_strangers_certificate_gets_no_request(
    ask: Ask, agency: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    served = agency(GIVEN)
    monkeypatch.delenv("REQUESTS_CA_BUNDLE")
    assert ask(served.behind) == Unreachable(f"{HOST} didn't answer")
    assert served.server.requests == []


def test_a_name_that_no_address_can_hold_is_not_asked_for(ask: Ask) -> None:
    with RawServer(lambda request: GIVEN) as server:
        assert isinstance(ask(server, "10.1/\ud800"), ProxyError)
    assert server.requests == []
