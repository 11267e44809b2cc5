"""Browsers in which the owner of an account has logged in before, by a signed cookie (OWASP: device cookie).

It opens nothing: it only keeps those who guess elsewhere from locking the owner out.
"""

import secrets
from typing import Any

from django.conf import settings
from django.core import signing
from django.http import HttpResponseBase

from resolver.services.logins.attempts import hide

AGE = 365 * 24 * 3600  # seconds
_SALT = "resolver.services.logins.known_browsers"


def get_known_browser(request: Any, account: str) -> str:
    """Return the browser's token, if its cookie is for this account; else ""."""
    try:
        owner, browser = signing.loads(
            request.COOKIES.get(settings.KNOWN_BROWSER_COOKIE_NAME, ""), salt=_SALT, max_age=AGE
        )
    except (signing.BadSignature, ValueError):
        return ""
    return browser if owner == _hide_account(account) else ""


def remember_browser(response: HttpResponseBase, account: str) -> None:
    """Make the browser a known one of this account, with a new token."""
    word = signing.dumps([_hide_account(account), secrets.token_hex(16)], salt=_SALT)
    response.set_cookie(
        settings.KNOWN_BROWSER_COOKIE_NAME,
        word,
        max_age=AGE,
        path=settings.SESSION_COOKIE_PATH,
        httponly=True,
        samesite="Lax",
        secure=bool(settings.SESSION_COOKIE_SECURE),
    )


def _hide_account(account: str) -> str:
    """Return a digest that needs SECRET_KEY, so that the cookie doesn't reveal the account's name."""
    return hide(account)
