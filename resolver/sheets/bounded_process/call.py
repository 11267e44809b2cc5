"""Call a function of the readers in a process with bounds, and wait for its value."""

import atexit
import json
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

from doi_reading import Message
from resolver.sheets.bounded_process.bounds import ProcessBounds
from resolver.sheets.bounded_process.server import BEGUN
from resolver.sheets.errors import UnreadableFile, build_refusal

BOUNDS = ProcessBounds()
IDLE_SECONDS = 600.0  # after which the process that forks others ends; the next call starts another
_GRACE_SECONDS = 15.0  # beyond `longest`, on a busy machine
_WARMED_UP = "resolver.sheets.input.preview"
_TOO_LARGE = Message("The file is damaged, or too large to read safely. Save it again as CSV, or split it.")


class _Server:
    """The process that forks others, and the socket to it."""

    def __init__(self) -> None:
        self._calls, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            # It gets none of the portal's settings. It stays in the portal's process group, so it ends with that.
            self._process = subprocess.Popen(  # noqa: S603  (our own module)
                [sys.executable, "-P", "-m", "resolver.sheets.bounded_process.server", str(IDLE_SECONDS), _WARMED_UP],
                stdin=theirs.fileno(),
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env={"PYTHONPATH": str(Path(__file__).parents[3]), "LC_ALL": "C.UTF-8"},
            )
        self.owner = os.getpid()
        with self.connect() as first:  # answered when the libraries are imported
            first.settimeout(_GRACE_SECONDS)
            with suppress(TimeoutError, ConnectionResetError):
                first.recv(len(BEGUN))

    @property
    def is_over(self) -> bool:
        """Whether it can serve no call of this process: it has ended, or was started before this process was forked."""
        return self.owner != os.getpid() or self._process.poll() is not None

    def connect(self) -> socket.socket:
        """Return the connection of a new call. Raises OSError if the process is gone."""
        ours, theirs = socket.socketpair()
        with theirs:
            try:
                socket.send_fds(self._calls, [b"\n"], [theirs.fileno()])
            except OSError:
                ours.close()
                raise
        return ours

    def end(self) -> None:
        """End the process. Calls that it has forked run to their end."""
        self._calls.close()
        if self.owner == os.getpid():
            self._process.kill()
            self._process.wait()
        else:
            self._process.returncode = 0  # it is no child of this process


_lock = threading.Lock()
_started: _Server | None = None


def prepare_calls() -> None:
    """Start the process that forks others, if there is none, and wait until a call can begin: up to a second."""
    _find_server(None)


def call_bounded(
    function: Callable[..., Any],
    arguments: dict[str, Any],
    *,
    bounds: ProcessBounds = BOUNDS,
    refusal: Message = _TOO_LARGE,
) -> Any:
    """Return the value of a function of the readers, as JSON has it.

    Raises what the function raises: UnreadableFile, or OSError. Raises UnreadableFile with the reason `refusal` if the
    bounds end the process, RuntimeError for a fault of ours.
    """
    name = f"{function.__module__}:{function.__name__}"
    call = json.dumps({"function": name, "arguments": arguments, "bounds": asdict(bounds)}).encode()
    seconds = bounds.longest + _GRACE_SECONDS
    answer = _send(call, seconds) or _send(call, seconds)
    if not answer:
        raise RuntimeError("The process that reads files doesn't start.")
    if answer == BEGUN:  # the kernel ended it
        raise UnreadableFile(refusal)
    result = json.loads(answer)
    if "refused" in result:
        raise build_refusal(result["refused"])
    if "errno" in result:
        raise OSError(result["errno"], os.strerror(result["errno"]))
    if "too_large" in result:
        raise UnreadableFile(refusal)
    if "fault" in result:
        raise RuntimeError(f"The process that reads files failed.\n{result['fault']}")
    return result["value"]


def _send(call: bytes, seconds: float) -> bytes:
    """Return the answer: b"" if the call never began, BEGUN alone if it never ended."""
    server = None
    try:
        server = _find_server(None)
        with server.connect() as connection:
            connection.settimeout(seconds)
            connection.sendall(call)
            connection.shutdown(socket.SHUT_WR)
            answer = b"".join(iter(lambda: connection.recv(1 << 16), b""))
    except TimeoutError:
        return BEGUN
    except (BrokenPipeError, ConnectionResetError):
        answer = b""
    if not answer:
        _find_server(server)
    return answer


def _find_server(broken: _Server | None) -> _Server:
    """Return the server of this process, a new one if there is none, or it is `broken`."""
    global _started
    with _lock:
        if _started is not None and (_started is broken or _started.is_over):
            _started.end()
            _started = None
        if _started is None:
            _started = _Server()
        return _started


def _end_server() -> None:
    if _started is not None:
        _started.end()


atexit.register(_end_server)
os.register_at_fork(before=_lock.acquire, after_in_parent=_lock.release, after_in_child=_lock.release)
