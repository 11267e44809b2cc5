"""One handle's own record, and where a client is sent that wants data: asked by the client for a person who waits."""

from collections.abc import Iterator
from typing import Any

import pytest

from resolver.domain.handle.answers import MissingHandle, ProxyError, Unreachable, WhichRaAnswer
from resolver.domain.handle.record import Record
from resolver.proxy.client import ProxyClient
from resolver.proxy.limits import FileBudget
from resolver.proxy.proxy_reply import NegotiatedRedirect
from tests.proxy import raw_server as raw
from tests.proxy.conftest import AGENT, config_for
from tests.proxy.raw_server import Answer, RawServer, http

CSL = "application/vnd.citationstyles.csl+json, text/x-bibliography;q=0.5"


@pytest.fixture
def at(budget: FileBudget) -> Iterator[Any]:
    clients: list[ProxyClient] = []

    def make(server: RawServer) -> ProxyClient:
        clients.append(ProxyClient(config_for(server.url), budget))
        return clients[-1]

    yield make
    for client in clients:
        client.close()


@pytest.mark.clause("P7")
def test_the_record_of_an_alias_is_its_own(at: Any) -> None:
    with RawServer(lambda request: raw.record(request.name, ("HS_ALIAS", "10.1/b"))) as server:
        found = at(server).record("10.1/a")
    assert isinstance(found, Record)
    assert found.alias == "10.1/b"
    assert server.targets == ["/api/handles/10.1/a"]


@pytest.mark.clause("P8")
@pytest.mark.parametrize(
    ("auth", "certified", "query"),
    [
        (False, False, ""),
        (True, False, "?auth=true"),
        (False, True, "?cert=true"),
        (True, True, "?auth=true&cert=true"),
    ],
)
def test_auth_and_cert_are_passed_on(auth: bool, certified: bool, query: str, at: Any) -> None:
    with RawServer(lambda request: raw.missing("10.1/a?b")) as server:
        assert isinstance(at(server).record("10.1/a?b", auth=auth, certified=certified), MissingHandle)
    assert server.targets == [f"/api/handles/10.1/a%3Fb{query}"]


def to(location: str, status: int = 302) -> bytes:
    return http(status, "<html>", Location=location, Content_Type="text/html")


def test_who_wants_data_is_told_where_the_proxy_sends_them_and_nobody_goes_there(at: Any) -> None:
    elsewhere = "https://api.crossref.org/v1/works/10.1%2Fa/transform"
    with RawServer(lambda request: to(elsewhere)) as server:
        assert at(server).find_redirect("10.1/a#b", CSL) == NegotiatedRedirect(elsewhere)
    assert server.targets == ["/10.1/a%23b"]
    assert server.requests[0].headers["accept"] == CSL
    assert server.requests[0].headers["user-agent"] == AGENT


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_every_kind_of_redirect_counts(status: int, at: Any) -> None:
    with RawServer(lambda request: to("http://data.example/a", status)) as server:
        assert at(server).find_redirect("10.1/a", CSL) == NegotiatedRedirect("http://data.example/a")


def test_what_no_address_may_hold_is_encoded(at: Any) -> None:
    with RawServer(lambda request: to("https://a.example/é <b>|%41".encode().decode("latin-1"))) as server:
        found = at(server).find_redirect("10.1/a", CSL)
    assert found.url.isascii()
    assert found.url.endswith("%20%3Cb%3E%7C%41")


@pytest.mark.parametrize(
    "location",
    [
        "javascript:alert(1)",
        "ftp://a.example/",
        "//a.example/",
        "https://",
        "",
        "https://a.example/" + "x" * 9000,
    ],
)
def test_nobody_is_sent_to_an_address_that_is_not_one_of_the_web(location: str, at: Any) -> None:
    with RawServer(lambda request: to(location)) as server:
        assert isinstance(at(server).find_redirect("10.1/a", CSL), ProxyError)
    assert len(server.requests) == 1


@pytest.mark.clause("P7")
@pytest.mark.parametrize("location", ["/10.1/b", "/10.1/b?a=b", "/"])
def test_a_redirect_to_the_proxy_itself_is_no_data(location: str, at: Any) -> None:
    with RawServer(lambda request: to(location)) as server:
        assert at(server).find_redirect("10.1/a", CSL) is None


@pytest.mark.parametrize(
    ("answer", "verdict"),
    [
        (http(404, "<html>", Content_Type="text/html"), MissingHandle()),
        (http(406, "", Content_Type="text/html"), None),
        (http(200, "<html>the values", Content_Type="text/html"), None),
    ],
)
def test_other_answers_are_told_as_they_are(answer: bytes, verdict: object, at: Any) -> None:
    with RawServer(lambda request: answer) as server:
        assert at(server).find_redirect("10.1/a", CSL) == verdict
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (raw.reset, Unreachable),
        (http(502, "x"), Unreachable),
        (http(400, "x"), ProxyError),
    ],
)
def test_a_failure_is_tried_three_times(answer: Answer, kind: type, at: Any) -> None:
    with RawServer(lambda request: answer) as server:
        assert type(at(server).find_redirect("10.1/a", CSL)) is kind
    assert len(server.requests) == 3


def test_a_page_is_no_sign_of_being_barred_to_who_may_get_one(at: Any, budget: FileBudget) -> None:
    """Anybody may ask so, for names without an address: it must not stop the portal."""
    with RawServer(lambda request: raw.PAGE) as server:
        for _ in range(5):
            at(server).find_redirect("10.1/a", CSL)
    assert budget.get_barred_since() is None


@pytest.mark.parametrize("status", [401, 403, 451])
def test_what_is_refused_of_a_strangers_words_is_asked_once_and_stops_nobody(
    status: int, at: Any, budget: FileBudget
) -> None:
    refused = ProxyError(f"the DOI proxy refused the request (HTTP {status})")
    refusal = http(status, "<html>Blocked", Content_Type="text/html", Retry_After="50")
    with RawServer(lambda request: refusal if request.target == "/10.1/a" else raw.record("10.1/b")) as server:
        for _ in range(25):
            assert at(server).find_redirect("10.1/a", CSL) == refused
        assert budget.get_barred_since() is None
        assert isinstance(at(server).record("10.1/b"), Record)
    assert len(server.requests) == 26


NAMES = [f"10.1/{number}" for number in range(200)]


def test_once_which_ra_has_answered_nothing_the_rest_of_the_names_is_left_unasked(at: Any) -> None:
    with RawServer(lambda request: raw.PAGE) as server:
        found = at(server).find_agencies(NAMES)
    assert {type(verdict) for verdict in found} == {ProxyError}
    assert set(server.requests[0].names) == set(NAMES[:50])
    assert all(name in NAMES[:50] for request in server.requests for name in request.names)


def test_a_name_that_fails_alone_in_its_request_keeps_nothing_from_the_others(at: Any) -> None:
    long = "10.1/" + "x" * 4000
    with RawServer(lambda r: http(414, "") if long in r.names else raw.agencies(r.names)) as server:
        found = at(server).find_agencies([long, "10.1/\ud800", *NAMES])
    assert [type(verdict) for verdict in found] == [ProxyError] * 2 + [WhichRaAnswer] * 200
