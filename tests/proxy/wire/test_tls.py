"""TLS: whose certificates are trusted, and a connection that ends without saying so is no end of an answer."""

import socket
import ssl
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
import trustme

from resolver.domain.handle.answers import MissingHandle, ProxyError, Unreachable
from tests.proxy import raw_server as raw
from tests.proxy.conftest import Ask
from tests.proxy.raw_server import RawServer, Request

NAME = "10.1000/1"
BODY = raw.missing(NAME).partition(b"\r\n\r\n")[2]


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    return trustme.CA()


@pytest.fixture
def context(authority: trustme.CA) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("localhost").configure_cert(context)
    return context


@pytest.fixture
def folder(authority: trustme.CA, tmp_path: Path) -> Path:
    """The certificate in a file, and in a folder under the names by which OpenSSL looks."""
    folder = tmp_path / "certificates"
    folder.mkdir()
    authority.cert_pem.write_to_path(str(folder / "ca.pem"))
    subprocess.run(["openssl", "rehash", str(folder)], check=True)
    return folder


@pytest.fixture
def trusted(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", str(folder / "ca.pem"))


@pytest.fixture
def secure(context: ssl.SSLContext) -> Iterator[RawServer]:
    with RawServer(lambda request: raw.missing(request.name), context) as server:
        yield server


@pytest.mark.parametrize("variable", ["REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "SSL_CERT_FILE"])
@pytest.mark.parametrize("place", ["ca.pem", ""], ids=["file", "folder"])
def test_a_bundle_of_the_site_may_be_a_file_or_a_folder(
    ask: Ask, secure: RawServer, folder: Path, monkeypatch: pytest.MonkeyPatch, variable: str, place: str
) -> None:
    monkeypatch.setenv(variable, str(folder / place))
    asker = ask(secure.url)
    for name in (NAME, "10.1000/2"):
        assert isinstance(asker.resolve(name).answer, MissingHandle)
    assert len(secure.requests) == 2


@pytest.mark.parametrize("place", ["ca.pem", ""], ids=["file", "folder"])
def test_a_bundle_without_the_server_s_authority_trusts_nothing(
    ask: Ask, secure: RawServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    folder = tmp_path / "others"
    folder.mkdir()
    trustme.CA().cert_pem.write_to_path(str(folder / "ca.pem"))
    subprocess.run(["openssl", "rehash", str(folder)], check=True)
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", str(folder / place))
    found = ask(secure.url).resolve(NAME).answer
    assert found == Unreachable("the DOI proxy's certificate isn't trusted here (TLS)")
    assert secure.requests == []


@pytest.mark.usefixtures("trusted")
@pytest.mark.parametrize("host", ["127.0.0.1", "[::1]"])
def test_a_certificate_of_another_host_is_not_trusted(ask: Ask, secure: RawServer, host: str) -> None:
    found = ask(secure.url.replace("localhost", host)).resolve(NAME).answer
    assert isinstance(found, Unreachable)
    assert secure.requests == []


@pytest.mark.parametrize("ask", ["bulk"], indirect=True)
@pytest.mark.usefixtures("trusted")
@pytest.mark.parametrize(
    "content",
    [b"HTTP/1.1 404 X\r\n\r\n" + BODY, b"HTTP/1.0 404 X\r\n\r\n" + BODY],
    ids=["HTTP/1.1", "HTTP/1.0"],
)
def test_a_connection_that_is_cut_is_no_end_of_an_answer_without_a_length(
    ask: Ask, context: ssl.SSLContext, content: bytes
) -> None:
    """Anybody on the way can cut it."""

    def cut(connection: socket.socket) -> None:
        connection.sendall(content)
        connection.shutdown(socket.SHUT_RDWR)

    with RawServer(lambda request: cut, context) as server:
        assert isinstance(ask(server.url).resolve(NAME).answer, ProxyError | Unreachable)
        assert len(server.requests) == 3


CUT_AT = [0, 1, 15, 17, 40, len(raw.missing(NAME)) - 1]


@pytest.mark.usefixtures("trusted")
@pytest.mark.parametrize("size", CUT_AT)
def test_an_answer_that_is_cut_anywhere_is_none(ask: Ask, context: ssl.SSLContext, size: int) -> None:
    def answer(request: Request) -> raw.Answer:
        def cut(connection: socket.socket) -> None:
            connection.sendall(raw.missing(NAME)[:size])
            connection.shutdown(socket.SHUT_RDWR)

        return cut

    with RawServer(answer, context) as server:
        assert isinstance(ask(server.url).resolve(NAME).answer, ProxyError | Unreachable)
        assert len(server.requests) == 3


@pytest.mark.usefixtures("trusted")
def test_a_server_that_says_nothing_in_the_handshake_is_waited_for_no_longer_than_set(ask: Ask) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        found = ask(f"https://localhost:{port}", timeout=0.3).resolve(NAME).answer
    assert found == Unreachable("the DOI proxy did not answer in time")


@pytest.mark.usefixtures("trusted")
@pytest.mark.parametrize("version", [ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3])
def test_both_versions_of_tls_are_spoken(ask: Ask, context: ssl.SSLContext, version: ssl.TLSVersion) -> None:
    context.minimum_version = context.maximum_version = version
    with RawServer(lambda request: raw.missing(request.name), context) as server:
        assert isinstance(ask(server.url).resolve(NAME).answer, MissingHandle)
