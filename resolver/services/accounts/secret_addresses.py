"""The secrets in addresses that are enough by themselves: to read a shared list or a feed, or to stop mails."""

import re
import secrets

_BYTES = 24  # of chance: too many to guess
_SHAPE = re.compile(r"[\w-]{20,64}\Z", re.ASCII)


def make_secret() -> str:
    """Return a new one."""
    return secrets.token_urlsafe(_BYTES)


def may_be_secret(text: str) -> bool:
    """Return whether the text has the form of one; others are not looked up."""
    return _SHAPE.match(text) is not None
