"""Rows a second of a whole job: upload, worker processes, the sample proxy in its own process, results written.

`python -m benchmarks.jobs` measures SQLite with files as broker, and PostgreSQL with Redis, each beside the script that
a user would write; the options choose one case.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from benchmarks.proxy import IN_FLIGHT, by_script, sample_proxy

WORKER = "celery -A doiportal worker --loglevel WARNING --concurrency 2 --without-gossip --without-mingle"
PATIENCE = 600
SCRIPT_NAMES = 2000


@contextmanager
def portal(database: str, proxy: str) -> Iterator[dict[str, str]]:
    """The environment of a portal with empty tables and two worker processes at work."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="doiportal-bench-")))
        told = {
            **os.environ,
            "DOIPORTAL_DATA_DIR": str(folder / "var"),
            "DOI_PROXY_URL": proxy,
            "PROXY_CONCURRENCY": str(IN_FLIGHT),
            "PROXY_RATE": "0",
        }
        if database == "postgres":
            from tests import services_plugin

            told["DATABASE_URL"] = stack.enter_context(services_plugin.postgres(folder / "postgres"))
            told["REDIS_URL"] = stack.enter_context(services_plugin.redis(folder))
        subprocess.run([sys.executable, "manage.py", "migrate", "--verbosity", "0"], env=told, check=True)
        worker = subprocess.Popen([sys.executable, "-m", *WORKER.split()], env=told)
        stack.callback(worker.wait)
        stack.callback(worker.terminate)
        time.sleep(5)  # until it listens
        yield told


def by_job(told: dict[str, str], names: list[str]) -> float:
    """Seconds from the upload to the last row, in a process that knows that portal's settings."""
    text = "doi\n" + "\n".join(names)
    command = [sys.executable, "-m", "benchmarks.jobs", "--inside"]
    done = subprocess.run(command, env=told, input=text.encode(), capture_output=True, check=True)
    return float(json.loads(done.stdout))


def inside() -> None:
    """Upload what stands on standard input, wait for the job's end, print the seconds."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "doiportal.settings")
    import django

    django.setup()
    from django.core.files.base import ContentFile
    from django.utils import timezone

    from resolver.models import Job
    from resolver.services import jobs
    from resolver.services.asking import proxy_from_settings
    from resolver.tasks import read_job

    text = sys.stdin.buffer.read()
    start = time.monotonic()
    proxy = proxy_from_settings()
    job, _ = jobs.create(ContentFile(text), "bench.csv", owner="user:1", proxy=proxy, now=timezone.now())
    read_job.delay(str(job.pk))
    while not (now := Job.objects.get(pk=job.pk)).ended:
        if time.monotonic() - start > PATIENCE:
            raise TimeoutError(str(now))
        time.sleep(0.1)
    seconds = time.monotonic() - start
    if now.counts["outcome"] != {"resolved": now.total}:
        raise AssertionError(now.counts)
    print(json.dumps(seconds))


def case(database: str, latency: int, rows: int) -> Iterator[tuple[str, str]]:
    """One job of made-up names after a short one that warms the workers up, and the script at the same proxy."""
    with sample_proxy(int(os.environ.get("BENCH_PORT", "8931")), latency) as url:
        script = SCRIPT_NAMES / by_script(url, [f"10.5555/script-{latency}-{n}" for n in range(SCRIPT_NAMES)])
        with portal(database, url) as told:
            by_job(told, [f"10.5555/warm-{n}" for n in range(500)])
            job = rows / by_job(told, [f"10.5555/job-{latency}-{n}" for n in range(rows)])
    load = os.getloadavg()[0]
    yield f"job, {database}, {latency} ms: script with 32 threads", f"{script:,.0f} names/s"
    yield f"job, {database}, {latency} ms: {rows:,} rows", f"{job:,.0f} rows/s = {job / script:.1f} x (load {load:.1f})"


def measure() -> Iterator[tuple[str, str]]:
    """Rows for both ways of storage, without delay and with 50 ms."""
    for database in ("sqlite", "postgres"):
        for latency, rows in ((0, 20_000), (50, 10_000)):
            yield from case(database, latency, rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--database", choices=("sqlite", "postgres"))
    parser.add_argument("--latency", type=int, default=0)
    parser.add_argument("--rows", type=int, default=20_000)
    options = parser.parse_args()
    if options.inside:
        inside()
        return
    figures = case(options.database, options.latency, options.rows) if options.database else measure()
    for label, figure in figures:
        print(f"{label:<58} {figure:>20}", flush=True)


if __name__ == "__main__":
    main()
