"""How often a password may be guessed.

Windows of fifteen minutes count wrong passwords. The narrow one is for an account from one address, so a stranger locks
nobody out who comes from elsewhere. Two wide ones stop those who change names or addresses: one for an address over all
accounts, one for an account over all addresses. The last could lock its owner out for as long as strangers go on. So it
doesn't count for a browser in which the owner has logged in before (`known_browsers.py`), which has its own window.

An attempt counts from its beginning, before the password is hashed, so that forty at once are not all let through. The
right password takes it back. A refused attempt doesn't count, so a lock always ends.

django-axes (8.3.1: MIT, well kept) has one bound for all of its windows, counts after the hash, and counts with
`cache.add` and `cache.incr`, which are not atomic in Django's cache of files.
"""

import ipaddress
import math
import secrets
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from django.utils.crypto import salted_hmac

from resolver import conf
from resolver.services.logins.file_windows import FileWindows
from resolver.services.logins.redis_windows import RedisWindows

WINDOW = 15 * 60.0  # seconds for which an attempt counts
WRONG_FOR_BOTH = 10  # of an account from one address, and of an account from a known browser
WRONG_FOR_ONE = 50  # of an address over all accounts, and of an account over all addresses
UNKNOWN = ""
_SALT = "resolver.services.logins.attempts"

Windows = FileWindows | RedisWindows
"""A window has a key and a bound; an attempt stands in several. Every method is atomic:

`add(attempt, bounds)` writes the attempt into the windows with these keys and returns 0. If a window holds as many as
its bound, it writes nothing and returns the seconds until there is room. `remove(attempt, keys)` removes the attempt
from these windows, `empty(key)` all attempts from this one.
"""


class TooManyGuesses(Exception):
    """Too many wrong passwords: this one was not tried. `seconds`: until the next attempt."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"too many wrong passwords; again in {math.ceil(seconds)} s")
        self.seconds = math.ceil(seconds)


@dataclass(frozen=True, slots=True)
class LoginAttempt:
    """One try of a password, counted as wrong until it is known to be right."""

    id: str
    keys: tuple[str, ...]

    def forget_success(self) -> None:
        """Don't count it, nor the wrong ones of this account from this address or browser before it."""
        shared = get_shared_windows()
        shared.empty(self.keys[0])
        shared.remove(self.id, list(self.keys[1:]))

    def forget(self) -> None:
        """Don't count it: the password was not tried."""
        get_shared_windows().remove(self.id, list(self.keys))


def begin_attempt(account: str, address: str, browser: str = "") -> LoginAttempt:
    """Count an attempt to log in as `account`, existing or not, from a known `browser` or "". Raises
    TooManyGuesses."""
    network = get_network(address)
    if browser:
        bounds = {_build_key("browser", account, browser): WRONG_FOR_BOTH}
    else:
        bounds = {
            _build_key("both", account, network): WRONG_FOR_BOTH,
            _build_key("address", network): WRONG_FOR_ONE,
            _build_key("account", account): WRONG_FOR_ONE,
        }
    attempt = LoginAttempt(secrets.token_hex(8), tuple(bounds))
    wait = get_shared_windows().add(attempt.id, bounds)
    if wait > 0:
        raise TooManyGuesses(wait)
    return attempt


def get_client_address(request: Any) -> str:
    """Return the requester's address (REMOTE_ADDR), or UNKNOWN if that is no address.

    It is that of the connection, or the one that a server in TRUSTED_PROXIES names (doiportal/server/requester.py).
    """
    try:
        address = ipaddress.ip_address(request.META.get("REMOTE_ADDR", ""))
    except ValueError:
        return UNKNOWN
    mapped = getattr(address, "ipv4_mapped", None)  # how a socket for both families writes IPv4
    return str(mapped or address)


def get_network(address: str) -> str:
    """Return what one person probably has: an IPv4 address, or the /64 of an IPv6 address."""
    if ":" not in address:
        return address
    return str(ipaddress.ip_network((address.partition("%")[0], 64), strict=False))


def hide(*parts: str) -> str:
    """Return a digest of one length, whatever was typed into a form. Without SECRET_KEY nobody can find the address or
    the name by trying all."""
    text = "\0".join(parts).encode("utf-8", "surrogatepass")
    return salted_hmac(_SALT, text, algorithm="sha256").hexdigest()[:32]


def prune_attempts() -> None:
    """Remove the attempts that no longer count. Redis does so by itself."""
    windows = get_shared_windows()
    if isinstance(windows, FileWindows):
        windows.prune()


def get_shared_windows() -> Windows:
    """Return the windows that all processes share: in Redis if there is one, else in a file."""
    return _open_windows(conf.redis_url(), conf.data_dir())


@lru_cache(4)  # a portal has one of each; tests have others
def _open_windows(redis_url: str, data_dir: Path) -> Windows:
    return RedisWindows(redis_url, WINDOW) if redis_url else FileWindows(data_dir / "logins.sqlite3", WINDOW)


def _build_key(kind: str, *parts: str) -> str:
    return f"{kind}:{hide(*parts)}"
