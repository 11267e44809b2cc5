"""Who is let in to the gateway, and what all its answers have in common."""

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
from resolver.services.proxy_answers.line import OF_THIS_PROCESS

METHODS = "GET, HEAD, OPTIONS"
# A page of any site may read the data (A7): no cookie goes with such a request.
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


def door(tell: Tell, *, allows: Mapping[str, str]) -> Callable[[View], View]:
    """For a view that answers GET, and so HEAD. `tell` makes an answer of a cause and a sentence: the same refusals are
    data to programs and a page to people. `allows`: the headers that answer OPTIONS."""

    def behind(answer: View) -> View:
        @csrf_exempt  # nothing is changed here; who sends a form is told 405, as everybody else
        @login_not_required  # where a login is demanded, programs are told 401, and sent to no form
        @wraps(answer)
        def view(request: HttpRequest) -> HttpResponse:
            if conf.open_to_all():
                _leave_cookies_alone(request)
            refused = _login_first(request, tell)
            if refused is None and request.method == "OPTIONS":
                return HttpResponse(status=204, headers=allows)
            response = refused or _refusal(request, tell) or _answer(request, answer, tell)
            response["Cross-Origin-Resource-Policy"] = "cross-origin"  # the portal's pages may not be loaded elsewhere
            if response.status_code >= 500:
                response["Cache-Control"] = "no-store"
            if not conf.open_to_all():
                patch_cache_control(response, private=True)
            return response

        return view

    return behind


def dated(response: HttpResponse, span: Span | None, now: datetime, *, past: bool = False) -> HttpResponse:
    """Say how old the answer is and until when it counts (P13, P15): those who go `past` what is stored (P8) want none
    that anybody has kept. What could not be asked for at all is never kept; an answer that says already whether it may
    be says no more."""
    if "Cache-Control" in response:
        return response
    if span is None or response.status_code >= 500:
        response["Cache-Control"] = "no-store"
        return response
    until = now if past else span.expires_at
    lasts = timedelta(0) if past else span.expires_at - span.made_at
    response["Age"] = str(max(0, int((now - span.made_at).total_seconds())))
    # A cache takes Expires less Date for how long an answer counts, and takes Age off it: that would count it twice.
    response["Cache-Control"] = f"max-age={max(0, int(lasts.total_seconds()))}"
    response["Expires"] = _written(int(until.timestamp()))
    return response


def for_nobody_else(response: HttpResponse) -> HttpResponse:
    """Another who asks may get another answer: nobody keeps this one as if it were the only one (P16)."""
    response["Cache-Control"] = "private, no-store"
    return response


_written = lru_cache(1000)(http_date)  # of a name that many ask for it stays the same


def _leave_cookies_alone(request: HttpRequest) -> None:
    """Nothing here hangs on who asks. The middleware would have cookies that are none of ours deleted or replaced, and
    an answer that does so is not the same for everybody. Nor is a page whose language a cookie chose: here
    Accept-Language decides alone, which `Vary` tells those who keep the page."""
    request.COOKIES.pop(settings.SESSION_COOKIE_NAME, None)
    request.COOKIES.pop(settings.LANGUAGE_COOKIE_NAME, None)
    translation.activate(translation.get_language_from_request(request))
    request.META["CSRF_COOKIE_NEEDS_UPDATE"] = False


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
    """Whoever may not come in is told nothing else, whatever the method."""
    if conf.open_to_all() or not (scheme := _missing_login(request)):
        return None
    response = tell(NO_LOGIN, Message("This portal asks for a login."))
    response["WWW-Authenticate"] = scheme
    return response


def _refusal(request: HttpRequest, tell: Tell) -> HttpResponse | None:
    if request.method not in ("GET", "HEAD"):
        response = tell(WRONG_METHOD, Message("This address answers {methods} alone.", methods=METHODS))
        response["Allow"] = METHODS
        return response
    if raw_request.is_too_long(request):
        return tell(
            TOO_LONG,
            Message("The address is longer than the {count} characters that are taken.", count=raw_request.LONGEST),
        )
    return None


def _missing_login(request: HttpRequest) -> str:
    """How to authenticate, '' for who has: by what the REST API of the portal takes."""
    authenticators = [each() for each in api_settings.DEFAULT_AUTHENTICATION_CLASSES]
    asking = Request(request, authenticators=authenticators)
    try:
        if not isinstance(asking.user, AnonymousUser):
            return ""
    except APIException:  # a wrong token is as good as none
        pass
    return next((text for each in authenticators if (text := each.authenticate_header(asking))), "Session")


def varying(response: HttpResponse, *headers: str) -> HttpResponse:
    """Another request header may get another answer."""
    response["Vary"] = ", ".join(filter(None, headers))
    return response
