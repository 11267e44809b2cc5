"""Whether the server of a host can be reached: DNS, a connection, its certificate. No request is sent.

Strangers choose the hosts, by the records of their DOIs. So a host is resolved once, the connection goes to an address
that `public_addresses.py` has checked, and only to ports at which web servers are found. Everything has one time limit.
"""

import errno
import socket
import ssl
import threading
import time
from ipaddress import ip_address

from yarl import URL

from doi_reading import Message
from doi_reading.message import NOTHING
from resolver.domain.redirect.web_host import LONGEST_HOST, HostCode, HostVerdict
from resolver.proxy.proxy_config import build_tls_context, find_http_proxy
from resolver.proxy.public_addresses import (
    FIRST_UNRESERVED_PORT,
    WEB_PORTS,
    ForbiddenAddress,
    UnknownHost,
    resolve_host,
)

MOST_PENDING_RESOLUTIONS = 64  # a resolver that hangs keeps a thread, which can't be ended from outside

_resolutions = threading.BoundedSemaphore(MOST_PENDING_RESOLUTIONS)
# The keys of both tables are OpenSSL's X509_V_ERR_…
_CERTIFICATE_FAULTS = {
    10: HostCode.CERTIFICATE_ENDED,
    62: HostCode.CERTIFICATE_OTHER_NAME,  # than that of the host
    64: HostCode.CERTIFICATE_OTHER_NAME,  # than the IP address
}
_UNTRUSTED = {
    9: Message("The certificate isn't valid yet."),
    18: Message("The server signed its certificate itself."),
    19: Message("The authority that signed the certificate isn't trusted."),
    20: Message("The authority that signed the certificate isn't known, or the server doesn't send its whole chain."),
    21: Message("The authority that signed the certificate isn't known, or the server doesn't send its whole chain."),
}
_REFUSALS = (errno.ECONNREFUSED, errno.ECONNRESET, errno.ECONNABORTED)

TOO_SLOW = Message("The server didn't answer in time.")
REFUSED = Message("The server refused the connection.")
CUT_OFF = Message("The network between here and the server says that it can't be reached.")
NO_DNS = Message("DNS didn't answer.")
NO_ROUTE = Message("This portal's network couldn't make the connection.")
BEHIND_PROXY = Message("This portal reaches other servers only through a proxy server of its network.")
NO_BUNDLE = Message("This portal can't read its file of trusted certificates.")


def encode_host(name: str) -> str:
    """Return the name as DNS has it, in ASCII (IDNA). Raises ValueError if it can't be a name."""
    encoded = name if name.isascii() else URL.build(scheme="https", host=name).raw_host or ""
    if len(encoded) > LONGEST_HOST:
        raise ValueError
    return encoded


def check_host(host: str, port: int, tls: bool, *, allow_private: bool, timeout: float) -> HostVerdict:
    """Return whether the server can be reached, after `timeout` seconds at most. With `tls` its certificate counts.

    Behind a proxy server of the network, the portal may see no other servers and not their names, so only what it does
    see counts.
    """
    begun = time.monotonic()
    # The rest is enough to connect, so slow DNS isn't mistaken for a server that doesn't answer.
    until, dns_until = begun + timeout, begun + timeout * 0.6
    verdict = _check(host, port, tls, allow_private=allow_private, dns_until=dns_until, until=until)
    url = f"{'https' if tls else 'http'}://{_add_brackets(host)}/"
    if verdict.code in (HostCode.NO_SUCH_HOST, HostCode.NO_ANSWER) and find_http_proxy(url):
        return HostVerdict(HostCode.UNCHECKED, BEHIND_PROXY)
    return verdict


def _check(host: str, port: int, tls: bool, *, allow_private: bool, dns_until: float, until: float) -> HostVerdict:
    if not (allow_private or port in WEB_PORTS.values() or port >= FIRST_UNRESERVED_PORT):
        return HostVerdict(HostCode.NOT_CONTACTED, Message("Port {port} isn't one of a web server.", port=str(port)))
    try:
        name = encode_host(host)
    except ValueError:
        return HostVerdict(HostCode.NO_SUCH_HOST, Message("This can't be the name of a host."))
    try:
        context = build_tls_context(strict=False) if tls else None
    except OSError:
        return HostVerdict(HostCode.UNCHECKED, NO_BUNDLE)
    try:
        addresses = _resolve(_add_final_dot(name), port, allow_private=allow_private, until=dns_until)
    except UnknownHost as error:
        if error.exists is False:
            return HostVerdict(HostCode.NO_SUCH_HOST)
        return HostVerdict(HostCode.UNCHECKED, NO_DNS)
    except ForbiddenAddress:
        return HostVerdict(HostCode.NOT_CONTACTED, Message("It isn't on the public internet."))
    if time.monotonic() > dns_until:  # this machine is busy
        return HostVerdict(HostCode.UNCHECKED, NO_DNS)
    connected = _connect(addresses, port, until)
    if isinstance(connected, HostVerdict):
        return connected
    with connected:
        return HostVerdict(HostCode.ANSWERS) if context is None else _check_certificate(connected, name, context, until)


def _resolve(name: str, port: int, *, allow_private: bool, until: float) -> list[str]:
    """Return the addresses. Raises ForbiddenAddress, and UnknownHost also when the time is up, as the system's resolver
    has a time limit of its own, or none."""
    if not _resolutions.acquire(timeout=_compute_rest(until)):
        raise UnknownHost(exists=None)
    found: list[list[str] | ForbiddenAddress] = []

    def resolve() -> None:
        try:
            found.append(resolve_host(name, port, allow_private=allow_private))
        except ForbiddenAddress as error:
            found.append(error)
        finally:
            _resolutions.release()

    thread = threading.Thread(target=resolve, name="resolution", daemon=True)
    try:
        thread.start()
    except RuntimeError:  # the machine has no thread left
        _resolutions.release()
        raise UnknownHost(exists=None) from None
    thread.join(_compute_rest(until))
    if not found:
        raise UnknownHost(exists=None)
    if isinstance(found[0], ForbiddenAddress):
        raise found[0]
    return found[0]


def _connect(addresses: list[str], port: int, until: float) -> socket.socket | HostVerdict:
    """Return a connection to the first address that accepts one. The addresses that are left share the time."""
    verdict = HostVerdict(HostCode.UNCHECKED, NO_ROUTE)
    for place, address in enumerate(addresses):
        try:
            return socket.create_connection((address, port), _compute_rest(until) / (len(addresses) - place))
        except TimeoutError:
            verdict = HostVerdict(HostCode.NO_ANSWER, TOO_SLOW)
        except OSError as error:
            if error.errno in _REFUSALS:
                verdict = HostVerdict(HostCode.NO_ANSWER, REFUSED)
            elif error.errno == errno.EHOSTUNREACH:
                verdict = HostVerdict(HostCode.NO_ANSWER, CUT_OFF)
    return verdict


def _check_certificate(connection: socket.socket, name: str, context: ssl.SSLContext, until: float) -> HostVerdict:
    connection.settimeout(_compute_rest(until))  # of the whole handshake
    try:
        with context.wrap_socket(connection, server_hostname=name):
            return HostVerdict(HostCode.ANSWERS)
    except ssl.SSLCertVerificationError as error:
        code = error.verify_code
        if code in _CERTIFICATE_FAULTS:
            return HostVerdict(_CERTIFICATE_FAULTS[code])
        return HostVerdict(HostCode.CERTIFICATE_UNTRUSTED, _UNTRUSTED.get(code, NOTHING))
    except TimeoutError:
        return HostVerdict(HostCode.NO_ANSWER, TOO_SLOW)
    except (OSError, ValueError):  # ValueError: a name that TLS can't ask for
        return HostVerdict(HostCode.NO_SECURE_CONNECTION)


def _add_final_dot(name: str) -> str:
    """Return the name with its final dot, so that the resolver adds no domain of this network to a name that doesn't
    exist. Numbers and local names have none."""
    _, dot, last = name.rpartition(".")
    return f"{name}." if dot and last[:1].isalpha() else name


def _add_brackets(host: str) -> str:
    try:
        return f"[{host}]" if ip_address(host).version == 6 else host
    except ValueError:
        return host


def _compute_rest(until: float) -> float:
    return max(0.01, until - time.monotonic())
