"""A whole portal in processes of its own, as `make run` starts it, with tables of its own that are gone afterwards."""

import os
import re
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import psutil
import psycopg
import redis
import requests

from tests import services_plugin
from tests.portal_processes import find_processes

IN_FLIGHT = 32
PATIENCE = 180  # seconds for a start, or an end
_ROLES = (
    ("^web |gunicorn", "web"), ("beat", "beat"), ("^worker |celery", "worker"), ("doiportal.supervisor", "supervisor")
)  # fmt: skip


@dataclass(frozen=True)
class MeasuredPortal:
    """Where it answers, and the environment of its processes."""

    url: str
    environment: dict[str, str]

    def processes(self) -> Iterator[tuple[str, psutil.Process]]:
        """Each process of ours with its role; databases and brokers are not ours."""
        for process in find_processes(self.environment["DOIPORTAL_DATA_DIR"]):
            with suppress(psutil.NoSuchProcess, psutil.ZombieProcess, psutil.AccessDenied):
                words = " ".join(process.cmdline())
                for word, role in _ROLES:
                    if re.search(word, words):
                        yield role, process
                        break

    def read_processor_time(self) -> dict[str, float]:
        """Return the seconds of a processor that each role has had, PostgreSQL and Redis too, if there are any. Those
        of children that have ended count for their parent."""
        seconds: defaultdict[str, float] = defaultdict(float)
        for role, process in (*self.processes(), *self._servers()):
            with suppress(psutil.NoSuchProcess):
                seconds[role] += sum(process.cpu_times()[:4])  # own, and of ended children: user, system
        return dict(seconds)

    def _servers(self) -> Iterator[tuple[str, psutil.Process]]:
        if url := self.environment.get("REDIS_URL"):
            with redis.Redis.from_url(url) as client:
                yield "Redis", psutil.Process(client.info("server")["process_id"])
        if url := self.environment.get("DATABASE_URL"):
            with psycopg.connect(url) as connection:
                server = psutil.Process(connection.info.backend_pid).parent()
                assert server
                for process in (server, *server.children()):
                    yield "PostgreSQL", process


@contextmanager
def portal(
    database: str, proxy: str, *, concurrency: int = IN_FLIGHT, rate: float = 0, **environment: str
) -> Iterator[MeasuredPortal]:
    """`database` is sqlite (with files as broker) or postgres (with Redis); `rate` 0 is without a limit."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="doiportal-bench-")))
        port = services_plugin.free_port()
        told = {
            **os.environ,
            "DOIPORTAL_DATA_DIR": str(folder / "var"),
            "DOI_PROXY_URL": proxy,
            "PROXY_CONCURRENCY": str(concurrency),
            "PROXY_RATE": str(rate),
            "PORT": str(port),
            **environment,
        }
        if database == "postgres":
            told["DATABASE_URL"] = stack.enter_context(services_plugin.postgres(folder / "postgres", durable=True))
            told["REDIS_URL"] = stack.enter_context(services_plugin.redis(folder))
        log = stack.enter_context((folder / "log").open("wb"))
        started = subprocess.Popen([sys.executable, "-m", "doiportal.supervisor"], env=told, stdout=log, stderr=log)
        stack.callback(started.wait, PATIENCE)
        stack.callback(started.terminate)
        running = MeasuredPortal(f"http://127.0.0.1:{port}", told)
        _wait_until_it_answers(running, started, folder / "log")
        yield running


def _wait_until_it_answers(running: MeasuredPortal, started: "subprocess.Popen[bytes]", log: Path) -> None:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end and started.poll() is None:
        with suppress(requests.RequestException):
            if requests.get(f"{running.url}/healthz", timeout=5).ok:
                return
        time.sleep(0.2)
    raise RuntimeError(f"the portal does not answer:\n{log.read_text(errors='replace')[-3000:]}")
