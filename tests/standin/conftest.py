"""One sample proxy for the tests of this folder, and a client that changes nothing of what it sends."""

import http.client
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import pytest

from resolver.standin.server import SampleProxyServer


@dataclass
class Got:
    """An HTTP answer."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def text(self) -> str:
        return self.body.decode()


@dataclass
class Caller:
    """Sends request targets as they are written."""

    standin: SampleProxyServer

    def __call__(self, target: str, method: str = "GET", headers: Mapping[str, str] | None = None) -> Got:
        connection = http.client.HTTPConnection(self.standin.url.removeprefix("http://"), timeout=10)
        try:
            connection.putrequest(method, target, skip_accept_encoding=True)
            for name, value in (headers or {}).items():
                connection.putheader(name, value)
            connection.endheaders()
            response = connection.getresponse()
            answered = {key.lower(): value for key, value in response.getheaders()}
            return Got(response.status, answered, response.read())
        finally:
            connection.close()


@pytest.fixture(scope="module")
def running() -> Iterator[SampleProxyServer]:
    with SampleProxyServer() as standin:
        yield standin


@pytest.fixture
def standin(running: SampleProxyServer) -> SampleProxyServer:
    running.reset()
    return running


@pytest.fixture
def get(standin: SampleProxyServer) -> Caller:
    return Caller(standin)
