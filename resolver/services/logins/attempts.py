"""How often somebody may guess a password.

Three windows of fifteen minutes count wrong passwords. The narrow one is that of an account and an address: a stranger
shuts nobody out who comes from elsewhere. The wide ones stop those who change names or addresses: one counts an address
over all accounts, one an account over all addresses. The last could shut its owner out for as long as strangers go on.
So it does not count for a browser in which the owner has logged in before (`known_browsers.py`), which has its own
window.

An attempt counts from its beginning, before the password is hashed, so that forty at once are not all let through. The
right password takes it back. A refused attempt does not count: a lock ends by itself, however long a stranger goes on.

django-axes was looked at (8.3.1: MIT, well kept). It has one bound for all of its windows, counts after the hash, and
counts with `cache.add` and `cache.incr`, which Django's cache of files does not make indivisible.
"""

import hashlib
import math
import secrets
from dataclasses import dataclass

from resolver.services.logins import windows
from resolver.services.requester import network_of

WRONG_FOR_BOTH = 10  # of an account from one address, and of an account from a known browser
WRONG_FOR_ONE = 50  # of an address over all accounts, and of an account over all addresses


class TooMany(Exception):
    """Too many wrong passwords lately: this one was not looked at. `seconds`: until there may be another."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"too many wrong passwords; again in {math.ceil(seconds)} s")
        self.seconds = math.ceil(seconds)


@dataclass(frozen=True, slots=True)
class LoginAttempt:
    """One try of a password, counted as wrong until it is known to be right."""

    id: str
    keys: tuple[str, ...]

    def was_right(self) -> None:
        """It does not count, nor do the wrong ones of this account from this address or browser before it."""
        shared = windows.of_this_portal()
        shared.empty(self.keys[0])
        shared.remove(self.id, list(self.keys[1:]))

    def was_none(self) -> None:
        """The password was not looked at after all."""
        windows.of_this_portal().remove(self.id, list(self.keys))


def begin(account: str, address: str, browser: str = "") -> LoginAttempt:
    """Count an attempt to log in as `account`. `browser`: the known browser that it comes from, or "". Raises TooMany.

    Whether there is such an account makes no difference."""
    network = network_of(address)
    if browser:
        bounds = {_key("browser", account, browser): WRONG_FOR_BOTH}
    else:
        bounds = {
            _key("both", account, network): WRONG_FOR_BOTH,
            _key("address", network): WRONG_FOR_ONE,
            _key("account", account): WRONG_FOR_ONE,
        }
    attempt = LoginAttempt(secrets.token_hex(8), tuple(bounds))
    wait = windows.of_this_portal().add(attempt.id, bounds)
    if wait > 0:
        raise TooMany(wait)
    return attempt


def _key(kind: str, *parts: str) -> str:
    """Of one length, whatever was typed into the form."""
    digest = hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()
    return f"{kind}:{digest[:32]}"
