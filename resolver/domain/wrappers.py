"""Addresses around a DOI, as data: resolvers, library proxies, link services, publishers' paths, parameters."""

import re

RESOLVER_HOSTS = frozenset({"doi.org", "dx.doi.org", "www.doi.org", "hdl.handle.net"})
OLD_HOSTS = frozenset({"dx.doi.org", "www.doi.org"})
"""They answer, but are no longer preferred (P14)."""

API_PATHS = ("api/handles/", "doira/", "ra/")
WHICH_RA_PATHS = ("doira/", "ra/")

SITE_PAGES = frozenset(
    {
        "about",
        "contact",
        "faq",
        "handbook",
        "help",
        "news",
        "notfound",
        "resources",
        "search",
        "null",
        "undefined",
        "none",
    }
)
"""Pages of the resolver's own site, so no shortDOIs (https://doi.org/abcde)."""

REWRITTEN_HOST = re.compile(r"(?:(dx|www)[.-])?(?:doi[.-]org|hdl[.-]handle[.-]net)\.[a-z0-9.-]+\Z")
"""A resolver behind a library's proxy: doi-org.proxy.lib.edu, dx.doi.org.proxy.lib.edu."""

PROXY_HOST_MARKS = ("proxy", "idm.oclc.org", "ezp", "webvpn", "remotexs", "openathens", "eresources", "remoteaccess")
"""Words in the host name of a library's proxy: link-springer-com.napier.idm.oclc.org."""

LOGIN_PATH = re.compile(r"/(?:login|logon|connect|redirect)?/?\Z")
"""Where EZproxy takes `?url=`, whose value goes to the end of the address."""

LINK_RESOLVER_KEYS = ("rft_id=", "rft.doi=", "rft_doi=", "id=doi:", "id=info:", "id=doi%3a", "id=info%3a")
"""OpenURL: https://resolver.lib.edu/sfx?rft_id=info:doi/10.1000/182."""

URLDEFENSE_END = "__;"
"""https://urldefense.com/v3/__https://doi.org/10.1000/182__;!!x"""

PROXY_PARAMETERS = frozenset(
    [
        "noredirect",
        "ignore_aliases",
        "auth",
        "cert",
        "index",
        "type",
        "urlappend",
        "locatt",
        "action",
        "nols",
        "nosfx",
        "pretty",
        "callback",
    ]
)
"""Spec P6 to P12 and A6, A7; nosfx is the older name of nols."""

TRACKING_PARAMETERS = frozenset(
    [
        "src",
        "source",
        "ref",
        "fbclid",
        "gclid",
        "dclid",
        "msclkid",
        "yclid",
        "twclid",
        "igshid",
        "mc_cid",
        "mc_eid",
        "_ga",
        "_gl",
        "_hsenc",
        "_hsmi",
        "mkt_tok",
        "campaign",
        "cmpid",
        "cid",
        "af",
        "rss",
        "ssource",
        "wt.mc_id",
        "journalcode",
        "needaccess",
        "casa_token",
        "hootpostid",
        "sid",
        "spm",
    ]
)
TRACKING_STARTS = ("utm_", "pk_", "piwik_", "mtm_", "ga_")


def is_tracking(key: str) -> bool:
    """Whether a query parameter is one that only measures visits."""
    return key in TRACKING_PARAMETERS or key.startswith(TRACKING_STARTS)


def is_library_proxy(host: str) -> bool:
    """Whether a host name is that of a library's proxy, as far as its words tell."""
    return any(mark in host for mark in PROXY_HOST_MARKS)
