"""Child processes that can't outlive the supervisor: their group leader ends them when it is gone
(`end_with_supervisor.py`)."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import cast

from doiportal.supervisor.process_commands import ProcessCommand

GROUP_LEADER = Path(__file__).with_name("end_with_supervisor.py")
LAST_OUTPUT_SECONDS = 0.5  # to wait for the end of an output; processes of a killed child may keep it open


class Children:
    """The running processes: started, watched and ended, their output printed line by line after their names."""

    def __init__(self, folder: Path, format_line: Callable[[str, str], str]) -> None:
        """`folder`: where the processes run; `format_line`: adds the name of a process to a line that it printed."""
        self.folder, self.format_line = folder, format_line
        self.running: dict[str, subprocess.Popen[str]] = {}
        self.needed: set[str] = set()
        self.printing: dict[str, threading.Thread] = {}
        self.leader = subprocess.Popen([sys.executable, "-IS", GROUP_LEADER], stdin=subprocess.PIPE, process_group=0)

    def start(self, process: ProcessCommand, *, needed: bool = False) -> None:
        """Start the process, and print its output. `needed`: other processes need it until they have ended."""
        child = subprocess.Popen(
            process.command,
            cwd=self.folder,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            process_group=self.leader.pid,
        )
        self.running[process.name] = child
        if needed:
            self.needed.add(process.name)
        output = cast(Iterable[str], child.stdout)
        self.printing[process.name] = threading.Thread(
            target=print_output, args=(process.name, output, self.format_line), daemon=True
        )
        self.printing[process.name].start()

    def run(self, process: ProcessCommand) -> int:
        """Run a process that ends by itself. Return its exit code."""
        self.start(process)
        code = self.running[process.name].wait()
        self.printing[process.name].join(LAST_OUTPUT_SECONDS)
        del self.running[process.name]
        return code

    def ended(self) -> tuple[str, int] | None:
        """Return a process that has ended, and its exit code. The group leader counts too: it keeps the rest safe."""
        codes = {name: child.poll() for name, child in self.running.items()}
        codes["end_with_supervisor"] = self.leader.poll()
        for name, code in codes.items():
            if code is not None:
                if name in self.printing:
                    self.printing[name].join(LAST_OUTPUT_SECONDS)
                return name, code
        return None

    def end_all(self, seconds: float = 10.0) -> None:
        """End all of them, those that others need last. Kill those that are left after so many seconds, or at once
        after KeyboardInterrupt."""
        deadline = time.monotonic() + seconds
        with suppress(KeyboardInterrupt, subprocess.TimeoutExpired):
            for needed in (False, True):
                ending = [child for name, child in self.running.items() if (name in self.needed) == needed]
                for child in ending:
                    child.terminate()
                for child in ending:
                    child.wait(max(deadline - time.monotonic(), 0))
        os.killpg(self.leader.pid, signal.SIGKILL)  # and what a killed child has left behind
        for child in self.running.values():
            child.wait()
        self.leader.wait()
        for thread in self.printing.values():
            thread.join(LAST_OUTPUT_SECONDS)


def print_output(name: str, output: Iterable[str], format_line: Callable[[str, str], str]) -> None:
    """Print each line with the name, until the output ends. End the portal if it can't print."""
    try:
        for line in output:
            print(f"{format_line(name, line.rstrip())}\n", end="", flush=True)
    except OSError:
        os.kill(os.getpid(), signal.SIGTERM)
