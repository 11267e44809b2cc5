"""A download of one file: whole, bounded, and from where it may come."""

import io
import time
from collections.abc import Callable

import pytest

from resolver.proxy.file_downloads import Download, NoDownload, download_file
from tests.proxy.raw_server import Answer, RawServer, Request, http, silence

FILE = b"a,b\n1,2\n"


def download(answer: Callable[[Request], Answer], **bounds: float) -> tuple[Download, bytes]:
    file = io.BytesIO()
    with RawServer(answer) as server:
        most_bytes, seconds = int(bounds.get("most_bytes", 1000)), bounds.get("seconds", 5.0)
        found = download_file(
            server.url, file, user_agent="tests", most_bytes=most_bytes, seconds=seconds, allow_private=True
        )
    return found, file.getvalue()


def refuse(answer: Answer, **bounds: float) -> str:
    with pytest.raises(NoDownload) as refused:
        download(lambda request: answer, **bounds)
    return str(refused.value.reason)


def test_a_file_whose_length_is_said_is_whole() -> None:
    assert download(lambda request: http(200, FILE)) == (Download(8, whole=True), FILE)


def test_a_file_in_chunks_is_whole() -> None:
    head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    assert download(lambda request: head + b"8\r\n" + FILE + b"\r\n0\r\n\r\n") == (Download(8, whole=True), FILE)


def test_a_file_that_ends_with_the_connection_may_be_cut() -> None:
    def answer(request: Request) -> Answer:
        return lambda connection: connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n" + FILE)

    assert download(answer) == (Download(8, whole=False), FILE)


@pytest.mark.parametrize(
    "head", [b"Content-Length: 900", b"Transfer-Encoding: chunked", b"Transfer-Encoding: chunked\r\nContent-Length: 8"]
)
def test_a_download_that_breaks_off_is_refused(head: bytes) -> None:
    content = b"ff\r\n" + FILE if b"chunked" in head else FILE
    assert "broke off" in refuse(
        lambda connection: connection.sendall(b"HTTP/1.1 200 OK\r\n" + head + b"\r\n\r\n" + content)
    )


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (http(404, "no"), "HTTP 404"),
        (http(206, FILE), "HTTP 206"),
        (http(200, "<html>", Content_Type="text/html; charset=utf-8"), "web page"),
        (http(200, b"x" * 2000), "more than the 1,000 bytes"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 8\r\n" + b"X: y\r\n" * 5000 + b"\r\n" + FILE, "failed"),
        (b"HTTP/1.1 200 OK\r\nX: " + b"y" * 1_000_000 + b"\r\nContent-Length: 8\r\n\r\n" + FILE, "failed"),
        (b"no HTTP at all\r\n\r\n", "failed"),
        (http(301, "", Location="/again"), "redirects more than 5 times"),
        (http(302, "", Location="file:///etc/passwd"), "isn't a web address"),
        (http(302, "", Location="https://user:password@example.org/"), "user name"),
    ],
)  # fmt: skip
def test_every_other_answer_is_refused_with_the_reason(answer: bytes, why: str) -> None:
    assert why in refuse(answer)


def test_a_file_without_a_length_is_bounded_too() -> None:
    assert "more than the 1,000 bytes" in refuse(
        lambda connection: connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n" + b"x" * 5000)
    )


def test_a_packed_file_is_taken_as_it_comes() -> None:
    """A bomb stays as small as it came: it isn't unpacked."""
    packed = http(200, b"\x1f\x8b" + FILE, Content_Encoding="gzip")
    assert download(lambda request: packed) == (Download(10, whole=True), b"\x1f\x8b" + FILE)


@pytest.mark.parametrize("begin", [b"", b"HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\na"])
def test_a_server_that_is_silent_is_given_up(begin: bytes) -> None:
    def answer(connection: object) -> None:
        connection.sendall(begin)  # type: ignore[attr-defined]
        silence(connection)  # type: ignore[arg-type]

    began = time.monotonic()
    assert "more than 0 seconds" in refuse(answer, seconds=0.4)
    assert time.monotonic() - began < 3


def test_a_redirect_is_followed_to_an_allowed_address_alone() -> None:
    def answer(request: Request) -> Answer:
        return http(200, FILE) if request.target == "/file" else http(302, "", Location="/file")

    assert download(answer)[1] == FILE


def test_a_redirect_into_the_network_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("resolver.proxy.public_addresses.is_public", lambda address: str(address) == "127.0.0.1")
    with pytest.raises(NoDownload, match="isn't on the public internet"):
        download_file(
            "https://127.0.0.2:8443/", io.BytesIO(), user_agent="x", most_bytes=1, seconds=1, allow_private=False
        )
