"""What the machine's surroundings say about reaching others: a proxy server on the way, and trusted certificates.

One reading of the environment for both clients, the one of requests, which knows more of NO_PROXY (networks, ports)
than aiohttp does.
"""

import os
import ssl
from functools import cache
from pathlib import Path

from requests.utils import DEFAULT_CA_BUNDLE_PATH, get_environ_proxies, select_proxy

CA_VARIABLES = ("REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "SSL_CERT_FILE")


def proxy_server(url: str) -> str | None:
    """The proxy server on the way to `url` by HTTPS_PROXY, HTTP_PROXY, ALL_PROXY and NO_PROXY, or None."""
    server = select_proxy(url, get_environ_proxies(url, no_proxy=None))
    if server and "://" not in server:
        return f"http://{server}"
    return server or None


class NoCertificates(OSError):
    """The file or folder of trusted certificates is not there, or may not be read."""


def ca_bundle() -> str:
    """The file (or folder) of trusted certificates: the site's own where one is named, else the one that came along."""
    bundle = next(filter(None, map(os.environ.get, CA_VARIABLES)), None) or DEFAULT_CA_BUNDLE_PATH
    if not os.access(bundle, os.R_OK):
        raise NoCertificates(bundle)
    return bundle


def tls_context() -> ssl.SSLContext:
    """A context that trusts what `ca_bundle` names."""
    bundle = ca_bundle()
    return _tls_context(bundle, Path(bundle).stat().st_mtime_ns)


@cache
def _tls_context(bundle: str, changed: int) -> ssl.SSLContext:
    if Path(bundle).is_dir():
        return ssl.create_default_context(capath=bundle)
    return ssl.create_default_context(cafile=bundle)
