"""`python -m MODULE ARGUMENT …` as a fork of the supervisor, which has imported the code: so it starts at once, and
they share memory. It can't outlive the supervisor."""

import ctypes
import os
import runpy
import signal
import sys
import threading
import time
from pathlib import Path
from typing import NoReturn

_LIFE = 3  # the lowest descriptor after the standard ones


def run_module(words: list[str], *, name: str, group: int, folder: Path, output: int, life: int) -> None:
    """Run the module as its command line would, in `folder`. Raises what it raises, mostly SystemExit.

    `name`: what `top` shows; `group`: the process group to join, 0 for a new one; `output`: the descriptor for all that
    it prints; `life`: the end of a pipe whose other end only the supervisor holds, so it ends with the supervisor."""
    os.setpgid(0, group)
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    _keep_only(output, life)
    threading.Thread(target=_end_group_with, args=(_LIFE,), name="end with supervisor", daemon=True).start()
    _show_name(name)
    _show_command(words)
    os.chdir(folder)
    sys.argv = words
    runpy.run_module(words[0], run_name="__main__", alter_sys=True)


def _keep_only(output: int, life: int) -> None:
    """Close all files of the supervisor, as the lock of its data folder. Print to `output`, each line at once."""
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(output, 1)
    os.dup2(output, 2)
    os.dup2(life, _LIFE)
    os.closerange(_LIFE + 1, os.sysconf("SC_OPEN_MAX"))
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(write_through=True)  # type: ignore[union-attr]  # the tests' are none of these


def _end_group_with(life: int) -> NoReturn:
    """Wait until the supervisor is gone, for whatever reason. Then end all processes of this group."""
    os.read(life, 1)
    os.killpg(0, signal.SIGTERM)
    time.sleep(3.0)  # so that they can end by themselves
    os.killpg(0, signal.SIGKILL)
    raise AssertionError("the group holds this process")


def _show_name(name: str) -> None:
    """Give the process a name of its own where the system has files for it, which is Linux."""
    comm = Path("/proc/self/comm")
    if comm.exists():
        comm.write_text(name)


def _show_command(words: list[str]) -> None:
    """Let `ps` and /proc show this command line, not the supervisor's, as far as there is room where that stood. On
    Linux only."""
    stat = Path("/proc/self/stat")
    if stat.exists():
        fields = stat.read_text().rpartition(")")[2].split()
        start, end = map(int, fields[45:47])  # arg_start and arg_end: the 48th and 49th field of all
        shown = b"\0".join(map(os.fsencode, words))[: end - start - 1]
        ctypes.memmove(start, shown.ljust(end - start, b"\0"), end - start)
