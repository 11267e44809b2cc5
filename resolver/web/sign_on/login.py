"""The end of a login at a provider: the account, what the browser stored before, and the page the person came for."""

from typing import Any

from django.contrib.auth import login, logout
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, resolve_url
from django.utils.http import url_has_allowed_host_and_scheme

from resolver.services.logins.identities import LoginRefused, log_in_identity
from resolver.services.owners import get_owner
from resolver.web.sign_on.refusals import refuse_login

BACKEND = "resolver.services.logins.backend.CountedGuesses"  # it is there in every portal, and ends no session


def finish_login(request: HttpRequest, found: Any) -> HttpResponse:
    """Log in the person whom allauth found, or refuse. Whoever was logged in before in this browser is no longer."""
    provider = found.provider
    try:
        account = log_in_identity(found.identity, provider.rights)
    except LoginRefused as refusal:
        if request.user.is_authenticated:
            logout(request)
        return refuse_login(request, provider.name, found.identity, refusal)
    login(request, account, backend=BACKEND)
    get_owner(request)  # everything stored in this browser before becomes the person's
    return redirect(own_address(request, found.state.get("next")) or resolve_url("home"))


def own_address(request: HttpRequest, address: str | None) -> str:
    """Return the address if it is one of the portal, else ""."""
    hosts, is_https = {request.get_host()}, request.is_secure()
    return address if address and url_has_allowed_host_and_scheme(address, hosts, require_https=is_https) else ""
