"""The end of a login at a provider: the account, what the browser stored before, and the page the person came for."""

from django.contrib.auth import login, logout
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render, resolve_url
from django.utils.http import url_has_allowed_host_and_scheme

from resolver.services.accounts.owners import give_session_to
from resolver.services.logins.group_rights import GroupRights
from resolver.services.logins.identities import Identity, LoginRefused, log_in_identity
from resolver.web.sign_on.refusals import refuse_login

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
