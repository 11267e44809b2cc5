"""Hosts and paths of the resolver, as data."""

import re

RESOLVER_HOSTS = frozenset({"doi.org", "dx.doi.org", "www.doi.org", "hdl.handle.net"})
OLD_HOSTS = frozenset({"dx.doi.org", "www.doi.org"})
"""Hosts that still answer but are no longer preferred (P14)."""

API_PATHS = ("api/handles/", "doira/", "ra/")
WHICH_RA_PATHS = ("doira/", "ra/")

SITE_PAGES = frozenset(
    """
    about contact faq handbook help news notfound resources search null undefined none
    example missing pending tba tbc tbd todo unknown
    """.split()
)
"""Pages of the resolver's own site and placeholders, which are not shortDOIs (https://doi.org/abcde)."""

REWRITTEN_HOST = re.compile(r"(?:(dx|www)[.-])?(?:doi[.-]org|hdl[.-]handle[.-]net)\.[a-z0-9.-]+\Z")
"""A resolver behind a library's proxy: doi-org.proxy.lib.edu, dx.doi.org.proxy.lib.edu."""


def is_no_short_doi(path: str) -> bool:
    """Return whether the path after the resolver is a page of its site or a placeholder (`TBD`, `xxxx`)."""
    word = path.rstrip("/").lower()
    return word in SITE_PAGES or set(word) == {"x"}
