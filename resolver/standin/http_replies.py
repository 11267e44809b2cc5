"""HTTP answers as values, and those that the faults of made-up names call for."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from resolver.domain.handle.json_responses import JsonReply

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


def build_data_reply(reply: JsonReply) -> HttpReply:
    """Return a JSON or JSONP answer, open to every origin (A7)."""
    return HttpReply(reply.status, reply.body, {"Content-Type": reply.content_type, **_OPEN})


def build_page_reply(status: int, text: str, headers: Mapping[str, str] | None = None) -> HttpReply:
    """Return an HTML page."""
    return HttpReply(status, text.encode("utf-8", "replace"), {"Content-Type": HTML, **(headers or {})})


def _bare_page(status: int, title: str, body: str, headers: Mapping[str, str] | None = None) -> HttpReply:
    text = f"<!DOCTYPE html><html><head><title>{title}</title></head><body>{body}</body></html>"
    return build_page_reply(status, text, headers)


FAULTY: Mapping[str, HttpReply] = {
    "html": _bare_page(200, "Just a moment", "Please wait"),
    "garbage": build_data_reply(JsonReply(200, b'{"responseCode":1,"handle":"10.5555/gar\xff\xfe')),
    "reset": HttpReply(200, b"", reset=True),
    "busy": _bare_page(503, "Service Unavailable", "503"),
    "limit": _bare_page(429, "Too Many Requests", "429", {"Retry-After": "1"}),
    "forbidden": _bare_page(403, "Forbidden", "403"),
}

# The answer beyond a limit. Like most servers it doesn't say how long to wait.
TOO_MANY = _bare_page(429, "Too Many Requests", "429")
