"""The limit of DOIs a minute for each token, account or address. All processes share the counts.

A window that slides by the second: a caller never has more than the limit within any minute. DRF's throttles count
requests, not DOIs, in Django's cache, whose counting is not atomic; `limits` (5.8: MIT, well kept) has no store for
processes without a server.
"""

from typing import Any

from django.conf import settings

from resolver.models import ApiToken
from resolver.services.doi_limits.window_counts import WindowUse, open_counts
from resolver.services.http.request_run import ATTEMPT
from resolver.services.logins.attempts import get_client_address, get_network, hide

_COUNTED = "dois"


class TooManyDois(Exception):
    """Too many DOIs in the last minute. Nothing was counted. `allowance.wait`: seconds until the number fits."""

    def __init__(self, allowance: WindowUse) -> None:
        super().__init__(
            f"You can ask about {allowance.most:,} DOIs a minute, and {allowance.left:,} are left. "
            f"Try again in {allowance.wait} s."
        )
        self.allowance = allowance


class MoreThanAMinute(Exception):
    """One request has more DOIs than a minute allows. It never fits."""

    def __init__(self, most: int) -> None:
        super().__init__(f"You can ask about {most:,} DOIs a minute. Send fewer in one request, or upload a list.")


def name_caller(request: Any, token: ApiToken | None) -> str:
    """Return the name for the caller's counts: that of the token, else of the account, else of the address."""
    if token is not None:
        return f"token:{token.pk}"
    if request.user.is_authenticated:
        return f"user:{request.user.pk}"
    return name_address(request)


def name_address(request: Any) -> str:
    """Return the name under which the DOIs of the caller's address are counted; one for the /64 of an IPv6 address. The
    address can't be read from it."""
    return f"address:{hide(get_network(get_client_address(request)))}"


def count_dois(caller: str, number: int) -> WindowUse | None:
    """Count DOIs that the caller sends. Return what is left; None if there is no limit. A request that the web
    server runs again counts once. Raises TooManyDois and MoreThanAMinute."""
    most = settings.API_DOIS_PER_MINUTE
    if not most:
        return None
    if number > most:
        raise MoreThanAMinute(most)
    attempt = ATTEMPT.get()
    if attempt is not None and _COUNTED in attempt.kept:
        earlier: WindowUse = attempt.kept[_COUNTED]
        return earlier
    allowance = open_counts("dois").take(caller, number, most)
    if allowance.wait:
        raise TooManyDois(allowance)
    if attempt is not None:
        attempt.kept[_COUNTED] = allowance
    return allowance


def prune_counts() -> None:
    """Remove the counts of minutes that are over."""
    open_counts("dois").prune()


def build_limit_headers(allowance: WindowUse) -> dict[str, str]:
    """Return the header fields of draft-ietf-httpapi-ratelimit-headers-10: the quota in a minute, and what is left."""
    return {
        "RateLimit-Policy": f'"dois";q={allowance.most};w=60',
        "RateLimit": f'"dois";r={allowance.left};t={allowance.full_in}',
    }
