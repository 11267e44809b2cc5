"""Who calls the REST API, and whether they may."""

from typing import TYPE_CHECKING

from django.conf import settings
from django.contrib.auth.models import AnonymousUser, User
from rest_framework.authentication import SessionAuthentication, TokenAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request

from resolver.api.problem_types import ReadOnlyToken
from resolver.models import ApiToken, TokenScope
from resolver.services.logins.api_tokens import find_token
from resolver.services.storage.clock import read_clock

if TYPE_CHECKING:  # the settings name these classes, and REST framework's views import the settings
    from rest_framework.views import APIView


class TokenLogin(TokenAuthentication):
    """An API token in the header `Authorization: Token …`. It needs no CSRF token: no browser sends it by itself."""

    def authenticate_credentials(self, key: str) -> tuple[User, ApiToken]:
        """Return the account and the token. Raises AuthenticationFailed, also on an open portal: a program whose token
        has ended must not store its results as a stranger."""
        token = find_token(key, now=read_clock())
        if token is None:
            raise AuthenticationFailed(
                "This token is wrong, has ended or was revoked. The account page makes a new one."
            )
        return token.account, token

    def authenticate_header(self, request: Request) -> str:
        return 'Bearer realm="doiportal"'


class BearerLogin(TokenLogin):
    """An API token in the header `Authorization: Bearer …` (RFC 6750)."""

    keyword = "Bearer"

    def authenticate(self, request: Request) -> tuple[User, ApiToken] | None:
        """Return the account and the token. Raises AuthenticationFailed also for a key alone: its program must not be
        taken for a stranger. Other kinds of logins are those of a server in front."""
        if len(request.headers.get("Authorization", "").split()) == 1:
            raise AuthenticationFailed("The header Authorization has one word. Send: Bearer, a space, and the token.")
        found: tuple[User, ApiToken] | None = super().authenticate(request)
        return found


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
        return settings.DOIPORTAL_OPEN or not isinstance(request.user, AnonymousUser)


class TokenMayWrite(BasePermission):
    """A token with the scope `read` changes nothing. A view with `changes_nothing` may have any method."""

    def has_permission(self, request: Request, view: "APIView") -> bool:
        """Return True. Raises ReadOnlyToken."""
        token = request.auth
        reads = request.method in SAFE_METHODS or getattr(view, "changes_nothing", False)
        if isinstance(token, ApiToken) and token.scope != TokenScope.WRITE and not reads:
            raise ReadOnlyToken
        return True
