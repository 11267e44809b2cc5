"""The web process of the portal as `make run` starts it, with a database and a data folder of its own."""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import psycopg

from tests.gateway_outside.sockets import RawAnswer, exchange, parsed, request
from tests.portal_processes import build_commands, inherit_environment, kill_group, start_group
from tests.services_plugin import copy_static_files, copy_tables, free_port, wait_for, wait_for_tables


class Gateway:
    """Where it listens, and questions to it."""

    def __init__(self, port: int, log: Path) -> None:
        self.port, self._log = port, log
        self.url = f"http://127.0.0.1:{port}"

    def ask(self, target: str | bytes, method: str = "GET", host: str = "", **headers: str) -> RawAnswer:
        """The answer to this raw request target; `X_Y="z"` is the header X-Y."""
        sent = request(target, method, host or f"127.0.0.1:{self.port}", **headers)
        return parsed(exchange(self.port, sent), bodiless=method == "HEAD")

    def send(self, raw: bytes) -> RawAnswer:
        """The answer to these bytes."""
        return parsed(exchange(self.port, raw))

    @property
    def said(self) -> str:
        """Its log so far."""
        return self._log.read_text(errors="replace")


@contextmanager
def gateway(folder: Path, proxy: str, **told: str) -> Iterator[Gateway]:
    """The web server with its two processes; on the database and, with PostgreSQL, the Redis of this test run, but on
    ones of its own there."""
    port = free_port()
    data = folder / "var"
    copy_static_files(data / "static")
    with _services(data) as services:
        environment = {
            **inherit_environment(),
            **services,
            "DOIPORTAL_DATA_DIR": str(data),
            "PORT": str(port),
            "DOI_PROXY_URL": proxy,
            "DOI_PROXY_BACKOFF": "0.02",
            "PROXY_CONCURRENCY": "16",
            "PROXY_RATE": "0",
            "COUNTRY_HEADER": "X-Country",
            **told,
        }
        web = build_commands("127.0.0.1", port)["web"]
        process = start_group(web, environment=environment, output=folder / "log")
        running = Gateway(port, folder / "log")
        try:
            wait_for(port, 60)
            running.ask("/")  # both the first request and the first look into the database are behind us
            yield running
        finally:
            kill_group(process)


@contextmanager
def _services(data: Path) -> Iterator[dict[str, str]]:
    """A database with all tables, beside the one of the tests, which other processes of pytest-xdist do not share."""
    worker = os.environ.get("PYTEST_XDIST_WORKER", "gw0")
    if not (template := wait_for_tables()):
        copy_tables(data / "doiportal.sqlite3")
        yield {}
        return
    name = f"outside_{worker}_{time.monotonic_ns()}"
    with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as server:
        server.execute(f"CREATE DATABASE {name} TEMPLATE {template}")
        try:
            url = urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{name}").geturl()
            redis = f"{os.environ['REDIS_URL'].rpartition('/')[0]}/{12 + int(worker.removeprefix('gw')) % 4}"
            yield {"DATABASE_URL": url, "REDIS_URL": redis}
        finally:
            server.execute(f"DROP DATABASE {name} WITH (FORCE)")
