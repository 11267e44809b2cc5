"""Questions about addresses: is the port free, does the portal answer?"""

import http.client
import socket


def find_port_trouble(host: str, port: int) -> str | None:
    """Return why we can't listen there, or None if we can."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind, protocol) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
            probe.listen(1)
    except (OSError, OverflowError) as error:
        return str(error)
    return None


def find_reachable_host(host: str) -> str:
    """Return the address to connect to: a server that listens on every address is also here."""
    return {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}.get(host, host)  # noqa: S104 - nothing listens there


def is_answering(host: str, port: int) -> bool:
    """Return whether a web server answers there, with any status."""
    connection = http.client.HTTPConnection(find_reachable_host(host), port, timeout=2)
    try:
        connection.request("GET", "/healthz")
        connection.getresponse().read()
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()
    return True
