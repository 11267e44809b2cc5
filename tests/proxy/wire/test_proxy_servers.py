"""Proxy servers of the network, as the environment sets them."""

import socket
import ssl
from pathlib import Path

import pytest
import trustme

from resolver.domain.handle.answers import MissingHandle, Unreachable
from resolver.proxy.bulk_client import BulkClient
from resolver.proxy.limits import FileBudget
from tests.proxy import raw_server as raw
from tests.proxy.conftest import Ask, config_for
from tests.proxy.raw_server import RawServer
from tests.proxy.tunnel import Tunnel

NAME = "10.1000/1"


@pytest.mark.parametrize("variable", ["HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"])
def test_the_proxy_server_of_the_environment_is_used(ask: Ask, monkeypatch: pytest.MonkeyPatch, variable: str) -> None:
    with RawServer(lambda request: raw.missing(NAME)) as server, Tunnel() as tunnel:
        monkeypatch.setenv(variable, f"http://127.0.0.1:{tunnel.port}")
        asker = ask(server.url)
        assert isinstance(asker.resolve(NAME).answer, MissingHandle)
        getattr(asker, "close", bool)()
    assert len(tunnel.lines) == len(server.requests) == 1


@pytest.mark.parametrize("variable", ["NO_PROXY", "no_proxy"])
@pytest.mark.parametrize("exempt", ["127.0.0.1", "*", "example.org, 127.0.0.0/8"])
def test_an_exempt_host_is_asked_directly(
    ask: Ask, monkeypatch: pytest.MonkeyPatch, variable: str, exempt: str
) -> None:
    with RawServer(lambda request: raw.missing(NAME)) as server, Tunnel() as tunnel:
        monkeypatch.setenv("HTTP_PROXY", f"http://127.0.0.1:{tunnel.port}")
        monkeypatch.setenv(variable, exempt.format(port=server.port))
        assert isinstance(ask(server.url).resolve(NAME).answer, MissingHandle)
    assert (tunnel.lines, len(server.requests)) == ([], 1)


@pytest.mark.parametrize("exempt", ["", "example.org", "127.0.0.2", "example.org 127.0.0.1", "127.0.0.1:{port}"])
def test_a_host_that_is_not_exempt_is_asked_through_the_proxy_server(
    ask: Ask, monkeypatch: pytest.MonkeyPatch, exempt: str
) -> None:
    """Both clients read the variable alike: libcurl has a reading of its own."""
    with RawServer(lambda request: raw.missing(NAME)) as server, Tunnel() as tunnel:
        monkeypatch.setenv("HTTP_PROXY", f"http://127.0.0.1:{tunnel.port}")
        monkeypatch.setenv("NO_PROXY", exempt.format(port=server.port))
        asker = ask(server.url)
        assert isinstance(asker.resolve(NAME).answer, MissingHandle)
        getattr(asker, "close", bool)()
    assert len(tunnel.lines) == 1


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_a_proxy_server_that_says_nothing_is_waited_for_no_longer_than_set(
    ask: Ask, monkeypatch: pytest.MonkeyPatch, scheme: str
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        monkeypatch.setenv(f"{scheme.upper()}_PROXY", f"http://127.0.0.1:{listening.getsockname()[1]}")
        found = ask(f"{scheme}://localhost:9", timeout=0.3).resolve(NAME).answer
    assert found == Unreachable("the DOI proxy did not answer in time")


@pytest.mark.parametrize("user", ["me:secret", "me%40example.org:a%3Ab"])
def test_the_login_goes_to_the_proxy_server_alone(ask: Ask, monkeypatch: pytest.MonkeyPatch, user: str) -> None:
    with RawServer(lambda request: raw.missing(NAME)) as server, Tunnel() as tunnel:
        monkeypatch.setenv("HTTP_PROXY", f"http://{user}@127.0.0.1:{tunnel.port}")
        asker = ask(server.url)
        assert isinstance(asker.resolve(NAME).answer, MissingHandle)
        getattr(asker, "close", bool)()
    assert b"proxy-authorization: basic " in tunnel.heads[0].lower()
    assert "authorization" not in server.requests[0].headers


@pytest.mark.parametrize("status", [301, 400, 403, 404, 500, 502, 503])
def test_a_tunnel_that_is_refused_is_no_answer(ask: Ask, monkeypatch: pytest.MonkeyPatch, status: int) -> None:
    with Tunnel(refuse=status) as tunnel:
        monkeypatch.setenv("HTTPS_PROXY", f"http://127.0.0.1:{tunnel.port}")
        found = ask("https://localhost:9").resolve(NAME).answer
    assert found == Unreachable("your network's proxy server blocked the request")
    assert len(tunnel.lines) == 3


def test_a_tunnel_that_wants_a_login_says_so(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    with Tunnel(refuse=407) as tunnel:
        monkeypatch.setenv("HTTPS_PROXY", f"http://me:wrong@127.0.0.1:{tunnel.port}")
        found = ask("https://localhost:9").resolve(NAME).answer
    assert found == Unreachable("your network's proxy server requires a login")


@pytest.mark.parametrize("variable", ["HTTPS_PROXY", "FTP_PROXY", "SOCKS_PROXY"])
def test_a_proxy_server_for_another_scheme_is_not_used(
    ask: Ask, monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    with RawServer(lambda request: raw.missing(NAME)) as server, Tunnel() as tunnel:
        monkeypatch.setenv(variable, f"http://127.0.0.1:{tunnel.port}")
        assert isinstance(ask(server.url).resolve(NAME).answer, MissingHandle)
    assert tunnel.lines == []


def test_a_proxy_server_that_speaks_tls_is_trusted_by_the_certificates_of_the_site(
    budget: FileBudget, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    authority, context = trustme.CA(), ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("localhost").configure_cert(context)
    authority.cert_pem.write_to_path(str(tmp_path / "ca.pem"))
    with RawServer(lambda request: raw.missing(NAME), context) as server:
        monkeypatch.setenv("HTTP_PROXY", server.url)
        refused = BulkClient(config_for("http://example.invalid"), budget).resolve([NAME])[NAME].answer
        assert isinstance(refused, Unreachable)
        assert server.requests == []
        monkeypatch.setenv("REQUESTS_CA_BUNDLE", str(tmp_path / "ca.pem"))
        found = BulkClient(config_for("http://example.invalid"), budget).resolve([NAME])[NAME].answer
        assert isinstance(found, MissingHandle)


@pytest.mark.parametrize("password", ["p\u00e4ssword", "p%C3%A4ssword", "\u96ea"])
def test_a_password_outside_ascii_ends_in_an_answer(ask: Ask, monkeypatch: pytest.MonkeyPatch, password: str) -> None:
    with RawServer(lambda request: raw.missing(NAME)) as server, Tunnel() as tunnel:
        monkeypatch.setenv("HTTP_PROXY", f"http://me:{password}@127.0.0.1:{tunnel.port}")
        asker = ask(server.url)
        assert isinstance(asker.resolve(NAME).answer, MissingHandle | Unreachable)
        getattr(asker, "close", bool)()
