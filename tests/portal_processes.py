"""The processes of a portal that a test has started: what they inherit, and how to find and end them all."""

import os
from contextlib import suppress

import psutil

_INHERITED = ("PATH", "HOME", "LANG", "TMPDIR")
_ROUNDS = 5


def inherit_environment() -> dict[str, str]:
    """Return what a portal is told of our own environment: nothing that steers it."""
    return {name: os.environ[name] for name in _INHERITED if name in os.environ}


def find_processes(data_folder: str) -> list[psutil.Process]:
    """Return every process that was told of this data folder, whoever is its parent by now. The leader of their group
    has it too."""
    found = []
    for process in psutil.process_iter():
        with suppress(psutil.NoSuchProcess, psutil.ZombieProcess, psutil.AccessDenied):
            if process.environ().get("DOIPORTAL_DATA_DIR") == data_folder:
                found.append(process)
    return found


def kill_processes(data_folder: str) -> None:
    """Send SIGKILL to every process of this data folder, and to those that they have forked meanwhile."""
    for _ in range(_ROUNDS):
        found = find_processes(data_folder)
        for process in found:
            with suppress(psutil.NoSuchProcess):
                process.kill()
        if not found:
            break
        psutil.wait_procs(found, timeout=1)
