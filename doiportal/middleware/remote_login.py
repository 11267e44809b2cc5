"""Log in people whom a server in front of the portal names in a header."""

from collections.abc import Callable

from django.conf import settings
from django.contrib.auth import authenticate, login, logout
from django.contrib.auth.middleware import RemoteUserMiddleware
from django.contrib.auth.models import User
from django.core.exceptions import MiddlewareNotUsed
from django.http import HttpRequest, HttpResponse, HttpResponseBase

from doiportal.error_views import refuse_person
from doiportal.program_addresses import is_without_session
from resolver.services.accounts.owners import adopt_session, give_session_to
from resolver.services.logins.group_rights import GroupRights, read_groups
from resolver.services.logins.remote_users import find_remote_account
from resolver.services.logins.usernames import find_named


class RemoteLogin(RemoteUserMiddleware):
    """Logs in the person who is named in REMOTE_USER. The web server sets it only from the header of a trusted server.
    Each request checks the groups again, so a person who left a group is refused at once."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        if not settings.REMOTE_USER_HEADER:
            raise MiddlewareNotUsed
        super().__init__(get_response)
        self._answer = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        name = request.META.get(self.header)
        if not name:
            request.META.pop(self.header, None)
            self.process_request(request)
            return self._answer(request)
        rights = GroupRights(settings.REMOTE_USER_GROUPS, settings.REMOTE_ADMIN_GROUPS)
        groups = read_groups(request.META.get("REMOTE_USER_GROUPS", ""))
        if not rights.let_in(groups):
            if account := find_remote_account(name):
                rights.update(account, groups)  # it has tokens, and comes back if the settings no longer name groups
            return _refuse(request, "group")
        account = _log_in(request, name)
        if account is None:
            return _refuse(request, "account")
        rights.update(account, groups)
        adopt_session(request)
        return self._answer(request)


def _log_in(request: HttpRequest, name: str) -> User | None:
    """Log in the person of this name, and return the account; None if this person can't have the account. A program is
    logged in for this request alone. Another person who was logged in in this browser is logged out."""
    if request.user.is_authenticated:
        if request.user.get_username() == name or request.user == find_named(name):
            return request.user
        adopt_session(request)
        logout(request)
    account = authenticate(request, remote_user=name)
    if account is not None and is_without_session(request):
        request.user = account
    elif account is not None:
        with give_session_to(request, account):
            login(request, account)
    return account


def _refuse(request: HttpRequest, why: str) -> HttpResponse:
    if request.user.is_authenticated:
        logout(request)
    return refuse_person(request, why)
