"""The end of a login at a provider: the account, what the browser stored before, and the page the person came for; or
the page for a login that the provider or the portal refused."""

import json
import logging
from http import HTTPStatus

from django.contrib.auth import login, logout
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render, resolve_url
from django.utils.http import url_has_allowed_host_and_scheme

from resolver.services.accounts.owners import give_session_to
from resolver.services.logins.group_rights import GroupRights
from resolver.services.logins.identities import Identity, LoginRefused, NoGroupMayUse, NoUsername, log_in_identity

LONGEST_SUBJECT_CHARACTERS = 191  # as the table of django-allauth has them
BACKEND = "resolver.services.logins.backend.CountedGuesses"  # every portal has it, and it ends no session


def finish_login(
    request: HttpRequest, name: str, identity: Identity, rights: GroupRights, wanted: str | None
) -> HttpResponse:
    """Log in the person whom the provider of this name has named, or refuse. `wanted`: the address they came for.
    Another person who was logged in with this browser is logged out."""
    try:
        account = log_in_identity(identity, rights)
    except LoginRefused as refusal:
        if request.user.is_authenticated:
            logout(request)
        return refuse_login(request, name, identity, refusal)
    with give_session_to(request, account):
        login(request, account, backend=BACKEND)
    return redirect(keep_own_address(request, wanted) or resolve_url("home"))


def send_to_provider(request: HttpRequest, name: str, address: str) -> HttpResponse:
    """Return a page that sends the browser to the provider. After a form, browsers follow redirects only to addresses
    that the page's policy allows for forms, and the provider may redirect further."""
    return render(request, "registration/to_provider.html", {"address": address, "name": name})


def keep_own_address(request: HttpRequest, address: str | None) -> str:
    """Return the address if it is one of the portal, else ""."""
    hosts, is_https = {request.get_host()}, request.is_secure()
    return address if address and url_has_allowed_host_and_scheme(address, hosts, require_https=is_https) else ""


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
    return render(request, "registration/no_access.html", {"why": why}, status=HTTPStatus.FORBIDDEN)


def show_failure(request: HttpRequest, name: str, why: str) -> HttpResponse:
    """Return the page alone, for a failure that is in the log."""
    context = {"why": why, "name": name}
    return render(request, "registration/sign_on_failed.html", context, status=STATUS[why])


def _quote(said: object) -> str:
    return json.dumps(str(said)[:300])
