"""The proxy server on the way and the trusted certificates, from environment variables.

Both clients read them as requests does, which knows more of NO_PROXY (networks, ports) than aiohttp.
"""

import os
import ssl
from functools import cache
from pathlib import Path

from requests.utils import DEFAULT_CA_BUNDLE_PATH, get_environ_proxies, select_proxy

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
