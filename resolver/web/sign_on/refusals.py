"""The pages for logins that a provider or the portal refused."""

import json
import logging
from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import add_never_cache_headers

from resolver.services.logins.identities import Identity, LoginRefused, NoGroupMayUse, NoUsername

STATUS = {
    "denied": HTTPStatus.FORBIDDEN,
    "used": HTTPStatus.BAD_REQUEST,
    "away": HTTPStatus.SERVICE_UNAVAILABLE,
    "unusable": HTTPStatus.BAD_GATEWAY,
    "username": HTTPStatus.FORBIDDEN,
}
log = logging.getLogger("doiportal.logins")


def refuse_failure(request: HttpRequest, name: str, why: str, said: object = "") -> HttpResponse:
    """Return the page for a login that failed at the provider of this name, or on the way. `why`: of STATUS; `said`:
    for the log."""
    log_failure(name, why, said)
    return show_failure(request, name, why)


def log_failure(name: str, why: str, said: object) -> None:
    """Write to the log, on one line, what the page doesn't show."""
    log.warning("Login at %s failed (%s): %s", json.dumps(name), why, _quote(said))


def refuse_login(request: HttpRequest, name: str, identity: Identity, refusal: LoginRefused) -> HttpResponse:
    """Return the page for a person whom the provider named, and who may not use the portal."""
    why = type(refusal).__name__
    log.warning("Refused login at %s: %s for %s", json.dumps(name), why, _quote(identity.username))
    if isinstance(refusal, NoUsername):
        return show_failure(request, name, "username")
    why = "group" if isinstance(refusal, NoGroupMayUse) else "account"
    return _forbid_storing(render(request, "registration/no_access.html", {"why": why}, status=HTTPStatus.FORBIDDEN))


def show_failure(request: HttpRequest, name: str, why: str) -> HttpResponse:
    """Return the page alone, for a failure that is in the log."""
    context = {"why": why, "name": name}
    return _forbid_storing(render(request, "registration/sign_on_failed.html", context, status=STATUS[why]))


def _quote(said: object) -> str:
    return json.dumps(str(said)[:300])


def _forbid_storing(response: HttpResponse) -> HttpResponse:
    add_never_cache_headers(response)
    return response
