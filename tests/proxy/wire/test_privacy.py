"""What the proxy never learns from us, and where its answers never send us."""

from pathlib import Path

import pytest

from resolver.domain.handle.answers import MissingHandle, ProxyError, Unreachable
from resolver.standin.server import SampleProxyServer
from tests.proxy import raw_server as raw
from tests.proxy.conftest import Ask
from tests.proxy.raw_server import RawServer, http

NAME = "10.1000/a/../b%2F"
TARGET = "/api/handles/10.1000/a/..%2Fb%252F"


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_to_another_host_is_not_followed(ask: Ask, status: int) -> None:
    with RawServer(lambda request: raw.missing(NAME)) as other:
        answer = http(status, "", Location=f"{other.url}{TARGET}")
        with RawServer(lambda request: answer) as server:
            found = ask(server.url).resolve(NAME).answer
    assert isinstance(found, ProxyError)
    assert f"127.0.0.1:{other.port}" in found.reason
    assert other.requests == []
    assert server.targets == [TARGET] * 3


@pytest.mark.parametrize(
    "place", ["/elsewhere", "//127.0.0.1/", "?a=b", "", "file:///etc/passwd", "gopher://127.0.0.1:1/"]
)
def test_a_redirect_on_the_same_host_is_not_followed(ask: Ask, place: str) -> None:
    with RawServer(lambda request: http(302, "", Location=place)) as server:
        assert isinstance(ask(server.url).resolve(NAME).answer, ProxyError)
    assert server.targets == [TARGET] * 3


@pytest.mark.parametrize("header", ["Refresh", "Content-Location", "Link", "Alt-Svc"])
def test_no_other_header_sends_a_request_elsewhere(ask: Ask, header: str) -> None:
    with RawServer(lambda request: raw.missing(NAME)) as other:
        value = {"Refresh": f"0; url={other.url}", "Alt-Svc": f'http/1.1="127.0.0.1:{other.port}"; ma=60'}
        told = {header.replace("-", "_"): value.get(header, f"<{other.url}>")}
        answer = http(404, {"responseCode": 100, "handle": NAME}, **told)
        with RawServer(lambda request: answer) as server:
            asker = ask(server.url)
            for _ in range(3):
                assert isinstance(asker.resolve(NAME).answer, MissingHandle)
    assert (len(server.requests), other.requests) == (3, [])


def test_no_cookie_is_sent_back(ask: Ask) -> None:
    answer = http(404, {"responseCode": 100, "handle": NAME}, Set_Cookie="seen=1; Path=/")
    with RawServer(lambda request: answer) as server:
        asker = ask(server.url)
        for _ in range(4):
            asker.resolve(NAME)
    assert not any("cookie" in request.headers for request in server.requests)


@pytest.mark.parametrize("status", [401, 407])
def test_a_server_that_wants_a_login_gets_none(
    ask: Ask, status: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in (".netrc", "_netrc"):
        (tmp_path / name).write_text("machine 127.0.0.1 login librarian password secret\ndefault login a password b\n")
        (tmp_path / name).chmod(0o600)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("NETRC", str(tmp_path / ".netrc"))
    headers = {"WWW_Authenticate": 'Basic realm="x"', "Proxy_Authenticate": 'Basic realm="x"'}
    with RawServer(lambda request: http(status, "", **headers)) as server:
        ask(server.url).resolve(NAME)
    assert len(server.requests) == 3
    for request in server.requests:
        assert {"authorization", "proxy-authorization"}.isdisjoint(request.headers)


def test_a_request_has_these_headers_and_no_others(ask: Ask) -> None:
    with RawServer(lambda request: raw.missing(NAME)) as server:
        ask(server.url).resolve(NAME)
    [request] = server.requests
    assert {*request.headers} - {"connection"} == {"host", "user-agent", "accept", "accept-encoding"}
    assert request.headers["host"] == f"127.0.0.1:{server.port}"
    assert request.headers["accept-encoding"] == "identity"


@pytest.mark.parametrize("scheme", ["ftp", "gopher", "telnet", "dict", "smtp", "ws", "scp", "ldap", "rtsp", "mqtt"])
def test_only_http_is_spoken(ask: Ask, scheme: str) -> None:
    with RawServer(lambda request: raw.missing(NAME)) as server:
        found = ask(f"{scheme}://127.0.0.1:{server.port}").resolve(NAME).answer
        assert found == Unreachable("the address set for the DOI proxy or for your network's proxy server isn't valid")
        assert server.connections == 0


def test_a_server_on_an_ipv6_address_is_asked(ask: Ask) -> None:
    with SampleProxyServer(host="::1") as server:
        assert "[::1]" in server.url
        assert isinstance(ask(server.url).resolve(NAME).answer, MissingHandle)
        assert len(server.requests) == 1


def test_a_name_that_looks_like_an_address_stays_in_the_path(ask: Ask) -> None:
    names = [
        "10.1/@example.org/",
        "10.1/\\\\example.org\\a",
        "10.1/#@example.org:80",
        "10.1/\r\nHost: a",
        "10.1/\x00",
        "10.1/?x",
    ]
    with RawServer(lambda request: raw.missing(request.name)) as server:
        asker = ask(server.url)
        for name in names:
            assert isinstance(asker.resolve(name).answer, MissingHandle)
    assert [request.name for request in server.requests] == names
    assert {request.headers["host"] for request in server.requests} == {f"127.0.0.1:{server.port}"}


@pytest.mark.parametrize("folder", ["/etc/", "/", "//", "/etc"])
def test_no_file_of_this_machine_is_read(ask: Ask, folder: str) -> None:
    assert isinstance(ask(f"file://{folder}").resolve("passwd").answer, Unreachable)
