"""Starts real portals for these tests, on free ports and in folders of their own: whole, by the supervisor as
`make run` does, or only the processes that a test is about, which takes a fourth of the processor's time."""

import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

import psutil

from doiportal.supervisor import network_probes
from resolver.standin.server import SampleProxyServer
from tests import warm_process
from tests.portal_processes import (
    ROOT,
    build_commands,
    find_processes,
    inherit_environment,
    kill_group,
    kill_processes,
    start_group,
)
from tests.services_plugin import copy_static_files, copy_tables, free_port
from tests.waiting import wait_until

AT_ONCE = 20  # accounts that one process makes: its start takes longer than all of them
_MAKE_TOKENS = f"""
from uuid import uuid4
from django.contrib.auth.models import User
from django.utils import timezone
from resolver.models import TokenScope
from resolver.services.logins.api_tokens import create_token
from tests.waiting import wait_until
for _ in range({AT_ONCE}):
    account = User.objects.create_superuser(f"user-{{uuid4()}}")
    print(create_token(account, "tests", TokenScope.WRITE, now=timezone.now())[1])
"""
NOBODY = "http://127.0.0.1:9"  # as HTTPS_PROXY: doi.org cannot be reached, wherever the tests run


class RunningPortal:
    """What a test sees of a portal, however many of its processes run."""

    def __init__(self, folder: Path, installed: Path | None = None, **environment: str) -> None:
        """`installed`: the command of an installed portal, which runs in `folder`; any other runs in the checkout."""
        self.port = int(environment.get("PORT", 0)) or free_port()
        self.log = folder / "log"
        self.tokens: list[str] = []  # not taken yet
        self.folder = folder
        self.working = folder if installed else ROOT
        self._installed = installed
        self.environment = {
            **inherit_environment(),
            "DOIPORTAL_DATA_DIR": str(folder / "var"),
            "PORT": str(self.port),
            "HTTPS_PROXY": NOBODY,
            **environment,
        }
        self.log.unlink(missing_ok=True)  # of an earlier portal in this folder
        self._started: list[subprocess.Popen[bytes]] = []

    def start(self, command: Sequence[str | Path], output: int | None = None) -> "subprocess.Popen[bytes]":
        """Start a process of this portal. It writes into the log, or to the descriptor `output`."""
        output = self.log if output is None else output
        process = start_group(command, environment=self.environment, output=output, folder=self.working)
        self._started.append(process)
        return process

    @property
    def printed(self) -> str:
        return self.log.read_text(errors="replace")

    def wait_until_it_says(self, words: str, seconds: float = 120) -> None:
        printed = wait_until(
            f"it says {words}",
            lambda: self.printed,
            lambda printed: words in printed or not self.lives(),
            seconds=seconds,
        )
        assert words in printed, printed

    def get(self, path: str) -> str:
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=10) as answer:
            return answer.read().decode()

    def make_token(self, account: str) -> str:
        """A token with every right of a new account of this name."""
        self.run_in_fork("createsuperuser", "--noinput", "--username", account, "--email", "")
        return self.run_in_fork("createtoken", account, "--name", "tests", "--scope", "write")

    def take_token(self) -> str:
        """A token with every right of a new account, whose name is nothing to the test."""
        if not self.tokens:
            printed = self.run_in_fork("shell", "--command", _MAKE_TOKENS).splitlines()
            self.tokens = [line for line in printed if line.startswith("doiportal_")]
        return self.tokens.pop()

    def run_manage(self, *arguments: str, **environment: str) -> str:
        """What the command prints, in a process started from scratch. Raises CalledProcessError."""
        command = [self._installed, "manage"] if self._installed else [sys.executable, "manage.py"]
        return subprocess.run(
            [*command, *arguments],
            cwd=self.working,
            env=self.environment | environment,
            check=True,
            capture_output=True,
            text=True,
        ).stdout.strip()

    def run_in_fork(self, *arguments: str, **environment: str) -> str:
        """What the command prints, several times as fast, where the test is not about its process. An installed portal
        starts it from scratch. Raises CalledProcessError."""
        if self._installed:
            return self.run_manage(*arguments, **environment)
        done = warm_process.run([*arguments], folder=ROOT, environment=self.environment | environment)
        done.check_returncode()
        return done.stdout.decode().strip()

    def lives(self) -> bool:
        """Whether none of the processes that we started has ended."""
        return all(process.poll() is None for process in self._started)

    def processes(self) -> list[psutil.Process]:
        return find_processes(self.environment["DOIPORTAL_DATA_DIR"])

    def process(self, *words: str) -> psutil.Process:
        """The oldest process with these words as its name or on its command line: the leader, not a worker that it
        forked."""
        found = [process for process in self.processes() if set(words) <= {process.name(), *process.cmdline()}]
        return min(found, key=lambda process: (process.create_time(), process.pid))

    def left_after(self, seconds: float) -> list[psutil.Process]:
        end = time.monotonic() + seconds
        while self.processes() and time.monotonic() < end:
            time.sleep(0.1)
        return self.processes()

    def kill(self) -> None:
        for ours in self._started:
            kill_group(ours)
        kill_processes(self.environment["DOIPORTAL_DATA_DIR"])


class SupervisedPortal(RunningPortal):
    """The supervisor, and all that it starts."""

    def __init__(
        self,
        folder: Path,
        module: str = "doiportal.supervisor",
        output: int | None = None,
        installed: Path | None = None,
        **environment: str,
    ) -> None:
        super().__init__(folder, installed, **environment)
        self.supervisor = self.start([installed] if installed else [sys.executable, "-m", module], output)


class ServingPortal(RunningPortal):
    """The web server and, if asked for, a worker."""

    def __init__(self, folder: Path, **environment: str) -> None:
        super().__init__(folder, **environment)
        self._host = environment.get("HOST", "127.0.0.1").strip("[]")
        # As the supervisor does.
        self.environment["PYTHONUNBUFFERED"] = "1"
        self.environment["PROMETHEUS_MULTIPROC_DIR"] = tempfile.mkdtemp(prefix="metrics-", dir=folder)

    def start_processes(self, *names: str) -> None:
        """Start these of web, worker and beat. Return when the web server answers."""
        commands = build_commands(self._host, self.port)
        for name in names:
            self.start(commands[name])
        wait_until("the web server answers", self._is_answering, seconds=120)

    def _is_answering(self) -> bool:
        assert self.lives(), self.printed
        return network_probes.is_answering(self._host, self.port)


def _give_tables(folder: Path) -> None:
    database = folder / "var/doiportal.sqlite3"
    if not database.exists():  # else the folder is that of an earlier portal
        copy_tables(database)


@contextmanager
def supervised(
    folder: Path, *module: str, installed: Path | None = None, **environment: str
) -> Iterator[SupervisedPortal]:
    """A whole portal, with tables that are there already, unless it is an installed one."""
    if not installed:
        _give_tables(folder)
    portal = SupervisedPortal(folder, *module, installed=installed, **environment)
    try:
        portal.wait_until_it_says("doiportal is at")
        yield portal
    finally:
        portal.kill()


@contextmanager
def serving(folder: Path, *, worker: bool = False, **environment: str) -> Iterator[ServingPortal]:
    """A portal that answers, with tables and static files that are there already, and must not end by itself. Without
    a worker, lists wait. There is no beat: nothing that was lost is found again.

    Unless `environment` names a DOI proxy, it has the sample proxy and says so."""
    _give_tables(folder)
    copy_static_files(folder / "var/static")
    with ExitStack() as stack:
        if "DOI_PROXY_URL" not in environment:
            proxy = stack.enter_context(SampleProxyServer(keep=False))
            here = ",".join(filter(None, [environment.get("NO_PROXY"), "127.0.0.1"]))
            environment |= {"DOI_PROXY_URL": proxy.url, "DOIPORTAL_SAMPLE_DATA": "1", "NO_PROXY": here}
            environment.setdefault("METADATA_SERVICE_URL", proxy.url)
        portal = ServingPortal(folder, **environment)
        stack.callback(portal.kill)
        portal.start_processes("web", *(["worker"] if worker else []))
        yield portal
        assert portal.lives(), portal.printed
