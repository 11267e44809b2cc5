"""Browsers in which somebody has logged in before: a signed cookie says so for one account.

OWASP describes it as a device cookie. It opens nothing: it only keeps those who guess at an account elsewhere from
shutting its owner out.
"""

import hashlib
import secrets
from typing import Any

from django.conf import settings
from django.core import signing
from django.http import HttpResponseBase

COOKIE = "known-browser"
AGE = 365 * 24 * 3600  # seconds
_SALT = "resolver.services.logins.known_browsers"


def known_browser(request: Any, account: str) -> str:
    """The browser's own word, if its cookie is for this account; else ""."""
    try:
        owner, browser = signing.loads(request.COOKIES.get(COOKIE, ""), salt=_SALT, max_age=AGE)
    except (signing.BadSignature, ValueError):
        return ""
    return browser if owner == _owner(account) else ""


def remember(response: HttpResponseBase, account: str) -> None:
    """Make the browser a known one of this account, with a new word."""
    word = signing.dumps([_owner(account), secrets.token_hex(8)], salt=_SALT)
    response.set_cookie(
        COOKIE, word, max_age=AGE, httponly=True, samesite="Lax", secure=bool(settings.SESSION_COOKIE_SECURE)
    )


def _owner(account: str) -> str:
    """The cookie does not tell the account's name to whoever looks at it."""
    return hashlib.sha256(account.encode("utf-8", "surrogatepass")).hexdigest()[:32]
