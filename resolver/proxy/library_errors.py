"""Every error of the HTTP libraries, in plain words: a table for the errors of requests, read from the top, and one for
the numbers of libcurl.

requests wraps what happened in errors of its own, so a row applies if any error in the chain is of its kind. Nearly all
mean that there was no answer; bytes that are no HTTP are an unusable answer.
"""

import errno
import socket
import ssl
from collections.abc import Iterator
from http.client import BadStatusLine, HTTPException, IncompleteRead, LineTooLong, RemoteDisconnected

import pycurl
import requests
import urllib3.exceptions as pool
from requests.exceptions import ContentDecodingError, InvalidSchema, InvalidURL, MissingSchema

from doi_reading import Message
from resolver.domain.handle.answers import Failure, ProxyError, Unreachable
from resolver.proxy.proxy_config import NoCertificates
from resolver.proxy.proxy_reply import CUT_OFF, PASSING, TIMED_OUT

LIBRARY_ERRORS = (requests.RequestException, pool.HTTPError, HTTPException, OSError, ValueError)

Kinds = tuple[type[BaseException], ...]

NO_ADDRESS = Unreachable(Message("the address set for the DOI proxy or for your network's proxy server isn't valid"))
BLOCKED = Unreachable(Message("your network's proxy server blocked the request"))
NEEDS_LOGIN = Unreachable(PASSING[407])
NOT_FOUND = Unreachable(Message("the DOI proxy's server couldn't be found (DNS)"))
UNTRUSTED = Unreachable(Message("the DOI proxy's certificate isn't trusted here (TLS)"))
NO_TLS = Unreachable(Message("a secure connection to the DOI proxy failed (TLS)"))
NO_CERTIFICATES = Unreachable(Message("the file of trusted certificates can't be read"))
REFUSED = Unreachable(Message("the DOI proxy's server refused the connection"))
UNPACKABLE = ProxyError(Message("the answer couldn't be decompressed"))
BROKEN = Unreachable(Message("the connection broke during the answer"))
NO_HTTP = ProxyError(Message("the answer isn't valid HTTP"))
FAILED = Unreachable(Message("the connection to the DOI proxy failed"))

TABLE: tuple[tuple[Kinds, Failure], ...] = (
    ((InvalidURL, InvalidSchema, MissingSchema, pool.LocationParseError), NO_ADDRESS),
    ((requests.exceptions.ProxyError, pool.ProxyError), BLOCKED),
    ((socket.gaierror, pool.NameResolutionError), NOT_FOUND),
    ((ssl.SSLCertVerificationError,), UNTRUSTED),
    ((ssl.SSLError, requests.exceptions.SSLError, pool.SSLError), NO_TLS),
    ((NoCertificates,), NO_CERTIFICATES),
    ((requests.Timeout, pool.ReadTimeoutError, TimeoutError), TIMED_OUT),
    ((ConnectionRefusedError,), REFUSED),
    ((ContentDecodingError, pool.DecodeError), UNPACKABLE),
    ((IncompleteRead, pool.IncompleteRead, pool.InvalidChunkLength), BROKEN),
    ((ConnectionResetError, BrokenPipeError, RemoteDisconnected), CUT_OFF),
    ((BadStatusLine, LineTooLong), NO_HTTP),
    ((OSError, HTTPException, requests.RequestException, pool.HTTPError), FAILED),
    ((ValueError,), NO_ADDRESS),
)

PROXY_SERVER_FAILED, HEAD_TOO_LONG = 97, 100  # CURLE_PROXY and CURLE_TOO_LARGE, which pycurl doesn't name
OF_CURL: dict[int, Failure] = {
    pycurl.E_UNSUPPORTED_PROTOCOL: NO_ADDRESS,
    pycurl.E_URL_MALFORMAT: NO_ADDRESS,
    pycurl.E_COULDNT_RESOLVE_PROXY: BLOCKED,
    PROXY_SERVER_FAILED: BLOCKED,
    pycurl.E_COULDNT_RESOLVE_HOST: NOT_FOUND,
    pycurl.E_PEER_FAILED_VERIFICATION: UNTRUSTED,
    pycurl.E_SSL_CONNECT_ERROR: NO_TLS,
    pycurl.E_SSL_CACERT_BADFILE: NO_TLS,
    pycurl.E_SSL_CERTPROBLEM: NO_TLS,
    pycurl.E_SSL_CIPHER: NO_TLS,
    pycurl.E_OPERATION_TIMEDOUT: TIMED_OUT,
    pycurl.E_BAD_CONTENT_ENCODING: UNPACKABLE,
    pycurl.E_PARTIAL_FILE: BROKEN,
    pycurl.E_GOT_NOTHING: CUT_OFF,
    pycurl.E_SEND_ERROR: CUT_OFF,
    pycurl.E_FTP_WEIRD_SERVER_REPLY: NO_HTTP,
    HEAD_TOO_LONG: NO_HTTP,
}
"""What libcurl's errors mean, the others beside `explain_curl_error`: FAILED."""


def explain_library_error(error: BaseException) -> Failure:
    """Return the failure that an error of a library means. Raises an error that is not in the table."""
    links = list(_iterate_chain(error))
    if any(map(_is_refused_login, links)):
        return NEEDS_LOGIN
    for kinds, failure in TABLE:
        if any(isinstance(link, kinds) for link in links):
            return failure
    raise error


def explain_curl_error(
    number: int, message: str, curl: "pycurl.Curl | None" = None, *, through_server: bool = False
) -> Failure:
    """Return the failure that an error of libcurl means. `curl`: the request that failed, perhaps `through_server`, a
    proxy server of the network; None if it could not be made."""
    status = connected = 0
    if curl is not None:
        status, connected = curl.getinfo(pycurl.RESPONSE_CODE), curl.getinfo(pycurl.HTTP_CONNECTCODE)
    if connected == 407:
        return NEEDS_LOGIN
    if connected >= 300:
        return BLOCKED
    if number == pycurl.E_UNSUPPORTED_PROTOCOL and "HTTP/" in message:  # of the answer
        return NO_HTTP
    if number == pycurl.E_COULDNT_CONNECT:
        refused = curl is not None and curl.getinfo(pycurl.OS_ERRNO) == errno.ECONNREFUSED
        return BLOCKED if through_server else REFUSED if refused else FAILED
    if number == pycurl.E_RECV_ERROR and "headers" in message:  # more than 300 kB of them
        return NO_HTTP
    if number == pycurl.E_RECV_ERROR:
        return BROKEN if status else CUT_OFF
    return OF_CURL.get(number, FAILED)


def _is_refused_login(error: BaseException) -> bool:
    """Return whether the proxy server answered 407 to CONNECT. http.client has a text for the status, and no number."""
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
