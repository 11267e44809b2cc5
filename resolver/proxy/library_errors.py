"""Every error of the HTTP libraries, in plain words: one table, read from the top.

A library wraps what happened in errors of its own, so a row applies if any error in the chain is of its kind. Nearly
all mean that there was no answer; bytes that are no HTTP are an unusable answer.
"""

import socket
import ssl
from collections.abc import Iterator
from http.client import BadStatusLine, HTTPException, IncompleteRead, LineTooLong, RemoteDisconnected

import aiohttp
import requests
import urllib3.exceptions as pool
from aiohttp.http_exceptions import ContentEncodingError
from requests.exceptions import ContentDecodingError, InvalidSchema, InvalidURL, MissingSchema

from doi_reading import Message
from resolver.domain.handle.answers import Failure, ProxyError, Unreachable
from resolver.proxy.proxy_config import NoCertificates
from resolver.proxy.proxy_reply import CUT_OFF, PASSING, TIMED_OUT

LIBRARY_ERRORS = (requests.RequestException, pool.HTTPError, aiohttp.ClientError, HTTPException, OSError, ValueError)

Kinds = tuple[type[BaseException], ...]

NO_ADDRESS = Unreachable(Message("the address set for the DOI proxy or for your network's proxy server isn't valid"))
BLOCKED = Unreachable(Message("your network's proxy server blocked the request"))
NEEDS_LOGIN = Unreachable(PASSING[407])

TABLE: tuple[tuple[Kinds, Failure], ...] = (
    ((InvalidURL, InvalidSchema, MissingSchema, pool.LocationParseError), NO_ADDRESS),
    ((aiohttp.InvalidURL, aiohttp.NonHttpUrlClientError), NO_ADDRESS),
    ((requests.exceptions.ProxyError, pool.ProxyError), BLOCKED),
    ((aiohttp.ClientHttpProxyError, aiohttp.ClientProxyConnectionError), BLOCKED),
    (
        (socket.gaierror, pool.NameResolutionError, aiohttp.ClientConnectorDNSError),
        Unreachable(Message("the DOI proxy's server couldn't be found (DNS)")),
    ),
    (
        (ssl.SSLCertVerificationError, aiohttp.ClientConnectorCertificateError),
        Unreachable(Message("the DOI proxy's certificate isn't trusted here (TLS)")),
    ),
    (
        (ssl.SSLError, requests.exceptions.SSLError, pool.SSLError, aiohttp.ClientSSLError),
        Unreachable(Message("a secure connection to the DOI proxy failed (TLS)")),
    ),
    ((NoCertificates,), Unreachable(Message("the file of trusted certificates can't be read"))),
    ((requests.Timeout, pool.ReadTimeoutError, TimeoutError), TIMED_OUT),
    ((ConnectionRefusedError,), Unreachable(Message("the DOI proxy's server refused the connection"))),
    (
        (ContentDecodingError, pool.DecodeError, ContentEncodingError),
        ProxyError(Message("the answer couldn't be decompressed")),
    ),
    (
        (IncompleteRead, pool.IncompleteRead, pool.InvalidChunkLength, aiohttp.ClientPayloadError),
        Unreachable(Message("the connection broke during the answer")),
    ),
    ((ConnectionResetError, BrokenPipeError, RemoteDisconnected, aiohttp.ServerDisconnectedError), CUT_OFF),
    ((BadStatusLine, LineTooLong, aiohttp.ClientResponseError), ProxyError(Message("the answer isn't valid HTTP"))),
    (
        (OSError, HTTPException, requests.RequestException, pool.HTTPError, aiohttp.ClientError),
        Unreachable(Message("the connection to the DOI proxy failed")),
    ),
    ((ValueError,), NO_ADDRESS),  # aiohttp's way to refuse a port, a host name or a kind of proxy server
)


def explain_library_error(error: BaseException) -> Failure:
    """Return the failure that an error of a library means. Raises an error that is not in the table."""
    links = list(_iterate_chain(error))
    if any(map(_is_refused_login, links)):
        return NEEDS_LOGIN
    for kinds, failure in TABLE:
        if any(isinstance(link, kinds) for link in links):
            return failure
    raise error


def _is_refused_login(error: BaseException) -> bool:
    """Return whether the proxy server answered 407 to CONNECT. http.client has a text for the status, and no number."""
    if isinstance(error, aiohttp.ClientHttpProxyError):
        return error.status == 407
    return isinstance(error, OSError) and str(error).startswith("Tunnel connection failed: 407")


def _iterate_chain(error: BaseException) -> Iterator[BaseException]:
    """Yield the error and all that it wraps: in its arguments, as its reason, as its cause. A chain of any length ends
    after 20 errors."""
    waiting: list[object] = [error]
    seen: list[BaseException] = []
    while waiting and len(seen) < 20:
        link = waiting.pop(0)
        if isinstance(link, BaseException) and not any(link is other for other in seen):
            seen.append(link)
            yield link
            waiting += [*link.args, getattr(link, "reason", None), link.__cause__]
