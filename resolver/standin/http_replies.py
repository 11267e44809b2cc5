"""HTTP answers as values, and those that the faults of made-up names call for."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from resolver.domain.handle.responses import JsonReply

HTML = "text/html;charset=utf-8"
XML = "application/xml;charset=utf-8"


@dataclass(frozen=True, slots=True)
class HttpReply:
    """One HTTP answer; `delay` in seconds, `reset` breaks the connection instead."""

    status: int
    body: bytes
    headers: Mapping[str, str] = field(default_factory=dict)
    delay: float = 0.0
    reset: bool = False


_OPEN = {"Access-Control-Allow-Origin": "*", "Vary": "Origin"}
_HTML_HEADERS = {"Content-Type": HTML}


def data(reply: JsonReply) -> HttpReply:
    """A JSON or JSONP answer, open to every origin (A7)."""
    return HttpReply(reply.status, reply.body, {"Content-Type": reply.content_type, **_OPEN})


def page(status: int, text: str, headers: Mapping[str, str] | None = None) -> HttpReply:
    """An HTML page."""
    return HttpReply(status, text.encode("utf-8", "replace"), {**_HTML_HEADERS, **(headers or {})})


FAULTY: Mapping[str, HttpReply] = {
    "html": page(200, "<!DOCTYPE html><html><head><title>Just a moment</title></head><body>Please wait</body></html>"),
    "garbage": data(JsonReply(200, b'{"responseCode":1,"handle":"10.5555/gar\xff\xfe')),
    "reset": HttpReply(200, b"", reset=True),
    "busy": page(503, "<!DOCTYPE html><html><head><title>Service Unavailable</title></head><body>503</body></html>"),
    "limit": page(
        429,
        "<!DOCTYPE html><html><head><title>Too Many Requests</title></head><body>429</body></html>",
        {"Retry-After": "1"},
    ),
    "forbidden": page(403, "<!DOCTYPE html><html><head><title>Forbidden</title></head><body>403</body></html>"),
}

# What a limit is answered with, as most servers do: without saying how long to wait.
TOO_MANY = page(429, "<!DOCTYPE html><html><head><title>Too Many Requests</title></head><body>429</body></html>")
