"""The process that forks one process with bounds for each call: the libraries are imported once, so a call takes some
milliseconds more than in the caller's own process.

    python -m resolver.sheets.bounded_process.server SECONDS MODULE …

MODULEs are imported first, and their `warm_up` is called. Standard input is a socket: each message is a descriptor, the
connection of a call. It ends with that socket, so with the process that started it, and after SECONDS without a call.
"""

import gc
import importlib
import json
import os
import signal
import socket
import sys
import traceback
from contextlib import suppress
from typing import Any

from resolver.sheets.bounded_process.bounds import ProcessBounds, apply_bounds
from resolver.sheets.errors import UnreadableFile

PACKAGE = "resolver.sheets."
BEGUN = b"\n"
"""The first byte from a process. Without it, the call never began."""


def main() -> None:
    """Serve calls until the socket is closed, or none has come for long."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # of a terminal: the portal decides when it ends
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # the kernel clears away what has ended
    idle_seconds, *modules = sys.argv[1:]
    for module in modules:
        importlib.import_module(module).warm_up()
    gc.freeze()
    with socket.socket(fileno=0) as calls, suppress(TimeoutError):
        calls.settimeout(float(idle_seconds))
        while True:
            _, descriptors, *_ = socket.recv_fds(calls, 1, 1)
            if not descriptors:
                return
            connection = socket.socket(fileno=descriptors[0])
            if os.fork() == 0:
                calls.close()
                _answer(connection)
            connection.close()


def _answer(connection: socket.socket) -> None:
    try:
        connection.sendall(BEGUN)
        call = json.loads(b"".join(iter(lambda: connection.recv(1 << 16), b"")))
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        apply_bounds(ProcessBounds(**call["bounds"]))
        connection.sendall(json.dumps(_run(call["function"], call["arguments"])).encode())
    finally:
        os._exit(0)  # unwritten output has no room either


def _run(name: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """Return the value of the function `module:name`, or why there is none."""
    try:
        module, _, function = name.partition(":")
        if not module.startswith(PACKAGE):
            raise ValueError(name)
        return {"value": getattr(importlib.import_module(module), function)(**arguments)}
    except UnreadableFile as refusal:
        return {"refused": refusal.to_json()}
    except MemoryError:
        return {"too_large": True}
    except OSError as error:
        return {"errno": error.errno or 0}
    except BaseException as error:  # noqa: BLE001 - a library's panic is none of Exception; all of it goes to the caller
        # Without the words of the error: they may be those of the file.
        return {"fault": "".join(traceback.format_tb(error.__traceback__)) + type(error).__name__}


if __name__ == "__main__":
    main()
