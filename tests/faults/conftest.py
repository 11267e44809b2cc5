"""Real worker processes, a real broker, one database; and whole portals of which any part may be killed."""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.core.files.base import ContentFile
from django.db import connection
from django.utils import timezone
from kombu import Connection

from doiportal.broker.kombu_transports import FILES
from doiportal.celery import app
from resolver.models import Job
from resolver.services.jobs.create import NewList, create_job
from resolver.services.proxy_answers.configured_proxy import proxy_from_settings
from resolver.services.turns import scheduler
from resolver.standin.server import SampleProxyServer
from tests.faults import lists
from tests.faults.failing_proxy import FailingProxyProcess
from tests.faults.portal import Json, KillablePortal, Visitor
from tests.faults.table import write_table
from tests.portal_processes import kill_group, start_group

DATABASE = os.environ.get("TEST_DATABASE", "postgres")
# `make faults`: every fault, in long lists, and what a killed worker held waits as long as in production.
ALL_FAULTS = os.environ.get("FAULTS") == "all"
ROWS = 4000 if ALL_FAULTS else 2400
# On SQLite there is no server to restart, and no connection to one.
OF_POSTGRESQL = [
    "test_clocks_differ.py",
    "test_dropped_packets.py",
    "test_kept_connections.py",
    "test_postgresql_away.py",
]
collect_ignore = OF_POSTGRESQL if DATABASE == "sqlite" else []
if not ALL_FAULTS:
    collect_ignore += ["test_rare_faults.py"]
SECONDS_AWAY = [0, 30] if ALL_FAULTS else [0]  # a service
TABLE = Path(__file__).parents[2] / "var/faults.md"  # `make faults` moves it to benchmarks/


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Keep the table of `make faults`."""
    if ALL_FAULTS:
        # A fixture's properties are complete in the report of the test's end.
        ends = {report.nodeid: report for report in terminalreporter.getreports("") if report.when == "teardown"}
        ended = [*terminalreporter.getreports("passed"), *terminalreporter.getreports("failed")]
        write_table([(report, ends[report.nodeid]) for report in ended if report.when == "call"], DATABASE, ROWS, TABLE)


@pytest.fixture(autouse=True)
def _judged_lists(record_property: Callable[[str, object], None]) -> Iterator[None]:
    """What was found of the test's lists goes into the table."""
    lists.JUDGED.clear()
    yield
    for verdict in lists.JUDGED:
        whole = f"{verdict.with_outcome:,} of {verdict.rows:,} rows with one outcome"
        record_property("list", f"{whole}, {verdict.repeated:,} names answered twice")


def database_url() -> str:
    """The test database, for another process."""
    if connection.vendor == "sqlite":
        return f"sqlite:///{connection.settings_dict['NAME']}"
    return urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{connection.settings_dict['NAME']}").geturl()


@pytest.fixture
def standin() -> Iterator[SampleProxyServer]:
    with SampleProxyServer(latency=0.02) as server:
        yield server


@pytest.fixture
def environment(standin: SampleProxyServer, tmp_path: Path, settings: Any) -> dict[str, str]:
    """What the workers are told: the test database, a data folder and a broker of their own, a sample proxy."""
    settings.DOIPORTAL_DATA_DIR = tmp_path
    settings.DOI_PROXY_URL = standin.url
    told = {
        "DATABASE_URL": database_url(),
        "DOIPORTAL_DATA_DIR": str(tmp_path),
        "DOI_PROXY_URL": standin.url,
        "PROXY_CONCURRENCY": "16",
        "PROXY_RATE": "100000",
    }
    if os.environ.get("REDIS_URL"):
        # Apart for each process of pytest-xdist: workers would take the messages of another database's.
        number = 7 + int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
        told["REDIS_URL"] = f"{os.environ['REDIS_URL'].rpartition('/')[0]}/{number}"
    return {**os.environ, **told}


@contextmanager
def worker(
    environment: dict[str, str], log: Path, *, app: str = "doiportal", name: str = "celery"
) -> Iterator[subprocess.Popen[bytes]]:
    """A Celery worker with its children, in a process group of its own; ended with the block if it still lives."""
    command = [sys.executable, "-m", "celery", "-A", app, "worker", "--beat", "--concurrency", "2"]
    command += ["--hostname", f"{name}@%h"]
    schedule = Path(environment["DOIPORTAL_DATA_DIR"], f"{log.stem}-schedule")
    process = start_group([*command, "--schedule", str(schedule)], environment=environment, output=log)
    try:
        yield process
    finally:
        if process.poll() is None:
            kill_group(process)  # asked to end, it would first finish its turn


def wait_until(true: Callable[[], bool], seconds: float, process: subprocess.Popen[bytes], log: Path) -> float:
    began = time.monotonic()
    while not true():
        if process.poll() is not None or time.monotonic() - began > seconds:
            raise TimeoutError(f"not within {seconds} s; the worker's log:\n{log.read_text()[-5000:]}")
        time.sleep(0.1)
    return time.monotonic() - began


def upload(file: str | bytes, environment: dict[str, str], *, owner: str = "session:1") -> Job:
    """A job of the file, its message in the broker that the workers look into."""
    proxy, data = proxy_from_settings(), file.encode() if isinstance(file, str) else file
    job, _ = create_job(ContentFile(data), NewList(owner=owner, filename="list.csv"), proxy=proxy, now=timezone.now())
    with broker(environment) as connection:
        send = partial(app.send_task, "resolver.tasks.serve_owner", connection=connection)
        scheduler.request_turn(owner, timezone.now(), lambda message: send((message.owner, message.token)))
    return job


def broker(environment: dict[str, str]) -> Connection:
    """That of the workers, which is not the one that this process was configured with."""
    if "REDIS_URL" in environment:
        return app.connection_for_write(environment["REDIS_URL"])
    folder = Path(environment["DOIPORTAL_DATA_DIR"], "broker/messages")
    folder.mkdir(parents=True, exist_ok=True)
    options = {"data_folder_in": str(folder), "data_folder_out": str(folder)}
    return app.connection_for_write(f"{FILES}://localhost", transport_options=options)


# --- whole portals ----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def failing_proxy() -> Iterator[FailingProxyProcess]:
    with FailingProxyProcess(latency=0.05) as proxy:
        yield proxy


@pytest.fixture(scope="session")
def running(failing_proxy: FailingProxyProcess) -> Iterator[KillablePortal]:
    with portal_in_a_folder(failing_proxy) as started:
        yield started


@contextmanager
def portal_in_a_folder(proxy: FailingProxyProcess, *, redis: bool = False) -> Iterator[KillablePortal]:
    """In a folder with a short name, since PostgreSQL's socket lies in it."""
    folder = Path(tempfile.mkdtemp(prefix="df-"))
    folder.chmod(0o711)  # PostgreSQL does not run as root
    try:
        with KillablePortal(folder, proxy, database=DATABASE, redis=redis, impatient=not ALL_FAULTS) as started:
            yield started
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def expected(running: KillablePortal) -> list[Json]:
    """What the list gives when nothing goes wrong."""
    with running.visitor() as visitor:
        job_id = visitor.upload(lists.lines("undisturbed", ROWS))
        visitor.wait_for_the_end(job_id)
        return lists.results(visitor, job_id, "undisturbed")


@pytest.fixture
def portal(running: KillablePortal) -> Iterator[KillablePortal]:
    """All is well when a test begins, and when it has ended."""
    running.proxy.fail("")
    yield running
    running.proxy.fail("")


@pytest.fixture
def visitor(portal: KillablePortal) -> Iterator[Visitor]:
    with portal.visitor() as someone:
        yield someone


@pytest.fixture
def label(request: pytest.FixtureRequest) -> str:
    """Letters and digits that stand in the names of no other test's list: answers are stored for a day."""
    return "".join(filter(str.isalnum, request.node.name))


def assert_whole(visitor: Visitor, job_id: str, label: str, expected: list[Json], **lost: int) -> None:
    """The job ends, every row has the outcome that it has when nothing goes wrong, and little was asked twice."""
    assert visitor.wait_for_the_end(job_id)["state"] == "finished"
    assert lists.judge(visitor, job_id, label, expected, **lost).faults == ()
