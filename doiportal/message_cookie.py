"""The sentence for the next page, in a cookie with the portal's own name and path. Django's is `messages` at `/`,
whatever the settings say."""

from typing import Any

from django.conf import settings
from django.contrib.messages.storage.cookie import CookieStorage
from django.contrib.messages.storage.fallback import FallbackStorage
from django.contrib.messages.storage.session import SessionStorage
from django.http import HttpResponseBase


class NamedCookieStorage(CookieStorage):
    """Django's cookie with the name of the settings."""

    cookie_name = settings.MESSAGES_COOKIE_NAME


class NamedMessageStorage(FallbackStorage):
    """The cookie, and the session for what is too long for it, as in Django."""

    storage_classes = (NamedCookieStorage, SessionStorage)

    def update(self, response: HttpResponseBase) -> list[Any] | None:
        """Store what the next page says. Return what could not be stored."""
        left = super().update(response)
        if cookie := response.cookies.get(NamedCookieStorage.cookie_name):
            cookie["path"] = settings.SESSION_COOKIE_PATH
        return left
