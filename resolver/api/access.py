"""Who calls the REST API, and whether they may."""

from typing import TYPE_CHECKING

from django.contrib.auth.models import AnonymousUser
from rest_framework.authentication import SessionAuthentication
from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from resolver import conf

if TYPE_CHECKING:  # the settings name these classes, and REST framework's views import the settings
    from rest_framework.views import APIView


class SessionLogin(SessionAuthentication):
    """Django's session, with a CSRF token for logged-in people only: an anonymous session's cookie is SameSite=Lax, and
    no account behind it can be misused by another site."""

    def authenticate_header(self, request: Request) -> str:
        """Make DRF answer 401, not 403, to a caller without a login."""
        return 'Session realm="doiportal"'


class IsOpenOrAuthenticated(BasePermission):
    """Anyone if the portal is open (DOIPORTAL_OPEN=1), else people with a login."""

    message = "This portal requires a login."

    def has_permission(self, request: Request, view: "APIView") -> bool:
        return conf.open_to_all() or not isinstance(request.user, AnonymousUser)
