"""Child processes, forked from the supervisor, that can't outlive it (`forked_module.py`)."""

import io
import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.context import ForkProcess
from pathlib import Path

from doiportal.supervisor.forked_module import run_module
from doiportal.supervisor.process_commands import ProcessCommand

LAST_OUTPUT_SECONDS = 0.5  # to wait for the end of an output; processes of a killed child may keep it open


class Children:
    """The running processes: started, watched and ended, their output printed line by line after their names."""

    def __init__(self, folder: Path, format_line: Callable[[str, str], str]) -> None:
        """`folder`: where the processes run; `format_line`: adds the name of a process to a line that it printed."""
        self.folder, self.format_line = folder, format_line
        self.running: dict[str, ForkProcess] = {}
        self.printing: dict[str, threading.Thread] = {}
        self.group = 0
        self._life, self._ours = os.pipe()  # nothing is ever written: its end tells them that the supervisor is gone

    def start(self, *processes: ProcessCommand) -> None:
        """Start the processes, and print their output. All are forked before the first thread prints: a fork while
        another thread holds a lock would hold it for ever."""
        outputs = {process.name: self._fork(process) for process in processes}
        for name, output in outputs.items():
            self.printing[name] = threading.Thread(
                target=print_output, args=(name, output, self.format_line), daemon=True
            )
            self.printing[name].start()

    def _fork(self, process: ProcessCommand) -> io.TextIOWrapper:
        """Return what the new process prints."""
        reading, writing = os.pipe()
        options = {"group": self.group, "folder": self.folder, "output": writing, "life": self._life}
        child = multiprocessing.get_context("fork").Process(
            target=run_module, args=(process.line.split(),), kwargs={"name": process.name, **options}, name=process.name
        )
        for stream in (sys.stdout, sys.stderr):
            stream.flush()  # else the child would print it too
        child.start()
        os.close(writing)
        pid = child.pid or 0
        with suppress(OSError):
            os.setpgid(pid, self.group)  # the child does it too: whoever comes first
        self.group = self.group or pid
        self.running[process.name] = child
        return os.fdopen(reading, errors="replace")

    def run(self, *processes: ProcessCommand) -> list[int]:
        """Run processes that end by themselves, side by side. Return their exit codes."""
        self.start(*processes)
        names = [process.name for process in processes]
        for name in names:
            self.running[name].join()
            self.printing[name].join(LAST_OUTPUT_SECONDS)
        self.group = 0
        return [self.running.pop(name).exitcode or 0 for name in names]

    def ended(self) -> tuple[str, int] | None:
        """Return a process that has ended, and its exit code."""
        for name, child in self.running.items():
            if child.exitcode is not None:
                self.printing[name].join(LAST_OUTPUT_SECONDS)
                return name, child.exitcode
        return None

    def end_all(self, seconds: float = 10.0) -> None:
        """End all of them. Kill those that are left after so many seconds, or at once after KeyboardInterrupt."""
        deadline = time.monotonic() + seconds
        with suppress(KeyboardInterrupt):
            for child in self.running.values():
                child.terminate()
            for child in self.running.values():
                child.join(max(deadline - time.monotonic(), 0))
        if self.group:
            with suppress(ProcessLookupError):
                os.killpg(self.group, signal.SIGKILL)  # and what a killed child has left behind
        for child in self.running.values():
            child.join()
        for thread in self.printing.values():
            thread.join(LAST_OUTPUT_SECONDS)


def print_output(name: str, output: io.TextIOWrapper, format_line: Callable[[str, str], str]) -> None:
    """Print each line with the name, until the output ends. End the portal if it can't print."""
    try:
        for line in output:
            print(f"{format_line(name, line.rstrip())}\n", end="", flush=True)
    except OSError:
        os.kill(os.getpid(), signal.SIGTERM)
