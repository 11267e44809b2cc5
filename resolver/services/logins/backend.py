"""Django's accounts, with guesses counted, on every page that asks for a password."""

import json
import logging
from typing import Any

from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.models import User

from resolver.services.logins import attempts
from resolver.services.logins.known_browsers import get_known_browser

log = logging.getLogger("doiportal.logins")


class CountedGuesses(ModelBackend):
    """Raises TooManyGuesses before a password is tried, and TooManyHashes if none was; each has its page."""

    def authenticate(
        self, request: Any, username: str | None = None, password: str | None = None, **kwargs: Any
    ) -> User | None:
        """Return the account if the password is right. An unknown name takes as long, and counts too."""
        if request is None or username is None or password is None:  # not from a form
            return super().authenticate(request, username, password, **kwargs)
        address = attempts.get_client_address(request)
        try:
            attempt = attempts.begin_attempt(username, address, get_known_browser(request, username))
        except attempts.TooManyGuesses:
            log.warning("Refused login from %s for account %s", address, _quote_name(username))
            raise
        try:
            user = super().authenticate(request, username, password, **kwargs)
        except BaseException:
            attempt.forget()
            raise
        if user is None:
            log.warning("Failed login from %s for account %s", address, _quote_name(username))
            return None
        attempt.forget(success=True)
        request.logged_in_as = username  # the browser is remembered with the answer
        return user


def _quote_name(name: str) -> str:
    """Return the start of the name, quoted, on one line and in ASCII: no name can forge a line of the log."""
    return json.dumps(name[:80] + ("…" if name[80:] else ""))
