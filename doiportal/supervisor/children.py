"""Child processes that cannot outlive us: each leads a group, hangs on a leash, and the watchdog knows it."""

import os
import selectors
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import IO, cast

from doiportal.supervisor.processes import Process

HERE = Path(__file__).parent
PATIENCE = 10.0  # seconds that the children have to end by themselves


class Children:
    """Starts, watches and ends the processes; what they print comes out line by line with their name before it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.running: dict[str, subprocess.Popen[bytes]] = {}
        self.selector = selectors.DefaultSelector()
        self.halves: dict[str, bytes] = {}
        self.watchdog = subprocess.Popen(
            [sys.executable, "-IS", HERE / "watchdog.py"], stdin=subprocess.PIPE, start_new_session=True
        )

    def start(self, process: Process) -> None:
        child = subprocess.Popen(
            [sys.executable, "-IS", HERE / "die_with_parent.py", str(os.getpid()), *process.command],
            cwd=self.folder,
            env={**os.environ, "PYTHONUNBUFFERED": "1", **process.environment},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        self.running[process.name] = child
        self.tell_watchdog(str(child.pid))
        self.selector.register(cast(IO[bytes], child.stdout), selectors.EVENT_READ, process.name)

    def tell_watchdog(self, line: str) -> None:
        pipe = cast(IO[bytes], self.watchdog.stdin)
        with suppress(BrokenPipeError):  # it is dead: the loop sees that and ends everything
            pipe.write(line.encode() + b"\n")
            pipe.flush()

    def pass_on_output(self, seconds: float) -> None:
        """Prints what has arrived, waiting at most so long for it."""
        if not self.selector.get_map():
            time.sleep(seconds)
        for key, _ in self.selector.select(seconds):
            stream = cast(IO[bytes], key.fileobj)
            arrived = os.read(stream.fileno(), 65536)
            if not arrived:
                self.selector.unregister(stream)
            *lines, rest = (self.halves.get(key.data, b"") + arrived).split(b"\n")
            self.halves[key.data] = rest
            for line in lines if arrived else [*lines, rest] if rest else lines:
                print(f"{key.data:<7}| {line.decode(errors='replace')}", flush=True)

    def ended(self) -> tuple[str, int] | None:
        """The first process found to have ended, and how; the watchdog counts, since without it nothing is safe."""
        for name, child in [*self.running.items(), ("watchdog", self.watchdog)]:
            code = child.poll()
            if code is not None:
                return name, code
        return None

    def wait(self, name: str) -> int:
        """For a process that is to end by itself."""
        child = self.running[name]
        while child.poll() is None:
            self.pass_on_output(0.1)
        self.pass_on_output(0)
        return self.running.pop(name).returncode

    def end_all(self) -> None:
        self.signal_leaders(signal.SIGTERM)
        deadline = time.monotonic() + PATIENCE
        try:
            while any(child.poll() is None for child in self.running.values()) and time.monotonic() < deadline:
                self.pass_on_output(0.1)
        except (OSError, KeyboardInterrupt):
            pass  # nobody reads what we print, or somebody cannot wait: at once, then
        for child in self.running.values():
            self.kill_group(child.pid)  # the leader may be gone and have left workers of its own behind
            child.wait()
        self.tell_watchdog("done")
        self.watchdog.wait()

    def signal_leaders(self, number: signal.Signals) -> None:
        for child in self.running.values():
            if child.poll() is None:
                child.send_signal(number)

    def kill_group(self, group: int) -> None:
        try:
            os.killpg(group, signal.SIGKILL)
        except ProcessLookupError:
            return
