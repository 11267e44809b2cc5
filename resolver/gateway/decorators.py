"""Access to the gateway: the login of a closed portal, refusals, and a place at the DOI proxy."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import wraps

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.utils import translation
from django.utils.cache import patch_cache_control
from django.views.decorators.csrf import csrf_exempt
from rest_framework.exceptions import APIException
from rest_framework.views import APIView

from doi_reading import Message
from resolver.gateway import raw_request
from resolver.gateway.errors import NO_LOGIN, PAUSED, TOO_LONG, WRONG_METHOD, ErrorCause
from resolver.gateway.response_headers import METHODS
from resolver.proxy.limits import Paused
from resolver.services.lookups.look_up import LookupPaused
from resolver.services.proxy_answers.waiting_places import PROXY_PLACES

View = Callable[[HttpRequest], HttpResponse]
BuildError = Callable[[HttpRequest, ErrorCause, Message], HttpResponse]


def gateway_view(build_error: BuildError, *, allows: Mapping[str, str]) -> Callable[[View], View]:
    """Wrap a view that answers GET, and so HEAD. `build_error` returns the response for a cause and a sentence: data
    for programs, a page for people. `allows`: the headers of the response to OPTIONS."""

    def decorate(answer: View) -> View:
        @csrf_exempt  # nothing changes here; a form gets 405 like any other POST
        @login_not_required  # on a closed portal programs get 401 and no redirect to a form
        @wraps(answer)
        def view(request: HttpRequest) -> HttpResponse:
            refused = _demand_login(request, build_error)
            if refused is None and request.method == "OPTIONS":
                return HttpResponse(status=204, headers=allows)
            response = refused or _refuse(request, build_error) or _answer(request, answer, build_error)
            response["Cross-Origin-Resource-Policy"] = "cross-origin"  # other sites may not load the portal's pages
            if response.status_code >= 500:
                response["Cache-Control"] = "no-store"
            if not settings.DOIPORTAL_OPEN:
                patch_cache_control(response, private=True)
            return response

        return view

    return decorate


def without_cookies(answer: View) -> View:
    """Wrap a view that runs after the middlewares of pages, but whose response must be the same for everyone. They get
    no cookie that they would set or delete, or take the language from: Accept-Language alone decides, and `Vary` says
    so."""

    @wraps(answer)
    def view(request: HttpRequest) -> HttpResponse:
        if settings.DOIPORTAL_OPEN:
            request.COOKIES.pop(settings.SESSION_COOKIE_NAME, None)
            request.COOKIES.pop(settings.LANGUAGE_COOKIE_NAME, None)
            translation.activate(translation.get_language_from_request(request))
            request.META["CSRF_COOKIE_NEEDS_UPDATE"] = False
        return answer(request)

    return view


def _answer(request: HttpRequest, answer: View, build_error: BuildError) -> HttpResponse:
    try:
        with PROXY_PLACES.keep_place():
            return answer(request)
    except Paused as pause:
        not_now = LookupPaused(pause)
        response = build_error(request, PAUSED, not_now.why)
        response["Retry-After"] = str(not_now.seconds)
        return response


def _demand_login(request: HttpRequest, build_error: BuildError) -> HttpResponse | None:
    """Return 401 on a closed portal without a login of the REST API, whatever the method."""
    if settings.DOIPORTAL_OPEN:
        return None
    rest = APIView()
    rest_request = rest.initialize_request(request)
    with suppress(APIException):  # a wrong token counts as none
        if rest_request.user.is_authenticated:
            return None
    response = build_error(request, NO_LOGIN, Message("This portal requires a login."))
    response["WWW-Authenticate"] = rest.get_authenticate_header(rest_request)
    return response


def _refuse(request: HttpRequest, build_error: BuildError) -> HttpResponse | None:
    if request.method not in ("GET", "HEAD"):
        why = Message("This address accepts only {methods}.", methods=METHODS)
        response = build_error(request, WRONG_METHOD, why)
        response["Allow"] = METHODS
        return response
    if raw_request.is_target_too_long(request):
        why = Message(
            "The address is longer than the limit of {count} characters.", count=raw_request.LONGEST_TARGET_CHARACTERS
        )
        return build_error(request, TOO_LONG, why)
    return None
