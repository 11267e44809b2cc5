"""The settings of the DOI proxy's clients: its address, the bounds of their requests, and the URLs they request. From
environment variables: the proxy server on the way and the trusted certificates.

Both clients read these as requests does, which knows more of NO_PROXY (networks, ports) than libcurl.
"""

import math
import os
import ssl
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from requests.utils import DEFAULT_CA_BUNDLE_PATH, get_environ_proxies, select_proxy

from doi_reading import encode

LEAST_ATTEMPTS = 3  # before the outcome is "Couldn't check": an operator may raise it, but not lower it
MAX_ANSWER_BYTES = 5_000_000
FAST_IN_FLIGHT, FAST_A_SECOND = 32, 1000


@dataclass(frozen=True, slots=True)
class ProxyConfig:
    """The settings of both clients. `concurrency` and `rate` are those of the budget; `least_attempts` is lower for
    requests whose answer is only useful."""

    base_url: str
    user_agent: str
    timeout: float = 20.0
    attempts: int = LEAST_ATTEMPTS
    backoff: float = 0.5
    concurrency: int = 4
    rate: float | None = 10.0
    least_attempts: int = LEAST_ATTEMPTS

    @property
    def root(self) -> str:
        """The base address, perhaps with a path, without slashes at its end."""
        return self.base_url.rstrip("/")

    @property
    def tries(self) -> int:
        return max(self.least_attempts, self.attempts)

    @property
    def is_fast(self) -> bool:
        """Return whether the limits allow more than a worker's processor can use."""
        return self.concurrency >= FAST_IN_FLIGHT and (self.rate or math.inf) >= FAST_A_SECOND

    @property
    def connect_timeout(self) -> float:
        """Seconds for the connection alone."""
        return min(self.timeout, 10.0)

    @property
    def headers(self) -> dict[str, str]:
        """With a contact for the proxy's operators. `identity`: a small packed answer could unpack into a huge one."""
        return {"User-Agent": self.user_agent, "Accept": "application/json", "Accept-Encoding": "identity"}

    def record_url(self, name: str, *, auth: bool = False, certified: bool = False) -> str:
        """Return the URL of a handle's record (U5, E17), if so wanted authoritative or authenticated (P8)."""
        demands = "&".join(word for word, wanted in (("auth=true", auth), ("cert=true", certified)) if wanted)
        return f"{self.root}/api/handles/{encode(name, 'path')}{'?' if demands else ''}{demands}"

    def build_name_url(self, name: str, query: str = "") -> str:
        """Return the URL that the proxy redirects (P1), with a raw query."""
        return f"{self.root}/{encode(name, 'path')}{'?' if query else ''}{query}"

    def build_agencies_url(self, names: Sequence[str]) -> str:
        """Return the URL of Which RA for a list of names (R2, E6)."""
        return f"{self.root}/doiRA/{','.join(encode(name, 'which-ra') for name in names)}"


CA_VARIABLES = ("REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "SSL_CERT_FILE")


def find_http_proxy(url: str) -> str | None:
    """Return the proxy server on the way to `url`, by HTTPS_PROXY, HTTP_PROXY, ALL_PROXY and NO_PROXY, or None."""
    server = select_proxy(url, get_environ_proxies(url, no_proxy=None))
    if server and "://" not in server:
        return f"http://{server}"
    return server or None


class NoCertificates(OSError):
    """The file or folder of trusted certificates cannot be read."""


def find_ca_bundle() -> str:
    """Return the file or folder of trusted certificates: the site's own if one is set, else that of requests."""
    bundle = next(filter(None, map(os.environ.get, CA_VARIABLES)), None) or DEFAULT_CA_BUNDLE_PATH
    if not os.access(bundle, os.R_OK):
        raise NoCertificates(bundle)
    return bundle


def build_tls_context(*, strict: bool = True) -> ssl.SSLContext:
    """Return a context that trusts the certificates of `find_ca_bundle`. Without `strict` it accepts, as browsers do,
    certificates that deviate in form from the standard (RFC 5280); Python refuses them from 3.13 on."""
    bundle = find_ca_bundle()
    return _load_tls_context(bundle, Path(bundle).stat().st_mtime_ns, strict)


@cache
def _load_tls_context(bundle: str, changed: int, strict: bool) -> ssl.SSLContext:
    if Path(bundle).is_dir():
        context = ssl.create_default_context(capath=bundle)
    else:
        context = ssl.create_default_context(cafile=bundle)
    if not strict:
        context.verify_flags &= ~ssl.VERIFY_X509_STRICT
    return context
