"""Django's accounts, with guesses counted: whatever page asks for the password, ours or the admin's."""

import json
import logging
from typing import Any

from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.models import User

from resolver.services.logins import attempts
from resolver.services.logins.known_browsers import known_browser
from resolver.services.requester import address_of

LONGEST_NAME = 80  # characters of an account's name in the log
log = logging.getLogger("doiportal.logins")


class CountedGuesses(ModelBackend):
    """Raises TooMany before anything is looked at, and Busy where nothing was; both become a page of their own."""

    def authenticate(
        self, request: Any, username: str | None = None, password: str | None = None, **kwargs: Any
    ) -> User | None:
        """The account, if the password is its. A name that there is none of takes as long, and counts alike."""
        if request is None or username is None or password is None:  # no one at a form
            return super().authenticate(request, username, password, **kwargs)
        address = address_of(request)
        try:
            attempt = attempts.begin(username, address, known_browser(request, username))
        except attempts.TooMany:
            log.warning("Refused login from %s for account %s", address, _written(username))
            raise
        try:
            user = super().authenticate(request, username, password, **kwargs)
        except BaseException:
            attempt.was_none()
            raise
        if user is None:
            log.warning("Failed login from %s for account %s", address, _written(username))
            return None
        attempt.was_right()
        request.logged_in_as = username  # the browser is remembered with the answer
        return user


def _written(name: str) -> str:
    """In quotation marks, on one line and in ASCII: nobody can write a line of the log by a name."""
    return json.dumps(name[:LONGEST_NAME] + ("…" if len(name) > LONGEST_NAME else ""))
