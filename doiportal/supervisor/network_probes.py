"""Questions about addresses: is the port free, does the portal answer, can doi.org be reached?"""

import http.client
import socket
import subprocess
import sys

REACH = "import requests, sys; requests.head(sys.argv[1], timeout=3)"


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


def find_free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


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


def is_reachable(url: str) -> bool:
    """Try once, through HTTPS_PROXY and with the CA bundle of requests. In a process of its own, since a silent name
    server takes longer than any time-out of a request."""
    try:
        done = subprocess.run([sys.executable, "-c", REACH, url], capture_output=True, timeout=5, check=False)
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0
