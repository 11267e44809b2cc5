"""Errors of the gateway: the causes for which a request gets no answer of the DOI system, with their HTTP status, and
their form for programs.

If a name was read but can't be answered, the status is 500 whatever the cause: it is the status of response code 2
(A2), and programs made for doi.org know only 200, 404 and 500. Requests that HTTP refuses before a name is read keep
their own status.
"""

from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from resolver.domain.handle.json_responses import build_error_reply
from resolver.domain.handle.proxy_parameters import ProxyParameters
from resolver.gateway.raw_request import get_raw_query, is_for_record
from resolver.gateway.response_headers import build_data_response
from resolver.services.storage import storage_errors


@dataclass(frozen=True, slots=True)
class ErrorCause:
    """The cause of an error. `heading`: of its page. `next`: what a person can do, if reloading later doesn't help.
    `nothing_learned`: the name may or may not exist."""

    status: int
    heading: str | Promise
    next: str | Promise = ""
    nothing_learned: bool = False


UNREADABLE = ErrorCause(
    400,
    _("This address contains no readable name"),
    _(
        "In a link, a DOI name is percent-encoded UTF-8 without control characters. Copy the link again from "
        "its source, or look up the name yourself."
    ),
)
NO_LOGIN = ErrorCause(401, _("This portal requires a login"), _("Log in, and follow the link again."))
WRONG_METHOD = ErrorCause(
    405, _("This request method isn't supported"), _("Open the link in a browser, or look up the name yourself.")
)
TOO_LONG = ErrorCause(
    414, _("This address is too long"), _("Look up the name on the front page, which accepts longer ones.")
)
PAUSED = ErrorCause(500, _("Requests to the DOI proxy are paused"), nothing_learned=True)
NO_USABLE_ANSWER = ErrorCause(500, _("The DOI proxy gave no usable answer"), nothing_learned=True)
NO_ANSWER = ErrorCause(500, _("The DOI proxy did not answer"), nothing_learned=True)
NO_END = ErrorCause(
    500,
    _("This name cannot be resolved"),
    _("Only the Registration Agency can fix it. Look up the name to see which agency that is."),
)


def build_json_error(request: HttpRequest, status: int, message: str, name: str = "") -> HttpResponse:
    """Return response code 2 with a sentence (A2), as a script if a request for a record has a callback (A7). The
    status isn't 500 if HTTP refuses the request."""
    callback = ProxyParameters.of(get_raw_query(request)).callback if is_for_record(request) else None
    return build_data_response(build_error_reply(name, message, status=status, callback=callback))


def server_error(request: HttpRequest, error: BaseException | None) -> HttpResponse:
    """Return response code 2 for an error outside the views, without internal details."""
    if storage_errors.is_unwritable(error):
        return build_json_error(request, 500, storage_errors.UNWRITABLE)
    if storage_errors.is_store_away(error):
        return build_json_error(request, 500, storage_errors.AWAY)
    return build_json_error(request, 500, storage_errors.OUR_FAULT)
