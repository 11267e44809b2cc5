"""A whole portal in processes of its own, driven by what people and programs use: its pages and its API."""

import html
import re
import subprocess
import time
from collections.abc import Callable, Iterable
from contextlib import ExitStack, suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import psutil
import requests

from tests import warm_process
from tests.faults.failing_proxy import FailingProxyProcess
from tests.faults.servers import PostgreSQL, Redis
from tests.portal_processes import (
    ROOT,
    build_commands,
    build_python_command,
    inherit_environment,
    kill_group,
    kill_processes,
    start_group,
)
from tests.services_plugin import copy_tables, free_port

STATE = re.compile(r'<h2 id="state-title"[^>]*>[^<]*</h2>(.*?)<section aria-labelledby="about-title">', re.DOTALL)
Json = dict[str, Any]


class KillablePortal:
    """Web, worker and beat with the same command lines as `make run`, each in a process group of its own."""

    def __init__(
        self,
        folder: Path,
        proxy: FailingProxyProcess,
        *,
        database: str,
        redis: bool = False,
        impatient: bool = False,
        workers: int = 1,
    ) -> None:
        """`database`: "sqlite" (and a broker of files, unless `redis`) or "postgres" (and Redis). `impatient`: what was
        held by a killed worker is given to others after seconds. `workers`: so many, "worker" and "worker 2" and so on,
        of two processes each."""
        self.workers = ["worker", *(f"worker {number}" for number in range(2, workers + 1))]
        self._stack = ExitStack()
        self.folder = folder
        self.proxy = proxy
        self._app = "tests.faults.impatient" if impatient else "doiportal"
        self.redis = self._stack.enter_context(Redis(folder)) if redis or database == "postgres" else None
        self.postgres = self._stack.enter_context(PostgreSQL(folder / "pg")) if database == "postgres" else None
        self.port = free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        self.environment = {
            **inherit_environment(),
            "DOIPORTAL_DATA_DIR": str(folder / "var"),
            "PORT": str(self.port),
            "DOI_PROXY_URL": proxy.url,
            "DOI_PROXY_BACKOFF": "0.1",
            "PROXY_CONCURRENCY": "16",
            "PROXY_RATE": "0",
            **({"REDIS_URL": self.redis.url} if self.redis else {}),
            **({"DATABASE_URL": self.postgres.url} if self.postgres else {}),
        }
        self._started: dict[str, subprocess.Popen[bytes]] = {}

    def __enter__(self) -> Self:
        try:
            if not self.postgres:
                copy_tables(self.folder / "var/doiportal.sqlite3")
            self.manage("prepare")
            self.start("web", *self.workers, "beat")
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        self.kill_all()
        self._stack.close()

    # --- its processes ------------------------------------------------------------------------------------------------

    def start(self, *names: str) -> None:
        """Returns when the web server listens; the others need a few seconds more. "supervisor" is `make run`."""
        commands = build_commands("127.0.0.1", self.port)
        commands |= dict.fromkeys(self.workers, commands["worker"])
        commands["supervisor"] = build_python_command("doiportal.supervisor")
        for name in names:
            command = [self._app if word == "doiportal" else word for word in commands[name]]
            self._started[name] = start_group(command, environment=self.environment, output=self._log(name))
        if {"web", "supervisor"} & set(names):
            self._wait_until_it_answers(60)

    def _wait_until_it_answers(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            with suppress(requests.RequestException):
                requests.get(f"{self.address}/healthz", timeout=5)
                return
            time.sleep(0.05)
        raise TimeoutError(self.said())

    def kill(self, *names: str) -> None:
        """-9, with all children."""
        for name in list(names):
            kill_group(self._started.pop(name))

    def kill_all(self) -> None:
        """-9 to every process that was told of our data folder, whoever started it."""
        kill_processes(self.environment["DOIPORTAL_DATA_DIR"])
        self.kill(*self._started)

    def children(self, name: str) -> list[psutil.Process]:
        """Those that do the work."""
        return psutil.Process(self._started[name].pid).children()

    def lives(self, name: str) -> bool:
        return self._started[name].poll() is None

    def manage(self, *arguments: str) -> str:
        """What a command of Django's prints with this portal's settings; raises RuntimeError where it fails."""
        done = warm_process.run([*arguments], folder=ROOT, environment=self.environment)
        if done.returncode:
            raise RuntimeError(f"{arguments} ended with {done.returncode}:\n{done.stdout!r}\n{done.stderr!r}")
        return done.stdout.decode().strip()

    def python(self, code: str) -> str:
        """What the code prints, which may use Django."""
        return self.manage("shell", "--no-imports", "--command", code)

    def said(self, *names: str, last: int = 3000) -> str:
        """The ends of their logs."""
        return "\n".join(
            f"--- {name}\n{self._log(name).read_text(errors='replace')[-last:]}"
            for name in names or ("web", "worker", "beat", "supervisor")
            if self._log(name).exists()
        )

    def read_log(self, name: str) -> str:
        """Return what the process has written."""
        return self._log(name).read_text(errors="replace")

    def _log(self, name: str) -> Path:
        return self.folder / f"{name}.log"

    # --- what people see ----------------------------------------------------------------------------------------------

    def visitor(self) -> "Visitor":
        return Visitor(self)


class Visitor:
    """A person or program with a session of its own."""

    def __init__(self, portal: KillablePortal) -> None:
        self.portal = portal
        self.session = requests.Session()
        self.session.trust_env = False
        self.session.headers["Connection"] = "close"  # a server that closes an idle one is no fault that we look for

    def close(self) -> None:
        self.session.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def ask(self, method: str, path: str, **options: Any) -> requests.Response:
        return self.session.request(method, f"{self.portal.address}{path}", timeout=60, **options)

    def upload(self, lines: Iterable[str], **options: Any) -> str:
        """The id of the new job."""
        answer = self.send(lines, **options)
        assert answer.status_code == 202, (answer.status_code, answer.text, self.portal.said("web"))
        return str(answer.json()["id"])

    def send(self, lines: Iterable[str], *, header: str = "doi", **options: Any) -> requests.Response:
        file = ("list.csv", "\n".join([header, *lines, ""]).encode())
        return self.ask("POST", "/api/v1/jobs", files={"file": file}, **options)

    def job(self, job_id: str) -> Json:
        answer = self.ask("GET", f"/api/v1/jobs/{job_id}")
        answer.raise_for_status()
        return answer.json()

    def page(self, job_id: str) -> str:
        """What the page of the job says of its state."""
        answer = self.ask("GET", f"/jobs/{job_id}")
        state = STATE.search(answer.text)
        text = html.unescape(re.sub(r"<[^>]*>", " ", state[1] if state else answer.text))
        return f"{'' if answer.ok else f'HTTP {answer.status_code}: '}{' '.join(text.split())}"

    def rows(self, job_id: str) -> list[Json]:
        """Of a job that has ended."""
        answer = self.ask("GET", f"/api/v1/jobs/{job_id}/results.jsonl")
        answer.raise_for_status()
        return [requests.models.complexjson.loads(line) for line in answer.text.splitlines()]

    def wait_until(self, job_id: str, true: Callable[[Json], bool], seconds: float) -> Json:
        """The job, as soon as it is so; the server may be away meanwhile."""
        end = time.monotonic() + seconds
        job: Json | None = None
        while time.monotonic() < end:
            with suppress(requests.RequestException):
                job = self.job(job_id)
                if true(job):
                    return job
            time.sleep(0.1)
        raise TimeoutError(f"not within {seconds} s: {job}\n{self.portal.said()}")

    def wait_for_the_end(self, job_id: str, seconds: float = 180) -> Json:
        return self.wait_until(job_id, lambda job: job["state"] in ("finished", "cancelled", "failed"), seconds)

    def wait_for_rows(self, job_id: str, done: int, seconds: float = 120) -> Json:
        job = self.wait_until(job_id, lambda job: job["done"] >= done, seconds)
        assert job["done"] < job["total"], "the list is too short for the fault to come in its middle"
        return job
