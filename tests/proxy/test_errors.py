"""Whatever goes wrong on the way ends in "could not ask", never in "does not exist", and only after three attempts."""

import socket

import pytest

from resolver.domain.handle.answers import MissingHandle, NoValues, ProxyError, Unreachable
from resolver.domain.handle.record import Record
from tests.proxy import raw_server as raw
from tests.proxy.conftest import Ask
from tests.proxy.raw_server import RawServer, http

NAME = "10.1000/1"
ABOUT = {"handle": NAME}

FAULTS = [
    (raw.PAGE, ProxyError, "web page"),
    (http(403, "<html>Access denied</html>"), ProxyError, "HTTP 403"),
    (http(404, "<html>Not found</html>"), ProxyError, "HTTP 404"),
    (http(200, ""), ProxyError, "empty"),
    (http(200, b"\xff\xfe\x00"), ProxyError, "not JSON"),
    (http(200, '{"responseCode":100,'), ProxyError, "not JSON"),
    (http(200, "[" * 100_000), ProxyError, ""),
    (http(404, []), ProxyError, "not a JSON object"),
    (http(404, {"responseCode": 100}), ProxyError, "which name"),
    (http(404, {"responseCode": True, **ABOUT}), ProxyError, "response code"),
    (http(404, {"responseCode": 100, "handle": "10.1000/2"}), ProxyError, "another name"),
    (raw.record("10.1000/2"), ProxyError, "another name"),
    (http(400, {"responseCode": 301, "message": "not here", **ABOUT}), ProxyError, "not here"),
    (http(302, "", Location="https://login.example.org/x"), ProxyError, "login.example.org"),
    (http(301, "", Location="//[bad"), ProxyError, "another address"),
    (b"SSH-2.0-OpenSSH_9.2\r\n", ProxyError, "isn't valid HTTP"),
    (http(200, b"x" * 5_000_001), ProxyError, "longer than"),
    (http(500, "<html>"), Unreachable, "HTTP 500"),
    (http(503, "<html>maintenance</html>"), Unreachable, "HTTP 503"),
    (http(407, "log in"), Unreachable, "proxy server requires a login"),
    (raw.reset, Unreachable, "cut"),
    (raw.hang_up, Unreachable, "cut"),
    (raw.half, Unreachable, "broke during"),
    (raw.half_chunked, Unreachable, "broke during"),
]


@pytest.mark.clause("A2", "A9")
@pytest.mark.parametrize(("answer", "kind", "words"), FAULTS)
def test_a_fault_is_tried_three_times_and_then_told(ask: Ask, answer: raw.Answer, kind: type, words: str) -> None:
    with RawServer(lambda request: answer) as server:
        found = ask(server.url).resolve(NAME).answer
    assert type(found) is kind
    assert words in found.reason
    assert len(server.requests) == 3


@pytest.mark.clause("A2", "A9")
def test_a_limit_on_requests_is_waited_for_longer_and_then_told(ask: Ask) -> None:
    with RawServer(lambda request: http(429, "slow down")) as server:
        found = ask(server.url).resolve(NAME).answer
    assert found == Unreachable("the DOI proxy asks for fewer requests")
    assert len(server.requests) == 6


@pytest.mark.parametrize(("answer", "kind", "words"), FAULTS)
def test_a_fault_that_passes_is_not_told(ask: Ask, answer: raw.Answer, kind: type, words: str) -> None:
    answers = iter([answer, answer, raw.missing(NAME)])
    with RawServer(lambda request: next(answers)) as server:
        assert isinstance(ask(server.url).resolve(NAME).answer, MissingHandle)


@pytest.mark.parametrize("answer", [raw.silence, raw.dripping, raw.dripping_head])
def test_a_proxy_that_does_not_answer_in_time_is_unreachable(ask: Ask, answer: raw.Answer) -> None:
    """The time is for the whole request, not for each piece of it that arrives."""
    with RawServer(lambda request: answer) as server:
        found = ask(server.url, timeout=0.2).resolve(NAME).answer
    assert found == Unreachable("the DOI proxy did not answer in time")
    assert len(server.requests) == 3


def test_a_port_where_nobody_listens_is_unreachable(ask: Ask) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    found = ask(f"http://127.0.0.1:{port}").resolve(NAME).answer
    assert found == Unreachable("the DOI proxy's server refused the connection")


@pytest.mark.parametrize("address", ["http://", "ftp://127.0.0.1", "nonsense", "http://127.0.0.1:99999", ""])
def test_an_address_that_is_none_is_unreachable(ask: Ask, address: str) -> None:
    assert isinstance(ask(address).resolve(NAME).answer, Unreachable)


@pytest.mark.clause("A2")
@pytest.mark.parametrize("status", [200, 403, 404, 500, 503])
@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ({"responseCode": 1, **ABOUT, "values": []}, Record),
        ({"responseCode": 100, **ABOUT}, MissingHandle),
        ({"responseCode": 200, **ABOUT}, NoValues),
        ({"responseCode": 2, "message": "broken", **ABOUT}, ProxyError),
        ({"responseCode": 2, "message": "broken"}, ProxyError),
    ],
)
def test_json_decides_at_once_whatever_the_status(ask: Ask, status: int, body: dict, kind: type) -> None:
    with RawServer(lambda request: http(status, body)) as server:
        assert type(ask(server.url).resolve(NAME).answer) is kind
    assert len(server.requests) == 1


def test_the_name_comes_back_in_any_ascii_case(ask: Ask) -> None:
    with RawServer(lambda request: raw.record("10.1000/ABC")) as server:
        assert isinstance(ask(server.url).resolve("10.1000/abc").answer, Record)


def test_a_body_in_small_chunks_is_read_whole(ask: Ask) -> None:
    body = raw.record(NAME).partition(b"\r\n\r\n")[2]
    with RawServer(lambda request: raw.chunked(body, 7)) as server:
        assert isinstance(ask(server.url).resolve(NAME).answer, Record)


def test_fewer_than_three_attempts_cannot_be_set_and_more_can(ask: Ask) -> None:
    for attempts, made in ((1, 3), (5, 5)):
        with RawServer(lambda request: raw.PAGE) as server:
            ask(server.url, attempts=attempts).resolve(NAME)
        assert len(server.requests) == made


def test_the_pause_between_attempts_grows(ask: Ask) -> None:
    with RawServer(lambda request: http(500, "")) as server:
        ask(server.url, backoff=0.1).resolve(NAME)
    first, second, third = (request.at for request in server.requests)
    assert 0.05 <= second - first < 0.3
    assert 0.1 <= third - second < 0.5


def test_half_of_a_surrogate_pair_is_not_asked_for(ask: Ask) -> None:
    with RawServer(lambda request: raw.PAGE) as server:
        asker = ask(server.url)
        assert isinstance(asker.resolve("10.1000/\ud800").answer, ProxyError)
        assert [type(verdict) for verdict in asker.find_agencies(["10.1000/\ud800"])] == [ProxyError]
    assert server.requests == []
