"""Hosts that look like the DOI resolver and are not: those that pose as it, and its own name mistyped, as data."""

import re
import string

FAKE_HOSTS = frozenset({"doij.org", "doie.org", "doi.one"})
"""Hosts that pose as the DOI system, of which the DOI Foundation warned on 2026-01-08. Public texts link to the first two.
Add a host only with a source."""

_SUBDOMAIN = re.compile(r"(?:(?:dx|www)\.){1,2}(?=.)")
_HOST = "doi.org"
_SIGNS = string.ascii_lowercase + string.digits + "-,."


def _make_slips(host: str) -> set[str]:
    """Return what one slip of the finger makes of a host: a character too few, too many, changed, or two swapped."""
    cuts = [(host[:at], host[at:]) for at in range(len(host) + 1)]
    fewer = {before + after[1:] for before, after in cuts if after}
    swapped = {before + after[1] + after[0] + after[2:] for before, after in cuts if len(after) > 1}
    changed = {before + sign + after[1:] for before, after in cuts if after for sign in _SIGNS}
    more = {before + sign + after for before, after in cuts for sign in _SIGNS}
    return fewer | swapped | changed | more


_MISTYPED = frozenset(
    slip for host in (_HOST, f"dx.{_HOST}", f"www.{_HOST}") for slip in (*_make_slips(host), host.removesuffix(".org"))
) - {_HOST, f"dx.{_HOST}", f"www.{_HOST}", *FAKE_HOSTS}


def is_fake_resolver(host: str) -> bool:
    """Return whether the host poses as the DOI system."""
    return _SUBDOMAIN.sub("", host, count=1) in FAKE_HOSTS


def is_mistyped_resolver(host: str) -> bool:
    """Return whether the host is one slip away from a name of the resolver, or has its subdomains twice."""
    bare = _SUBDOMAIN.sub("", host, count=1)
    return bare not in FAKE_HOSTS and (host in _MISTYPED or bare in _MISTYPED or bare == _HOST)
