"""Libraries sit behind proxy servers and certificates of their own: both clients honour what the environment says."""

import ssl
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import trustme

from resolver.domain.handle.answers import MissingHandle, Unreachable
from resolver.proxy.library_errors import explain_library_error
from resolver.standin.server import SampleProxyServer
from tests.proxy import raw_server as raw
from tests.proxy.conftest import Ask
from tests.proxy.raw_server import RawServer, Request
from tests.proxy.tunnel import Tunnel

NAME = "10.1000/a/../b"


def answer(request: Request) -> bytes:
    return raw.missing(NAME)


@pytest.fixture(scope="session")
def authority() -> trustme.CA:
    return trustme.CA()


@pytest.fixture
def secure(authority: trustme.CA) -> Iterator[RawServer]:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("localhost").configure_cert(context)
    with RawServer(answer, context) as server:
        yield server


@pytest.fixture
def bundle(authority: trustme.CA, tmp_path: Path) -> str:
    path = tmp_path / "ca.pem"
    authority.cert_pem.write_to_path(str(path))
    return str(path)


@pytest.mark.parametrize("variable", ["REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "SSL_CERT_FILE"])
def test_a_bundle_of_the_site_is_trusted(
    ask: Ask, secure: RawServer, bundle: str, monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    monkeypatch.setenv(variable, bundle)
    assert isinstance(ask(secure.url).resolve(NAME).answer, MissingHandle)
    assert secure.targets == ["/api/handles/10.1000/a/..%2Fb"]


@pytest.mark.clause("A9")
def test_a_stranger_s_certificate_is_not_trusted(ask: Ask, secure: RawServer) -> None:
    found = ask(secure.url).resolve(NAME).answer
    assert found == Unreachable("the DOI proxy's certificate isn't trusted here (TLS)")
    assert secure.requests == []


@pytest.mark.clause("A9")
def test_a_certificate_for_another_host_is_not_trusted(
    ask: Ask, secure: RawServer, bundle: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", bundle)
    found = ask(secure.url.replace("localhost", "127.0.0.1")).resolve(NAME).answer
    assert found == Unreachable("the DOI proxy's certificate isn't trusted here (TLS)")


@pytest.mark.parametrize(
    ("content", "reason"), [(None, "the file of trusted certificates can't be read"), ("no certificate", "(TLS)")]
)
def test_a_bundle_that_cannot_be_used_is_told(
    ask: Ask, secure: RawServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: str | None, reason: str
) -> None:
    path = tmp_path / "broken.pem"
    if content is not None:
        path.write_text(content)
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", str(path))
    found = ask(secure.url).resolve(NAME).answer
    assert isinstance(found, Unreachable)
    assert reason in found.reason


def test_https_on_a_port_that_speaks_http_is_unreachable(ask: Ask) -> None:
    with RawServer(answer) as server:
        found = ask(server.url.replace("http:", "https:")).resolve(NAME).answer
    assert found == Unreachable("a secure connection to the DOI proxy failed (TLS)")


@pytest.mark.parametrize("variable", ["HTTPS_PROXY", "https_proxy", "ALL_PROXY"])
def test_https_goes_through_the_proxy_server(
    ask: Ask, secure: RawServer, bundle: str, monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", bundle)
    with Tunnel() as tunnel:
        monkeypatch.setenv(variable, f"http://127.0.0.1:{tunnel.port}")
        asker = ask(secure.url)
        assert isinstance(asker.resolve(NAME).answer, MissingHandle)
        getattr(asker, "close", bool)()
    assert [line.rpartition(" ")[0] for line in tunnel.lines] == [f"CONNECT localhost:{secure.port}"]
    assert secure.targets == ["/api/handles/10.1000/a/..%2Fb"]


@pytest.mark.parametrize("scheme", ["http://", ""])
def test_http_goes_through_the_proxy_server_with_the_name_whole(
    ask: Ask, monkeypatch: pytest.MonkeyPatch, scheme: str
) -> None:
    with RawServer(answer) as server, Tunnel() as tunnel:
        monkeypatch.setenv("HTTP_PROXY", f"{scheme}127.0.0.1:{tunnel.port}")
        asker = ask(server.url)
        assert isinstance(asker.resolve(NAME).answer, MissingHandle)
        getattr(asker, "close", bool)()
    assert tunnel.lines == [f"GET {server.url}/api/handles/10.1000/a/..%2Fb HTTP/1.1"]


def test_the_proxy_server_gets_its_password_and_the_doi_proxy_does_not(
    ask: Ask, secure: RawServer, bundle: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", bundle)
    with Tunnel() as tunnel:
        monkeypatch.setenv("HTTPS_PROXY", f"http://me:secret@127.0.0.1:{tunnel.port}")
        asker = ask(secure.url)
        assert isinstance(asker.resolve(NAME).answer, MissingHandle)
        getattr(asker, "close", bool)()
    assert b"proxy-authorization: basic bwu6c2vjcmv0" in tunnel.heads[0].lower()
    assert "proxy-authorization" not in secure.requests[0].headers


def test_no_proxy_names_an_ipv6_address(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "example.org, ::1")
    with SampleProxyServer(host="::1") as server, Tunnel() as tunnel:
        monkeypatch.setenv("HTTP_PROXY", f"http://127.0.0.1:{tunnel.port}")
        assert isinstance(ask(server.url).resolve(NAME).answer, MissingHandle)
    assert (tunnel.lines, len(server.requests)) == ([], 1)


@pytest.mark.parametrize("exempt", ["127.0.0.1", "*", "example.org, 127.0.0.0/8"])
def test_no_proxy_goes_straight(ask: Ask, monkeypatch: pytest.MonkeyPatch, exempt: str) -> None:
    monkeypatch.setenv("NO_PROXY", exempt)
    with RawServer(answer) as server, Tunnel() as tunnel:
        monkeypatch.setenv("HTTP_PROXY", f"http://127.0.0.1:{tunnel.port}")
        assert isinstance(ask(server.url).resolve(NAME).answer, MissingHandle)
    assert tunnel.lines == []


@pytest.mark.parametrize(
    ("status", "reason"),
    [
        (403, "your network's proxy server blocked the request"),
        (502, "your network's proxy server blocked the request"),
        (407, "your network's proxy server requires a login"),
    ],
)
def test_a_proxy_server_that_refuses_or_is_away_means_unreachable(
    ask: Ask, secure: RawServer, monkeypatch: pytest.MonkeyPatch, status: int, reason: str
) -> None:
    with Tunnel(refuse=status) as tunnel:
        monkeypatch.setenv("HTTPS_PROXY", f"http://127.0.0.1:{tunnel.port}")
        refused = ask(secure.url).resolve(NAME).answer
    away = ask(secure.url).resolve(NAME).answer
    told = Unreachable("your network's proxy server blocked the request")
    assert (refused, away, secure.requests) == (Unreachable(reason), told, [])


@pytest.mark.parametrize("server", ["socks5://127.0.0.1:1", "http://127.0.0.1:99999", "http://"])
def test_a_proxy_server_that_cannot_be_used_means_unreachable(
    ask: Ask, monkeypatch: pytest.MonkeyPatch, server: str
) -> None:
    monkeypatch.setenv("HTTP_PROXY", server)
    assert isinstance(ask("http://127.0.0.1:9").resolve(NAME).answer, Unreachable)


LOOK_UP = """
import sys
from tempfile import mkdtemp
from pathlib import Path
from resolver.proxy.limits import FileBudget
from resolver.proxy.bulk_client import BulkClient
from resolver.proxy.client import ProxyClient
from resolver.proxy.proxy_config import ProxyConfig
config = ProxyConfig("https://nothing.invalid", "test", backoff=0)
budget = FileBudget(Path(sys.argv[1]), 4, None)
print(ProxyClient(config, budget).resolve("10.1/a").answer.reason)
print(BulkClient(config, budget).resolve(["10.1/a"])["10.1/a"].answer.reason)
"""


def test_a_host_name_that_nobody_knows_means_unreachable(tmp_path: Path) -> None:
    """In a process of its own: the tests' guard lets no look-up of a foreign name pass (`.invalid` never exists)."""
    done = subprocess.run([sys.executable, "-c", LOOK_UP, str(tmp_path)], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["the DOI proxy's server couldn't be found (DNS)"] * 2


def test_an_error_of_our_own_is_not_taken_for_a_failure_of_the_network() -> None:
    with pytest.raises(KeyError):
        explain_library_error(KeyError("a bug"))
