"""How often a password may be guessed.

Windows of fifteen minutes count wrong passwords. The narrow one is for an account from one address, so a stranger can't
lock out an owner at another address. Two wide ones stop attackers who change names or addresses: one for an address
over all accounts, one for an account over all addresses. The last could lock its owner out as long as an attack lasts.
So it doesn't count for a browser in which the owner has logged in before (`known_browsers.py`), which has its own
window.

An attempt counts from its beginning, before the password is hashed, so that forty at once don't all pass. The right
password removes it. A refused attempt doesn't count, so a lock always ends.

Each window is a row of the database, which is locked while an attempt is added. django-axes (8.3.1: MIT, well kept) has
one bound for all of its windows, and counts after the hash.
"""

import ipaddress
import math
import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils.crypto import salted_hmac

from resolver.models import PasswordWindow
from resolver.services.storage.batched_removal import ITEMS_PER_TRANSACTION
from resolver.services.storage.clock import read_clock

WINDOW_SECONDS = 15 * 60.0  # for which an attempt counts
WRONG_FOR_BOTH = 10  # of an account from one address, and of an account from a known browser
WRONG_FOR_ONE = 50  # of an address over all accounts, and of an account over all addresses
UNKNOWN = ""
_SALT = "resolver.services.logins.attempts"


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

    def forget(self, *, success: bool = False) -> None:
        """Don't count the attempt: the password was not tried, or right. After a `success`, the wrong attempts of this
        account from this address or browser don't count either."""
        with transaction.atomic():
            for window in PasswordWindow.objects.select_for_update().filter(key__in=self.keys).order_by("key"):
                others = {attempt: at for attempt, at in window.attempts.items() if attempt != self.id}
                window.attempts = {} if success and window.key == self.keys[0] else others
                window.save(update_fields=["attempts"])


def begin_attempt(account: str, address: str, browser: str = "") -> LoginAttempt:
    """Count an attempt to log in as `account`, existing or not, in a known `browser` or "". Raises TooManyGuesses."""
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
    with transaction.atomic():
        windows = _lock_windows(bounds)
        now = read_clock()  # after the locks: no earlier holder has read a later time
        if waits := [wait for window in windows if (wait := _compute_wait(window, bounds[window.key], now))]:
            raise TooManyGuesses(max(waits))
        for window in windows:
            window.attempts = _find_counting(window, now) | {attempt.id: now.timestamp()}
            window.last_at = now
            window.save(update_fields=["attempts", "last_at"])
    return attempt


def _lock_windows(keys: Iterable[str]) -> list[PasswordWindow]:
    """Return the windows with these keys, new ones too, locked until the transaction ends. All lock them in one order,
    so that no two wait for each other."""
    new = {"last_at": read_clock()}
    return [PasswordWindow.objects.select_for_update().get_or_create(key=key, defaults=new)[0] for key in sorted(keys)]


def _find_counting(window: PasswordWindow, now: datetime) -> dict[str, float]:
    """Return the attempts that still count. One that is further ahead was written before the clock was set back."""
    return {attempt: at for attempt, at in window.attempts.items() if abs(now.timestamp() - at) < WINDOW_SECONDS}


def _compute_wait(window: PasswordWindow, bound: int, now: datetime) -> float:
    """Return the seconds until the window has room for another attempt; 0 if it has."""
    latest = sorted(_find_counting(window, now).values())[-bound:]
    return latest[0] + WINDOW_SECONDS - now.timestamp() if len(latest) == bound else 0.0


def get_client_address(request: Any) -> str:
    """Return the requester's address (REMOTE_ADDR), or UNKNOWN if that is no address: that of the connection, or the
    one that a server in TRUSTED_PROXIES names (doiportal/server/requester.py)."""
    try:
        address = ipaddress.ip_address(request.META.get("REMOTE_ADDR", ""))
    except ValueError:
        return UNKNOWN
    mapped = getattr(address, "ipv4_mapped", None)  # how a socket for both families writes IPv4
    return str(mapped or address)


def get_network(address: str) -> str:
    """Return the network that one person probably has: an IPv4 address, or the /64 of an IPv6 address."""
    if ":" not in address:
        return address
    return str(ipaddress.ip_network((address.partition("%")[0], 64), strict=False))


def hide(*parts: str) -> str:
    """Return a digest of one length. Without SECRET_KEY the address or name can't be found by trying all."""
    text = "\0".join(parts).encode("utf-8", "surrogatepass")
    return salted_hmac(_SALT, text, algorithm="sha256").hexdigest()[:32]


def prune_attempts(now: datetime) -> None:
    """Remove the windows in which no attempt counts any more, but none that a login has locked."""
    window = timedelta(seconds=WINDOW_SECONDS)
    over = PasswordWindow.objects.filter(Q(last_at__lte=now - window) | Q(last_at__gte=now + window))
    more = True
    while more:
        with transaction.atomic():
            free = over.select_for_update(skip_locked=True).values_list("pk", flat=True)[:ITEMS_PER_TRANSACTION]
            more = bool(PasswordWindow.objects.filter(pk__in=list(free)).delete()[0])


def _build_key(kind: str, *parts: str) -> str:
    return f"{kind}:{hide(*parts)}"
