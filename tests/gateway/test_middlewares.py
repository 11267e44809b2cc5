"""The gateway's requests pass by the middlewares of pages; their answers are those that the whole way would give."""

from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client

from tests.gateway.conftest import ProxyBehind

ADDRESSES = [
    "/api/handles/10.1000/182",
    "/api/handles/10.1000/nothing",
    "/doiRA/10.1000/182",
    "/10.1000/182",
    "/10.1000/182?noredirect",
    "/10.1000/nothing",
    "/10.1000/%FF",
    "/doi:10.1000/182",
]
OF_THE_MOMENT = {"Age", "Expires"}


def answered(method: str, address: str, host: str) -> HttpResponse:
    headers = {"Host": host, "Accept-Language": "de", "X-Request-ID": "one-and-the-same"}
    return getattr(Client(), method)(address, headers=headers)


def said(answer: HttpResponse) -> tuple[int, bytes, dict[str, str]]:
    return answer.status_code, answer.content, {k: v for k, v in answer.items() if k not in OF_THE_MOMENT}


@pytest.mark.parametrize("address", ADDRESSES)
def test_an_answer_needs_no_session(address: str, behind: ProxyBehind) -> None:
    request = answered("get", address, "testserver").wsgi_request
    assert not hasattr(request, "session")
    assert not hasattr(request, "user")


@pytest.mark.parametrize("host", ["testserver", "elsewhere.example"])
@pytest.mark.parametrize("method", ["get", "head", "post", "options"])
@pytest.mark.parametrize("address", ADDRESSES)
def test_an_answer_is_what_the_whole_way_gives(
    address: str, method: str, host: str, behind: ProxyBehind, settings: Any
) -> None:
    at_once = answered(method, address, host)
    settings.MIDDLEWARE = [name for name in settings.MIDDLEWARE if not name.endswith(".GatewayFirstMiddleware")]
    the_whole_way = answered(method, address, host)
    assert hasattr(the_whole_way.wsgi_request, "session")
    assert said(at_once) == said(the_whole_way)


def test_who_must_log_in_takes_the_whole_way(behind: ProxyBehind, settings: Any) -> None:
    settings.DOIPORTAL_OPEN = False
    assert hasattr(answered("get", "/10.1000/182", "testserver").wsgi_request, "session")
