"""The DOI proxy behind the gateway, as a test wants it: what it does not say is not registered."""

import json
import time
from collections.abc import Mapping
from typing import Any, Self
from urllib.parse import unquote

from doi_reading import fold
from tests.proxy.raw_server import Answer, RawServer, Request, http

JSON = "application/json;charset=UTF-8"


class Behind:
    """A real server on a port of its own; `latency` in seconds goes before each answer."""

    def __init__(self) -> None:
        self._records: dict[str, Answer] = {}
        self._agencies: dict[str, Mapping[str, str]] = {}
        self._pages: dict[str, Answer] = {}
        self._server = RawServer(self._answer)
        self.latency = 0.0

    @property
    def url(self) -> str:
        return self._server.url

    def put(self, name: str, answer: Answer) -> None:
        """What is answered for the record of this name, byte for byte."""
        self._records[fold(name)] = answer

    def record(self, name: str, *values: Mapping[str, Any] | tuple[str, Any], members: Mapping[str, Any] = {}) -> None:
        """A record with these values: whole JSON objects, or type and text, numbered from 1."""
        whole = [value if isinstance(value, Mapping) else text(n, *value) for n, value in enumerate(values, start=1)]
        body = {"responseCode": 1, "handle": name, "values": whole, **members}
        self.put(name, http(200, body, Content_Type=JSON))

    def agency(self, name: str, verdict: Mapping[str, str]) -> None:
        """What Which RA says of it: `RA` or `status`."""
        self._agencies[name] = verdict

    def page(self, target: str, answer: Answer) -> None:
        """What the redirecting proxy answers for this raw request target."""
        self._pages[target] = answer

    def asked_for(self, name: str) -> list[Request]:
        """The questions for the record of this name."""
        return [request for request in list(self._server.requests) if fold(_name(request)) == fold(name)]

    @property
    def targets(self) -> list[str]:
        return self._server.targets

    def forget(self) -> None:
        """Nothing was asked yet."""
        self._server.requests.clear()

    def _answer(self, request: Request) -> Answer:
        time.sleep(self.latency)
        path, _, _ = request.target.partition("?")
        if path.startswith("/api/handles/"):
            name = _name(request)
            return self._records.get(fold(name)) or http(404, {"responseCode": 100, "handle": name}, Content_Type=JSON)
        if path.startswith("/doiRA/"):
            unknown = {"status": "DOI does not exist"}
            items = [{"DOI": name, **self._agencies.get(name, unknown)} for name in request.names]
            return http(200, json.dumps(items, indent=2), Content_Type=JSON)
        return self._pages.get(request.target, http(404, "<!DOCTYPE html><title>?</title>", Content_Type="text/html"))

    def __enter__(self) -> Self:
        self._server.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.__exit__()


def _name(request: Request) -> str:
    return unquote(request.target.partition("?")[0].partition("/api/handles/")[2])


def text(index: int, kind: str, value: Any, format_name: str = "string") -> dict[str, Any]:
    """A handle value as the REST API writes it."""
    data = {"format": format_name, "value": value}
    return {"index": index, "type": kind, "data": data, "ttl": 86400, "timestamp": "2020-01-01T00:00:00Z"}
