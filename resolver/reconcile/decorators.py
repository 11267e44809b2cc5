"""Access to the reconciliation service: tokens, other origins, errors, JSONP."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.core.exceptions import RequestDataTooBig, SuspiciousOperation
from django.http import HttpRequest, HttpResponse, UnreadablePostError
from django.http.multipartparser import MultiPartParserError
from django.views.decorators.csrf import csrf_exempt

from resolver.domain.foreign_text import find_codec, parse_whole_number
from resolver.domain.handle.json_responses import encode_jsonp, is_callback
from resolver.models import ApiToken
from resolver.reconcile.errors import OPEN_TO_SCRIPTS, ReconcileError, build_problem
from resolver.services.accounts.owners import get_account_owner
from resolver.services.doi_limits.doi_limit import (
    MoreThanAMinute,
    TooManyDois,
    build_limit_headers,
    count_dois,
    name_address,
    name_caller,
)
from resolver.services.doi_limits.window_counts import WindowUse
from resolver.services.logins.api_tokens import find_token
from resolver.services.lookups.look_up import LookupPaused
from resolver.services.storage.clock import read_clock

PREFLIGHT = {
    **OPEN_TO_SCRIPTS,
    "Access-Control-Allow-Headers": "Accept, Authorization, Content-Type, X-Requested-With",
    "Access-Control-Max-Age": "86400",
}
UTF8 = ("utf-8", "ascii")
"""The accepted codecs of forms, as Python names them: ASCII is UTF-8 too."""
FORMS = ("application/x-www-form-urlencoded", "multipart/form-data")
View = Callable[..., HttpResponse | dict[str, Any]]


@dataclass
class ReconcileClient:
    """The client of a request. `token`: that of the address, or ""; `caller`: the name under which its DOIs are
    counted; `searcher`: that of its searches, the account of the token or the address; `allowance`: what is left after
    the request."""

    token: str
    caller: str
    searcher: str = ""
    allowance: WindowUse | None = None

    def count(self, number: int) -> None:
        """Count the DOIs of the request, before anything is requested. Raises ReconcileError (413, 429)."""
        try:
            self.allowance = count_dois(self.caller, number)
        except TooManyDois as error:
            self.allowance = error.allowance
            raise ReconcileError(HTTPStatus.TOO_MANY_REQUESTS, str(error), wait=error.allowance.wait) from error
        except MoreThanAMinute as error:
            raise ReconcileError(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, str(error)) from error


def reconcile_view(*, takes_forms: bool = False) -> Callable[[View], Callable[..., HttpResponse]]:
    """Wrap a view that returns an object for JSON, or a page. It accepts GET, HEAD and OPTIONS, and with `takes_forms`
    POST. No personal data is stored and no cookie is read, so pages of any origin may call it without a form token."""
    methods = ("GET", "HEAD", "OPTIONS", *(["POST"] if takes_forms else []))

    def decorate(answer: View) -> Callable[..., HttpResponse]:
        @csrf_exempt
        @login_not_required  # a closed portal requires the token in the address, and never shows a form
        @wraps(answer)
        def view(request: HttpRequest, token: str = "", **options: Any) -> HttpResponse:
            if request.method == "OPTIONS":  # a preflight carries no token
                allowed = ", ".join(methods)
                headers = {**PREFLIGHT, "Allow": allowed, "Access-Control-Allow-Methods": allowed}
                return HttpResponse(status=HTTPStatus.NO_CONTENT, headers=headers)
            client = ReconcileClient(token, "")
            try:
                response = _answer_safely(request, answer, methods, client, options)
            except ReconcileError as error:
                response = build_problem(error)
                if error.status == HTTPStatus.METHOD_NOT_ALLOWED:
                    response["Allow"] = ", ".join(methods)
            limits = build_limit_headers(client.allowance) if client.allowance else {}
            for name, value in {**OPEN_TO_SCRIPTS, **limits}.items():
                response[name] = value
            return response

        return view

    return decorate


def _answer_safely(
    request: HttpRequest, answer: View, methods: tuple[str, ...], client: ReconcileClient, options: dict[str, Any]
) -> HttpResponse:
    if request.method not in methods:
        raise ReconcileError(HTTPStatus.METHOD_NOT_ALLOWED, f"This address accepts only {', '.join(methods)}.")
    token = _check_access(client.token)
    client.caller = name_caller(request, token) if token else name_address(request)  # without the cookie of a session
    client.searcher = get_account_owner(token.account_id) if token else client.caller
    if request.method == "POST":
        _check_form(request)
    try:
        content = answer(request, client=client, **options)
    except LookupPaused as pause:
        raise ReconcileError(HTTPStatus.SERVICE_UNAVAILABLE, pause.why, wait=pause.seconds) from pause
    return content if isinstance(content, HttpResponse) else _encode(request, content)


def _check_access(token: str) -> ApiToken | None:
    """Return the token of the address, None for none. An open portal refuses a wrong one too, so that a client notices
    when its token has ended. Any scope may read."""
    if not token:
        if not settings.DOIPORTAL_OPEN:
            raise ReconcileError(HTTPStatus.UNAUTHORIZED, "This portal requires a token at the end of the address.")
        return None
    found = find_token(token, now=read_clock())
    if found is None:
        raise ReconcileError(HTTPStatus.UNAUTHORIZED, "The token in the address is wrong or has ended.")
    return found


def _check_form(request: HttpRequest) -> None:
    """Refuse a body that is no form, or a large one before it is read."""
    if request.content_type not in FORMS:
        raise ReconcileError(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, f"Send a form ({FORMS[0]}).")
    _check_charset(request)
    longest = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
    length = parse_whole_number(request.META.get("CONTENT_LENGTH") or "0", longest + 1)
    try:
        if length is None or length > longest:
            raise RequestDataTooBig
        request.POST  # noqa: B018 - Django reads the body here
    except RequestDataTooBig as error:
        detail = f"The body is larger than the limit of {longest:,} bytes."
        raise ReconcileError(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, detail) from error
    except (SuspiciousOperation, MultiPartParserError, UnreadablePostError) as error:
        raise ReconcileError(HTTPStatus.BAD_REQUEST, "The form can't be read.") from error


def _check_charset(request: HttpRequest) -> None:
    """Refuse a form in another encoding than UTF-8 (WHATWG URL, 5.1), and let Django read it as UTF-8."""
    charset = (request.content_params or {}).get("charset") or "utf-8"
    if find_codec(charset) not in UTF8:
        detail = f'The form must be UTF-8, and its Content-Type says "{charset[:100]}".'
        raise ReconcileError(HTTPStatus.BAD_REQUEST, detail)
    request.encoding = "utf-8"  # Django itself knows no other name for it


def _encode(request: HttpRequest, content: dict[str, Any]) -> HttpResponse:
    """Return the content as JSON; with the query parameter `callback` as JSONP (specification 0.2, section 3.3)."""
    body = json.dumps(content).encode()
    callback = request.GET.get("callback")
    if callback is None:
        return HttpResponse(body, "application/json")
    if not is_callback(callback):
        raise ReconcileError(HTTPStatus.BAD_REQUEST, "The callback is not a plain JavaScript name.")
    return HttpResponse(encode_jsonp(callback, body), "application/javascript")
