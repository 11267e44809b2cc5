"""The secrets in addresses that need no login: to read a shared list or a feed, or to stop mails."""

import re
import secrets

_SHAPE = re.compile(r"[\w-]{20,64}\Z", re.ASCII)


def make_secret() -> str:
    """Return a new secret."""
    return secrets.token_urlsafe(24)  # bytes of chance: too many to guess


def may_be_secret(text: str) -> bool:
    """Return whether the text has the form of a secret; others are not looked up."""
    return _SHAPE.match(text) is not None
