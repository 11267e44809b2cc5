"""What the check of a host says about servers of every kind, with real sockets and certificates."""

import datetime
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import trustme

from resolver.domain.redirect.web_host import HostCode, HostVerdict
from resolver.proxy import host_reachability
from resolver.proxy.host_reachability import check_host
from tests.proxy import raw_server as raw
from tests.proxy.raw_server import RawServer

PAST = datetime.datetime.now(datetime.UTC) - datetime.timedelta(days=1)
Names = Callable[[str, list[Any] | OSError], None]


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    return trustme.CA()


@pytest.fixture(autouse=True)
def _trusted(authority: trustme.CA, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    authority.cert_pem.write_to_path(str(tmp_path / "ca.pem"))
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", str(tmp_path / "ca.pem"))


@pytest.fixture
def dns(monkeypatch: pytest.MonkeyPatch) -> Names:
    """`dns(name, addresses or error)`: what the system's resolver says about a name."""
    known: dict[str, list[Any] | OSError] = {}
    resolve = socket.getaddrinfo

    def answer(host: str, port: int, *arguments: Any, **options: Any) -> list[Any]:
        if host.removesuffix(".") not in known:
            return resolve(host, port, *arguments, **options)
        found = known[host.removesuffix(".")]
        if isinstance(found, OSError):
            raise found
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in found]

    monkeypatch.setattr(socket, "getaddrinfo", answer)
    return known.__setitem__


@contextmanager
def serving(issued: trustme.LeafCert | None = None) -> Iterator[RawServer]:
    context = None
    if issued is not None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        issued.configure_cert(context)
    with RawServer(lambda request: raw.PAGE, context) as server:
        yield server


def check(host: str, port: int, *, tls: bool = True, timeout: float = 5) -> HostVerdict:
    return check_host(host, port, tls, allow_private=True, timeout=timeout)


def test_a_server_with_a_good_certificate_answers_and_gets_no_request(authority: trustme.CA) -> None:
    with serving(authority.issue_cert("localhost")) as server:
        assert check("localhost", server.port) == HostVerdict(HostCode.ANSWERS)
    assert server.requests == []


def test_a_server_without_tls_answers_and_gets_no_request() -> None:
    with serving() as server:
        assert check("localhost", server.port, tls=False) == HostVerdict(HostCode.ANSWERS)
    assert server.requests == []


@pytest.mark.parametrize(
    ("name", "options", "code"),
    [
        ("localhost", {"not_after": PAST}, HostCode.CERTIFICATE_ENDED),
        ("journal.example", {}, HostCode.CERTIFICATE_OTHER_NAME),
        ("localhost", {"not_before": PAST + datetime.timedelta(days=9)}, HostCode.CERTIFICATE_UNTRUSTED),
    ],
)
def test_a_certificate_that_ended_or_is_for_another_name_is_told(
    authority: trustme.CA, name: str, options: dict[str, Any], code: HostCode
) -> None:
    with serving(authority.issue_cert(name, **options)) as server:
        assert check("localhost", server.port).code == code
    assert server.requests == []


def test_a_certificate_of_an_unknown_authority_is_untrusted() -> None:
    with serving(trustme.CA().issue_cert("localhost")) as server:
        assert check("localhost", server.port).code == HostCode.CERTIFICATE_UNTRUSTED


def test_a_server_that_speaks_no_tls_has_no_secure_connection() -> None:
    with SocketOnce(b"220 mail.example ESMTP\r\n") as port:
        assert check("localhost", port).code == HostCode.NO_SECURE_CONNECTION


def test_the_name_of_the_host_is_sent_and_checked_though_the_connection_goes_to_an_address(
    authority: trustme.CA, dns: Names
) -> None:
    dns("xn--bcher-kva.example", ["127.0.0.1"])
    with serving(authority.issue_cert("bücher.example")) as server:
        assert check("bücher.example", server.port).code == HostCode.ANSWERS
        assert check("127.0.0.1", server.port).code == HostCode.CERTIFICATE_OTHER_NAME


@pytest.mark.parametrize(
    ("number", "code"),
    [
        (socket.EAI_NONAME, HostCode.NO_SUCH_HOST),
        (socket.EAI_NODATA, HostCode.NO_SUCH_HOST),
        (socket.EAI_AGAIN, HostCode.UNCHECKED),
        (socket.EAI_FAIL, HostCode.UNCHECKED),
    ],
)
def test_only_a_name_that_dns_denies_does_not_exist(dns: Names, number: int, code: HostCode) -> None:
    dns("journal.example", socket.gaierror(number, "as the system says it"))
    assert check("journal.example", 443).code == code


def test_no_domain_of_the_network_is_added_to_a_name(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def answer(host: str, *_: Any, **__: Any) -> list[Any]:
        asked.append(host)
        raise socket.gaierror(socket.EAI_NONAME, "no such name")

    monkeypatch.setattr(socket, "getaddrinfo", answer)
    for name in ("journal.example", "localhost", "127.0.0.0x1"):
        check(name, 443)
    assert asked == ["journal.example.", "localhost", "127.0.0.0x1"]


@pytest.mark.parametrize("host", ["a" * 64 + ".example", "a..example", "\u2488.example", "ü." * 60 + "example"])
def test_what_cannot_be_a_name_does_not_exist(host: str) -> None:
    assert check(host, 443).code == HostCode.NO_SUCH_HOST


def test_a_closed_port_is_no_answer() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    assert check("127.0.0.1", port) == HostVerdict(HostCode.NO_ANSWER, host_reachability.REFUSED)


def test_the_next_address_is_tried_after_one_that_refuses(dns: Names) -> None:
    with serving() as server:
        dns("journal.example", ["127.0.0.2", "127.0.0.1"])
        assert check("journal.example", server.port, tls=False).code == HostCode.ANSWERS


def test_a_silent_server_holds_a_check_no_longer_than_the_limit() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        begun = time.monotonic()
        assert check("127.0.0.1", silent.getsockname()[1], timeout=0.3) == HostVerdict(
            HostCode.NO_ANSWER, host_reachability.TOO_SLOW
        )
        assert time.monotonic() - begun < 30


def test_a_resolver_that_hangs_holds_a_check_no_longer_than_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    over = threading.Event()
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: over.wait(60) and [])
    begun = time.monotonic()
    found = check("journal.example", 443, timeout=0.3)
    over.set()
    assert found == HostVerdict(HostCode.UNCHECKED, host_reachability.NO_DNS)
    assert time.monotonic() - begun < 30


def test_a_machine_without_a_free_thread_still_checks_hosts_when_it_has_one_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    with monkeypatch.context() as without:
        without.setattr(threading.Thread, "start", refuse)
        for _ in range(host_reachability.MOST_PENDING_RESOLUTIONS):
            assert check("127.0.0.1", 80, timeout=1) == HostVerdict(HostCode.UNCHECKED, host_reachability.NO_DNS)
    with serving() as server:
        assert check("127.0.0.1", server.port, tls=False).code == HostCode.ANSWERS


def test_slow_dns_is_no_silence_of_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    resolve = socket.getaddrinfo
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]

        def answer(*arguments: Any, **options: Any) -> Any:
            time.sleep(0.9)
            return resolve("127.0.0.1", port, type=socket.SOCK_STREAM)

        monkeypatch.setattr(socket, "getaddrinfo", answer)
        assert check("journal.example", port, timeout=1) == HostVerdict(HostCode.UNCHECKED, host_reachability.NO_DNS)


@pytest.mark.parametrize("port", [22, 25, 1023])
def test_a_port_of_another_service_is_never_contacted(port: int) -> None:
    verdict = check_host("8.8.8.8", port, False, allow_private=False, timeout=1)
    assert verdict.code == HostCode.NOT_CONTACTED


def test_behind_a_proxy_server_of_the_network_nothing_is_said_of_hosts_that_are_not_seen(
    dns: Names, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:1")
    dns("journal.example", socket.gaierror(socket.EAI_NONAME, "no such name in the network"))
    assert check("journal.example", 443) == HostVerdict(HostCode.UNCHECKED, host_reachability.BEHIND_PROXY)


def test_without_its_trusted_certificates_the_portal_judges_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", "/nonexistent/ca.pem")
    assert check("localhost", 443) == HostVerdict(HostCode.UNCHECKED, host_reachability.NO_BUNDLE)


class SocketOnce:
    """A server that greets the first connection and closes it."""

    def __init__(self, greeting: bytes) -> None:
        self.greeting, self.server = greeting, socket.create_server(("127.0.0.1", 0))

    def __enter__(self) -> int:
        threading.Thread(target=self._serve, daemon=True).start()
        return int(self.server.getsockname()[1])

    def _serve(self) -> None:
        connection, _ = self.server.accept()
        with connection:
            connection.sendall(self.greeting)
            connection.recv(4096)

    def __exit__(self, *_: object) -> None:
        self.server.close()
