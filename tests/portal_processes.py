"""The processes of a portal that a test starts: what they inherit, how they start, and how to find and end them all."""

import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import psutil

from doiportal.env import host_in_url
from doiportal.supervisor import process_commands

ROOT = Path(__file__).parents[1]
_INHERITED = ("PATH", "HOME", "LANG", "TMPDIR")
_ROUNDS = 5


def inherit_environment() -> dict[str, str]:
    """Return what a portal is told of our own environment: nothing that steers it."""
    return {name: os.environ[name] for name in _INHERITED if name in os.environ}


def build_python_command(line: str) -> list[str]:
    """Return the command line, run by the Python of the tests."""
    return [sys.executable, "-m", *line.split()]


def build_commands(host: str, port: int) -> dict[str, list[str]]:
    """Return the commands of a portal whose processes are started one by one, as containers and systemd do it."""
    web = process_commands.WEB.format(host=host_in_url(host), port=port)
    lines = {"web": web, "worker": process_commands.WORKER, "beat": process_commands.BEAT}
    return {name: build_python_command(line) for name, line in lines.items()}


def start_group(
    command: Sequence[str | Path], *, environment: Mapping[str, str], output: Path | int, folder: Path = ROOT
) -> "subprocess.Popen[bytes]":
    """Start a process that leads a group of its own, in `folder`. What it prints is added to the file `output`, or goes
    to that descriptor."""
    with open(output, "ab", closefd=isinstance(output, Path)) as log:
        return subprocess.Popen(
            command,
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )


def kill_group(process: "subprocess.Popen[bytes]") -> None:
    """Send SIGKILL to the process and to its group: none of them gets a chance to put anything in order."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait(10)


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
