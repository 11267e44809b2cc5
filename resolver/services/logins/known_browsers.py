"""Browsers in which the owner of an account has logged in before, by a signed cookie (OWASP: device cookie). The cookie
logs no one in: it only prevents that guesses from elsewhere lock the owner out."""

import secrets
from typing import Any

from django.conf import settings
from django.core import signing
from django.http import HttpResponseBase

from resolver.services.logins.attempts import hide

COOKIE_SECONDS = 365 * 24 * 3600
_SALT = "resolver.services.logins.known_browsers"


def get_known_browser(request: Any, account: str) -> str:
    """Return the browser's token, if its cookie is for this account; else ""."""
    try:
        owner, browser = signing.loads(
            request.COOKIES.get(settings.KNOWN_BROWSER_COOKIE_NAME, ""), salt=_SALT, max_age=COOKIE_SECONDS
        )
    except (signing.BadSignature, ValueError):
        return ""
    return browser if owner == hide(account) else ""


def remember_browser(response: HttpResponseBase, account: str) -> None:
    """Make the browser a known one of this account, with a new token."""
    # A digest that needs SECRET_KEY, so that the cookie doesn't reveal the account's name.
    word = signing.dumps([hide(account), secrets.token_hex(16)], salt=_SALT)
    response.set_cookie(
        settings.KNOWN_BROWSER_COOKIE_NAME,
        word,
        max_age=COOKIE_SECONDS,
        path=settings.SESSION_COOKIE_PATH,
        httponly=True,
        samesite="Lax",
        secure=bool(settings.SESSION_COOKIE_SECURE),
    )
