"""A request as it stands on the wire: read by gunicorn's own parser, answered by the whole portal, without a socket."""

from typing import Any

from django.test import Client
from gunicorn.config import Config
from gunicorn.http.parser import RequestParser
from gunicorn.http.wsgi import create

HERE, THERE = ("127.0.0.1", 8000), ("127.0.0.1", 40_000)


def send(target: str, method: str = "GET", **headers: str) -> Any:
    """The answer to a request for the target exactly as it stands here."""
    lines = [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    head = "\r\n".join([f"{method} {target} HTTP/1.1", "Host: 127.0.0.1:8000", *lines, "", ""])
    config = Config()
    config.set("limit_request_line", 0)
    request: Any = next(RequestParser(config, iter([head.encode()]), THERE))
    _, environ = create(request, None, THERE, HERE, config)
    return Client(enforce_csrf_checks=True).request(**environ)
