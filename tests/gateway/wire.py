"""A request as it stands on the wire: read by the web server's own parser, answered by the whole portal, without a
socket."""

import asyncio
import io
from types import SimpleNamespace
from typing import Any

from aiohttp.base_protocol import BaseProtocol
from aiohttp.http import HttpRequestParser
from django.test import Client

from doiportal.server.environ import build_environ
from doiportal.server.requester import FrontServer

ANY_LENGTH = 10_000_000


def send(target: str, method: str = "GET", **headers: str) -> Any:
    """The answer to a request for the target exactly as it stands here."""
    lines = [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    head = "\r\n".join([f"{method} {target} HTTP/1.1", "Host: 127.0.0.1:8000", *lines, "", ""])
    loop = asyncio.new_event_loop()
    try:
        parser = HttpRequestParser(BaseProtocol(loop, None), loop, 2**16, max_line_size=ANY_LENGTH)
        ((message, _),), _, _ = parser.feed_data(head.encode())
    finally:
        loop.close()
    request: Any = SimpleNamespace(
        method=message.method,
        raw_path=message.path,
        headers=message.headers,
        raw_headers=message.raw_headers,
        version=message.version,
        remote="127.0.0.1",
        transport=None,
    )
    environ = {**build_environ(request, io.BytesIO(), FrontServer()), "SERVER_NAME": "127.0.0.1", "SERVER_PORT": "8000"}
    return Client(enforce_csrf_checks=True).request(**environ)
