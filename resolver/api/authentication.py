"""Who calls, and whether they may; what a caller owns hangs on it."""

from typing import TYPE_CHECKING

from django.contrib.auth.models import AnonymousUser
from rest_framework.authentication import SessionAuthentication
from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from resolver import conf

if TYPE_CHECKING:  # the settings name these classes, and REST framework's views import the settings
    from rest_framework.views import APIView


class SessionLogin(SessionAuthentication):
    """Django's session. A CSRF token is asked of logged-in people only: an anonymous session's cookie is
    SameSite=Lax and there is no account behind it that another site could misuse."""

    def authenticate_header(self, request: Request) -> str:
        """Without it DRF would answer 403 to those who have not logged in, which is not what it means."""
        return 'Session realm="doiportal"'


class IsOpenOrAuthenticated(BasePermission):
    """Anyone where the portal is open (DOIPORTAL_OPEN=1), else people with a login."""

    message = "This portal requires a login."

    def has_permission(self, request: Request, view: "APIView") -> bool:
        return conf.open_to_all() or not isinstance(request.user, AnonymousUser)
