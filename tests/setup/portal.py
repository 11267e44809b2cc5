"""Starts real portals for these tests: the supervisor as `make run` starts it, on free ports and folders of its own."""

import os
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil

from tests.services_plugin import copy_tables, free_port

ROOT = Path(__file__).parents[2]
AT_ONCE = 20  # accounts that one process makes: its start takes longer than all of them
_MAKE_TOKENS = f"""
from uuid import uuid4
from django.contrib.auth.models import User
from django.utils import timezone
from resolver.models import TokenScope
from resolver.services.logins.api_tokens import create_token
for _ in range({AT_ONCE}):
    account = User.objects.create_superuser(f"user-{{uuid4()}}")
    print(create_token(account, "tests", TokenScope.WRITE, now=timezone.now())[1])
"""
NOBODY = "http://127.0.0.1:9"  # as HTTPS_PROXY: doi.org cannot be reached, wherever the tests run


class StartedPortal:
    def __init__(
        self,
        folder: Path,
        module: str = "doiportal.supervisor",
        output: int | None = None,
        installed: Path | None = None,
        **environment: str,
    ) -> None:
        """`installed`: the command of an installed portal, which runs in `folder`; any other runs in the checkout."""
        self.port = int(environment.get("PORT", 0)) or free_port()
        self.log = folder / "log"
        self.tokens: list[str] = []  # not taken yet
        self.folder = folder
        self.working = folder if installed else ROOT
        self.manage_command = [installed, "manage"] if installed else [sys.executable, "manage.py"]
        kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG", "TMPDIR") if name in os.environ}
        self.environment = {
            **kept,
            "DOIPORTAL_DATA_DIR": str(folder / "var"),
            "PORT": str(self.port),
            "HTTPS_PROXY": NOBODY,
            **environment,
        }
        with self.log.open("wb") as log:
            self.supervisor = subprocess.Popen(
                [installed] if installed else [sys.executable, "-m", module],
                cwd=self.working,
                env=self.environment,
                stdout=log if output is None else output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    @property
    def printed(self) -> str:
        return self.log.read_text(errors="replace")

    def wait_until_it_says(self, words: str, seconds: float = 120) -> None:
        end = time.monotonic() + seconds
        while words not in self.printed:
            assert self.supervisor.poll() is None, self.printed
            assert time.monotonic() < end, self.printed
            time.sleep(0.05)

    def get(self, path: str) -> str:
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=10) as answer:
            return answer.read().decode()

    def make_token(self, account: str) -> str:
        """A token with every right of a new account of this name."""
        self.run_manage("createsuperuser", "--noinput", "--username", account, "--email", "")
        return self.run_manage("createtoken", account, "--name", "tests", "--scope", "write")

    def take_token(self) -> str:
        """A token with every right of a new account, whose name is nothing to the test."""
        if not self.tokens:
            printed = self.run_manage("shell", "--command", _MAKE_TOKENS).splitlines()
            self.tokens = [line for line in printed if line.startswith("doiportal_")]
        return self.tokens.pop()

    def run_manage(self, *arguments: str) -> str:
        """What the command prints. Raises CalledProcessError."""
        command = [*self.manage_command, *arguments]
        return subprocess.run(
            command, cwd=self.working, env=self.environment, check=True, capture_output=True, text=True
        ).stdout.strip()

    def processes(self) -> list[psutil.Process]:
        """Every process of this portal, whoever its parent is by now: known by the data folder in its environment.
        The leader of their group has it too."""
        found = []
        for process in psutil.process_iter():
            with suppress(psutil.NoSuchProcess, psutil.ZombieProcess, psutil.AccessDenied):
                if process.environ().get("DOIPORTAL_DATA_DIR") == self.environment["DOIPORTAL_DATA_DIR"]:
                    found.append(process)
        return found

    def process(self, *words: str) -> psutil.Process:
        """The oldest process with these words on its command line: the leader, not a worker that it forked."""
        found = [process for process in self.processes() if set(words) <= set(process.cmdline())]
        return min(found, key=lambda process: (process.create_time(), process.pid))

    def left_after(self, seconds: float) -> list[psutil.Process]:
        end = time.monotonic() + seconds
        while self.processes() and time.monotonic() < end:
            time.sleep(0.1)
        return self.processes()


@contextmanager
def started(folder: Path, *module: str, installed: Path | None = None, **environment: str) -> Iterator[StartedPortal]:
    """With tables that are there already, unless it is an installed one."""
    if not installed:
        copy_tables(folder / "var/doiportal.sqlite3")
    portal = StartedPortal(folder, *module, installed=installed, **environment)
    try:
        portal.wait_until_it_says("doiportal is at")
        yield portal
    finally:
        for process in portal.processes():
            with suppress(psutil.NoSuchProcess):
                process.send_signal(signal.SIGKILL)
        portal.supervisor.wait(10)
