"""The processes of a portal that a test has started: what they inherit, and how to find and end them all."""

import os
from contextlib import suppress

import psutil

_INHERITED = ("PATH", "HOME", "LANG", "TMPDIR")


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
    """Send them -9."""
    for process in find_processes(data_folder):
        with suppress(psutil.NoSuchProcess):
            process.kill()
