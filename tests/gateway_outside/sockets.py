"""A client that sends what it is told, byte for byte, and takes an answer apart without mercy."""

import json
import re
import socket
from dataclasses import dataclass
from typing import Any

_LINE = re.compile(rb"[!#-'*+\-.0-9A-Z^-z|~]+: ?[\t\x20-\x7e\x80-\xff]*\Z")


@dataclass(frozen=True)
class RawAnswer:
    """One HTTP answer; the names of its headers in small letters, in the order in which they came."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes

    def all(self, name: str) -> list[str]:
        return [value for key, value in self.headers if key == name]

    def __getitem__(self, name: str) -> str:
        """The one header of this name; "" when there is none."""
        values = self.all(name)
        assert len(values) <= 1, f"{name} came {len(values)} times"
        return values[0] if values else ""

    @property
    def location(self) -> str:
        return self["location"]

    @property
    def text(self) -> str:
        return self.body.decode()

    @property
    def json(self) -> Any:
        return json.loads(self.body)


def request(target: str | bytes, method: str = "GET", host: str = "127.0.0.1", **headers: str) -> bytes:
    """The bytes of a request; `X_Y="z"` becomes the header X-Y. The connection ends with its answer."""
    raw = target if isinstance(target, bytes) else target.encode("latin-1")
    lines = {"Host": host, "Connection": "close", **{name.replace("_", "-"): value for name, value in headers.items()}}
    head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
    return method.encode() + b" " + raw + b" HTTP/1.1\r\n" + head.encode("latin-1") + b"\r\n"


def exchange(port: int, sent: bytes, seconds: float = 30) -> bytes:
    """Everything that comes back until the other side closes. It may close before it has read all."""
    received = bytearray()
    with socket.create_connection(("127.0.0.1", port), seconds) as connection:
        try:
            connection.sendall(sent)
            while chunk := connection.recv(65_536):
                received += chunk
        except ConnectionError:
            pass  # as above: what came before that is looked at
    return bytes(received)


def parsed(received: bytes, *, bodiless: bool = False) -> RawAnswer:
    """The answer, which must be one whole HTTP message and nothing besides: AssertionError else (no header that
    somebody smuggled in, no second answer behind the first)."""
    head, end, body = received.partition(b"\r\n\r\n")
    assert end, f"no HTTP answer: {received[:200]!r}"
    first, *lines = head.split(b"\r\n")
    status = re.fullmatch(rb"HTTP/1\.1 ([1-5][0-9]{2}) [ -~]*", first)
    assert status, first
    for line in lines:
        assert _LINE.match(line), f"no header: {line!r}"
    pairs = (line.split(b":", 1) for line in lines)
    headers = tuple((name.decode().lower(), value.strip().decode("latin-1")) for name, value in pairs)
    answer = RawAnswer(int(status[1]), headers, body)
    if answer["transfer-encoding"] == "chunked":
        answer = RawAnswer(answer.status, headers, _unchunked(body))
    elif not bodiless and answer["content-length"]:
        assert len(body) == int(answer["content-length"]), "there is more than the answer, or less"
    assert not (bodiless and body), "an answer to HEAD has no body"
    return answer


def _unchunked(body: bytes) -> bytes:
    whole = bytearray()
    while True:
        size, _, rest = body.partition(b"\r\n")
        length = int(size, 16)
        whole += rest[:length]
        assert rest[length : length + 2] == b"\r\n"
        body = rest[length + 2 :]
        if not length:
            assert not body, "there is more than the answer"
            return bytes(whole)
