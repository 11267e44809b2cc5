"""A proxy server between the clients and what they ask, as libraries have one."""

import socket
import threading
from collections.abc import Mapping

from tests.proxy.socket_server import SocketServer


class Tunnel(SocketServer):
    """A proxy server: connects where CONNECT says, or passes a plain request on; keeps what it was asked.

    `refuse`: the status with which it refuses all, 0 for none. `ports`: where on this machine a host is, by host and
    port ("api.crossref.org:443").
    """

    def __init__(self, refuse: int = 0, ports: Mapping[str, int] | None = None) -> None:
        super().__init__()
        self.lines: list[str] = []
        self.heads: list[bytes] = []
        self._refuse = refuse
        self._ports = ports or {}

    def _serve(self, near: socket.socket) -> None:
        with near:
            head = b""
            while b"\r\n\r\n" not in head:
                head += near.recv(65_536)
            line = head.split(b"\r\n")[0].decode()
            self.lines.append(line)
            self.heads.append(head)
            if self._refuse:
                near.sendall(f"HTTP/1.1 {self._refuse} No\r\nContent-Length: 0\r\n\r\n".encode())
                return
            method, target, _ = line.split(" ")
            place = target if method == "CONNECT" else target.split("/")[2]
            port = self._ports.get(place) or int(place.rpartition(":")[2])
            with socket.create_connection(("127.0.0.1", port)) as far:
                if method == "CONNECT":
                    near.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
                else:
                    path = "/" + target.split("/", 3)[3]
                    far.sendall(head.replace(target.encode(), path.encode(), 1))
                back = threading.Thread(target=_pump, args=(far, near))
                back.start()
                _pump(near, far)
                back.join()


def _pump(source: socket.socket, sink: socket.socket) -> None:
    try:
        while received := source.recv(65_536):
            sink.sendall(received)
        sink.shutdown(socket.SHUT_WR)
    except OSError:
        return
