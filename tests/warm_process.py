"""`manage.py` or another program in a process of its own, forked from one that has imported the libraries: imports are
most of its time.

It reads the settings and the environment as any other process does, but for the folder of the counts, which is that of
the tests. A test that is about the process itself (signals, terminals, memory, its imports, what it does at its very
end) starts one from scratch instead. Only one thread may wait for its exit code: with more, it can get lost.
"""

import multiprocessing
import os
import runpy
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LONGEST = 120  # seconds
# None of these reads a setting of ours when it is imported; the library of the counts reads its folder. What does is
# imported by each process.
IMPORTED = [
    "aiohttp", "celery.app.trace", "celery.worker.consumer", "charset_normalizer", "cryptography.x509",
    "django.contrib.postgres.fields", "django.core.management", "django.db.migrations.executor",
    "django.db.backends.sqlite3.base", "django.db.models", "django.forms", "django.http", "django.template",
    "django.test", "django.views.debug", "django.views.generic", "drf_spectacular.utils", "jwt",
    "kombu.transport.redis", "openpyxl", "psycopg", "python_calamine", "redis", "requests", "rest_framework",
    "rest_framework.metadata", "smtplib", "structlog", "xlsxwriter",
    "resolver.domain.display", "resolver.domain.report.report", "resolver.proxy.bulk_client",
    "resolver.sheets.input.preview", "resolver.sheets.output.xlsx",
]  # fmt: skip


def run(
    arguments: list[str], *, folder: Path, environment: Mapping[str, str], stdin: bytes = b""
) -> subprocess.CompletedProcess[bytes]:
    """Run `manage.py` with these arguments in that folder. Returns its exit code and what it has printed.

    Raises TimeoutExpired after `LONGEST` seconds."""
    return _fork([str(ROOT / "manage.py"), *arguments], folder, environment, stdin)


def run_program(program: str, *, environment: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    """Run this program in the folder of the code. Returns its exit code and what it has printed.

    Raises TimeoutExpired after `LONGEST` seconds."""
    with tempfile.NamedTemporaryFile("w", suffix=".py") as script:
        script.write(program)
        script.flush()
        done = _fork([script.name], ROOT, environment, b"")
    return subprocess.CompletedProcess(program, done.returncode, done.stdout.decode(), done.stderr.decode())


def _fork(
    words: list[str], folder: Path, environment: Mapping[str, str], stdin: bytes
) -> subprocess.CompletedProcess[bytes]:
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(IMPORTED)
    with tempfile.TemporaryDirectory() as name:
        streams = [Path(name, stream) for stream in ("stdin", "stdout", "stderr")]
        streams[0].write_bytes(stdin)
        process = context.Process(target=_become, args=(words, folder, dict(environment), streams))
        process.start()
        process.join(LONGEST)
        if process.exitcode is None:
            process.kill()
            process.join()
            raise subprocess.TimeoutExpired(words, LONGEST)
        _, out, error = (stream.read_bytes() for stream in streams)
        return subprocess.CompletedProcess(words, process.exitcode, out, error)


def _become(words: list[str], folder: Path, environment: dict[str, str], streams: list[Path]) -> None:
    for number, path in enumerate(streams):
        os.dup2(os.open(path, os.O_RDWR | os.O_CREAT), number)
    sys.stdin = open(0, closefd=False)  # noqa: SIM115 - as every process has one
    counts = {name: folder for name, folder in os.environ.items() if name == "PROMETHEUS_MULTIPROC_DIR"}
    os.environ.clear()
    os.environ.update({**counts, **environment})
    os.chdir(folder)
    sys.argv = words
    runpy.run_path(words[0], run_name="__main__")
