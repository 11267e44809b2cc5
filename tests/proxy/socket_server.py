"""A server on this machine, with a thread for each connection: what the servers for the proxy's tests share."""

import socket
import threading
from typing import Self


class SocketServer:
    """Serves each connection by `_serve` in a thread of its own, from entering to leaving the context."""

    def __init__(self) -> None:
        self.connections = 0  # accepted
        self._socket = socket.create_server(("127.0.0.1", 0), backlog=200)
        self.port: int = self._socket.getsockname()[1]
        self._threads: list[threading.Thread] = []
        self._accepting = threading.Thread(target=self._accept)

    def __enter__(self) -> Self:
        self._accepting.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._socket.shutdown(socket.SHUT_RDWR)
        self._accepting.join()
        self._socket.close()
        self._hang_up()
        for thread in self._threads:
            thread.join()

    def _serve(self, connection: socket.socket) -> None:
        """Answer what comes on the connection, and close it."""
        raise NotImplementedError

    def _hang_up(self) -> None:
        """End the connections that wait for another request."""

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            self.connections += 1
            self._threads.append(threading.Thread(target=self._serve, args=(connection,)))
            self._threads[-1].start()
