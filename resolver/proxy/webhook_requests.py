"""Send an event to the address of a webhook: one bounded POST, to an address that was checked."""

import socket
from collections.abc import Mapping
from functools import partial
from typing import Any

import requests
from requests.adapters import HTTPAdapter
from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool
from urllib3.exceptions import HTTPError
from urllib3.util import parse_url

from doi_reading import Message
from resolver.proxy.proxy_config import find_ca_bundle
from resolver.proxy.public_addresses import FIRST_UNRESERVED_PORT, WEB_PORTS, ForbiddenAddress, resolve_host
from resolver.proxy.total_timeout import RequestSeconds, TotalTimeout, WatchedConnection, WatchedTlsConnection

TIME_LIMIT = RequestSeconds(connect=3.0, total=10.0)
LATE = Message("the receiver didn't answer in time")
AWAY = Message("the receiver couldn't be reached")


class EventUnanswered(Exception):
    """The receiver gave no answer. `reason` is a phrase for people."""

    def __init__(self, reason: Message) -> None:
        super().__init__(reason)
        self.reason = reason


def check_url(url: str, *, allow_private: bool) -> str:
    """Return the address as it will be requested. Raises ForbiddenAddress, also for a name without a server."""
    prepared, host, port = _read(url, allow_private=allow_private)
    resolve_host(host, port, allow_private=allow_private)
    return prepared


def _read(url: str, *, allow_private: bool) -> tuple[str, str, int]:
    """Read the address with the libraries that request it."""
    if len(url) > 2000 or not url.isprintable() or "\\" in url:
        raise ForbiddenAddress(Message("it isn't a web address"))
    try:
        prepared = requests.Request("POST", url).prepare().url or ""
        parts = parse_url(prepared)
    except (requests.RequestException, HTTPError, ValueError) as error:
        raise ForbiddenAddress(Message("it isn't a web address")) from error
    if parts.scheme not in WEB_PORTS or not parts.host:
        raise ForbiddenAddress(Message("it isn't a web address"))
    if parts.auth is not None or "@" in (parts.netloc or ""):
        raise ForbiddenAddress(Message("it must not have a user name"))
    port = WEB_PORTS[parts.scheme] if parts.port is None else parts.port
    if not allow_private:
        if parts.scheme != "https":
            raise ForbiddenAddress(Message("it must begin with https:"))
        if port != WEB_PORTS["https"] and port < FIRST_UNRESERVED_PORT:
            raise ForbiddenAddress(Message("its port must be 443, or 1024 or above"))
    return prepared, parts.host, port


def post_event(url: str, body: bytes, headers: Mapping[str, str], *, allow_private: bool) -> int:
    """Return the HTTP status of the answer, whose body is not read. Redirects are not followed, and no proxy server on
    the way is used, because it would resolve the name again.

    Raises ForbiddenAddress, and EventUnanswered, also when the total TIME_LIMIT has passed.
    """
    prepared, _, _ = _read(url, allow_private=allow_private)
    adapter = _CheckedAdapter(allow_private=allow_private)
    with requests.Session() as session, TotalTimeout(TIME_LIMIT.total) as timeout:
        session.trust_env = False
        session.mount("http://", adapter)
        session.mount("https://", adapter)
        try:
            with session.post(
                prepared,
                data=body,
                headers=dict(headers),
                allow_redirects=False,
                stream=True,
                timeout=TIME_LIMIT,
                verify=find_ca_bundle(),
            ) as answer:
                status = answer.status_code
        except ForbiddenAddress:
            raise
        except (requests.RequestException, HTTPError, OSError, ValueError) as error:
            raise EventUnanswered(LATE if timeout.passed else AWAY) from error
        if timeout.passed:  # the answer ended where it was cut
            raise EventUnanswered(LATE)
        return status


class _CheckedConnection(WatchedConnection):
    """Connects to an address that was checked; the name stays that of the header Host and of TLS."""

    def __init__(self, *arguments: Any, allow_private: bool, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._allow_private = allow_private

    def _new_conn(self) -> socket.socket:
        name = self._dns_host
        addresses = resolve_host(name, self.port, allow_private=self._allow_private)
        try:
            for address in addresses[:-1]:
                self._dns_host = address
                try:
                    return super()._new_conn()
                except HTTPError:
                    continue
            self._dns_host = addresses[-1]
            return super()._new_conn()
        finally:
            self._dns_host = name


class _CheckedTlsConnection(_CheckedConnection, WatchedTlsConnection): ...


class _CheckedPool(HTTPConnectionPool):
    ConnectionCls = _CheckedConnection


class _CheckedTlsPool(HTTPSConnectionPool):
    ConnectionCls = _CheckedTlsConnection


class _CheckedAdapter(HTTPAdapter):
    def __init__(self, *, allow_private: bool) -> None:
        self._allow_private = allow_private
        super().__init__()

    def init_poolmanager(self, *arguments: Any, **options: Any) -> None:
        super().init_poolmanager(*arguments, **options)
        pools = {"http": _CheckedPool, "https": _CheckedTlsPool}
        self.poolmanager.pool_classes_by_scheme = {
            scheme: partial(pool, allow_private=self._allow_private) for scheme, pool in pools.items()
        }
