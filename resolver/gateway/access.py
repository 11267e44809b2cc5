"""Access to the gateway, and the headers that all its answers share."""

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from functools import lru_cache, wraps

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse
from django.utils import translation
from django.utils.cache import patch_cache_control
from django.utils.http import http_date
from django.views.decorators.csrf import csrf_exempt
from rest_framework.exceptions import APIException
from rest_framework.request import Request
from rest_framework.settings import api_settings

from resolver import conf
from resolver.domain.handle.freshness import Span
from resolver.domain.message import Message
from resolver.gateway import raw_request
from resolver.gateway.errors import NO_LOGIN, NOT_ASKED, TOO_LONG, WRONG_METHOD, Cause
from resolver.proxy.limits import Paused
from resolver.services.lookups.look_up import NotNow
from resolver.services.proxy_answers.semaphore import OF_THIS_PROCESS

METHODS = "GET, HEAD, OPTIONS"
# Pages of any site may read the data (A7): such a request carries no cookie.
OPEN_TO_SCRIPTS = {"Access-Control-Allow-Origin": "*"}
TO_ALL = {"Allow": METHODS}
TO_SCRIPTS = {
    **TO_ALL,
    **OPEN_TO_SCRIPTS,
    "Access-Control-Allow-Methods": METHODS,
    "Access-Control-Allow-Headers": "*",
    "Access-Control-Max-Age": "86400",
}

View = Callable[[HttpRequest], HttpResponse]
Tell = Callable[[Cause, Message], HttpResponse]


def gateway_view(tell: Tell, *, allows: Mapping[str, str]) -> Callable[[View], View]:
    """Wrap a view that answers GET, and so HEAD.

    `tell` makes an answer from a cause and a sentence: programs get a refusal as data, people get it as a page.
    `allows`: the headers of the answer to OPTIONS.
    """

    def behind(answer: View) -> View:
        @csrf_exempt  # nothing changes here; a form gets 405 like any other POST
        @login_not_required  # on a closed portal programs get 401 and no redirect to a form
        @wraps(answer)
        def view(request: HttpRequest) -> HttpResponse:
            refused = _login_first(request, tell)
            if refused is None and request.method == "OPTIONS":
                return HttpResponse(status=204, headers=allows)
            response = refused or _refusal(request, tell) or _answer(request, answer, tell)
            response["Cross-Origin-Resource-Policy"] = "cross-origin"  # other sites may not load the portal's pages
            if response.status_code >= 500:
                response["Cache-Control"] = "no-store"
            if not conf.open_to_all():
                patch_cache_control(response, private=True)
            return response

        return view

    return behind


def without_cookies(answer: View) -> View:
    """For a view behind the middlewares of pages. Nothing here depends on who asks, but these would delete or replace
    cookies that are none of ours, and an answer that does so is not the same for everybody. Nor is a page whose
    language a cookie chose: Accept-Language alone decides, and `Vary` tells those who keep the page."""

    @wraps(answer)
    def view(request: HttpRequest) -> HttpResponse:
        if conf.open_to_all():
            request.COOKIES.pop(settings.SESSION_COOKIE_NAME, None)
            request.COOKIES.pop(settings.LANGUAGE_COOKIE_NAME, None)
            translation.activate(translation.get_language_from_request(request))
            request.META["CSRF_COOKIE_NEEDS_UPDATE"] = False
        return answer(request)

    return view


def set_cache_headers(response: HttpResponse, span: Span | None, now: datetime, *, past: bool = False) -> HttpResponse:
    """Add the age of the answer and when it expires (P13, P15).

    With `past`, the request bypasses caches (P8), so the answer expires at once. An answer without a span, or with an
    error, must not be stored. A response that has a Cache-Control header already stays unchanged.
    """
    if "Cache-Control" in response:
        return response
    if span is None or response.status_code >= 500:
        response["Cache-Control"] = "no-store"
        return response
    until = now if past else span.expires_at
    lasts = timedelta(0) if past else span.expires_at - span.made_at
    response["Age"] = str(max(0, int((now - span.made_at).total_seconds())))
    # Without max-age a cache would compute the lifetime as Expires minus Date, and then subtract Age: twice the age.
    response["Cache-Control"] = f"max-age={max(0, int(lasts.total_seconds()))}"
    response["Expires"] = _written(int(until.timestamp()))
    return response


def forbid_sharing(response: HttpResponse) -> HttpResponse:
    """Forbid shared caching: another requester may get another answer (P16)."""
    response["Cache-Control"] = "private, no-store"
    return response


_written = lru_cache(1000)(http_date)  # the value repeats when many request one name


def _answer(request: HttpRequest, answer: View, tell: Tell) -> HttpResponse:
    try:
        with OF_THIS_PROCESS.one_place():
            return answer(request)
    except Paused as pause:
        not_now = NotNow(pause)
        response = tell(NOT_ASKED, not_now.why)
        response["Retry-After"] = str(not_now.seconds)
        return response


def _login_first(request: HttpRequest, tell: Tell) -> HttpResponse | None:
    """Return 401 on a closed portal without a login, whatever the method."""
    if conf.open_to_all() or not (scheme := _missing_login(request)):
        return None
    response = tell(NO_LOGIN, Message("This portal requires a login."))
    response["WWW-Authenticate"] = scheme
    return response


def _refusal(request: HttpRequest, tell: Tell) -> HttpResponse | None:
    if request.method not in ("GET", "HEAD"):
        response = tell(WRONG_METHOD, Message("This address accepts only {methods}.", methods=METHODS))
        response["Allow"] = METHODS
        return response
    if raw_request.is_too_long(request):
        return tell(
            TOO_LONG,
            Message("The address is longer than the limit of {count} characters.", count=raw_request.LONGEST),
        )
    return None


def _missing_login(request: HttpRequest) -> str:
    """Return the scheme for logging in, by the REST API's authentication; '' if the requester is logged in."""
    authenticators = [each() for each in api_settings.DEFAULT_AUTHENTICATION_CLASSES]
    asking = Request(request, authenticators=authenticators)
    try:
        if not isinstance(asking.user, AnonymousUser):
            return ""
    except APIException:  # a wrong token counts as none
        pass
    return next((text for each in authenticators if (text := each.authenticate_header(asking))), "Session")


def vary_on(response: HttpResponse, *headers: str) -> HttpResponse:
    """Say which request headers change the answer."""
    response["Vary"] = ", ".join(filter(None, headers))
    return response
