"""Requests to addresses that somebody has chosen: the address itself is checked, and the connection goes to an address
of its server that was checked too."""

import socket
from functools import partial
from typing import Any

import requests
from requests.adapters import HTTPAdapter
from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool
from urllib3.exceptions import HTTPError
from urllib3.util import parse_url

from doi_reading import Message
from resolver.proxy.public_addresses import FIRST_UNRESERVED_PORT, WEB_PORTS, ForbiddenAddress, resolve_host
from resolver.proxy.total_timeout import WatchedConnection, WatchedTlsConnection


def read_address(url: str, *, allow_private: bool) -> tuple[str, str, int]:
    """Return the address as it will be requested, its host and its port, read by the libraries that request it. Raises
    ForbiddenAddress for any but an https: address on a port of web servers, unless `allow_private` is set."""
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


class CheckedAdapter(HTTPAdapter):
    """Makes connections to addresses that were checked, and that a TotalTimeout can cut."""

    def __init__(self, *, allow_private: bool) -> None:
        self._allow_private = allow_private
        super().__init__()

    def init_poolmanager(self, *arguments: Any, **options: Any) -> None:
        super().init_poolmanager(*arguments, **options)
        pools = {"http": _CheckedPool, "https": _CheckedTlsPool}
        self.poolmanager.pool_classes_by_scheme = {
            scheme: partial(pool, allow_private=self._allow_private) for scheme, pool in pools.items()
        }
