"""The gateway's requests, answered without the middlewares that only pages need."""

from typing import Any

from django.conf import settings
from django.core.handlers.exception import convert_exception_to_response
from django.http import HttpRequest, HttpResponseBase
from django.middleware.clickjacking import XFrameOptionsMiddleware
from django.middleware.common import CommonMiddleware

from doiportal.middleware.foreign_origin import ForeignOriginMiddleware
from doiportal.middleware.pages import BodyLengthMiddleware, PageLanguage
from doiportal.middleware.security_headers import GetResponse
from doiportal.program_addresses import find_gateway_match

# The innermost first. The settings have each of them too, for all other requests.
NEEDED = (XFrameOptionsMiddleware, CommonMiddleware, ForeignOriginMiddleware, BodyLengthMiddleware, PageLanguage)


class GatewayFirstMiddleware:
    """Answer the requests for doi.org's addresses, and pass on all others. In an open portal the answers depend on no
    session, cookie, form token or message, and the middlewares for those take a third of the time of a stored answer.
    In a closed portal the session has the login, so every request takes the whole way. So does a short DOI (`/abcde`),
    which may be the address of a page."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response
        answer: Any = convert_exception_to_response(_call_view)
        for middleware in NEEDED:
            answer = convert_exception_to_response(middleware(answer))
        self._answer: GetResponse = answer

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if not settings.DOIPORTAL_OPEN:
            return self.get_response(request)
        match = find_gateway_match(request.path_info)
        if match is None:
            return self.get_response(request)
        request.resolver_match = match
        # Accept-Language alone chooses the language of a page that caches may store; `Vary` says so.
        request.COOKIES = {}
        return self._answer(request)


def _call_view(request: HttpRequest) -> HttpResponseBase:
    assert request.resolver_match is not None  # noqa: S101 - for the type checker: it is set above
    response: HttpResponseBase = request.resolver_match.func(request)
    return response
