"""`manage.py sampleproxy` as a process."""

import os
import re
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from resolver.standin import generated_names
from tests import warm_process
from tests.warm_process import ROOT

COMMAND = [sys.executable, "manage.py", "sampleproxy"]


def run(*options: str) -> subprocess.CompletedProcess[bytes]:
    return warm_process.run(["sampleproxy", *options], folder=ROOT, environment=os.environ)


@contextmanager
def serving(*options: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    with subprocess.Popen([*COMMAND, *options], cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            match = re.search(r"http://\S+", process.stdout.readline())
            assert match
            yield process, match.group()
        finally:
            process.kill()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_says_where_it_listens_and_ends_when_told(number: signal.Signals) -> None:
    with serving("--port", "0", "--latency", "5") as (process, url):
        with urllib.request.urlopen(url + "/api/handles/10.1000/182", timeout=10) as answer:
            assert answer.status == 200
        process.send_signal(number)
        assert process.wait(10) == 0


@pytest.mark.slow
def test_it_prints_what_it_sees_and_refuses_what_is_too_much() -> None:
    with serving("--port", "0", "--watch", "--limit", "1") as (process, url):
        urllib.request.urlopen(url + "/api/handles/10.1000/182", timeout=10).close()
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(url + "/api/handles/10.1000/182", timeout=10)
        refused.value.close()
        process.send_signal(signal.SIGTERM)
        assert process.stdout is not None
        told = process.stdout.read().splitlines()
    assert told[-1].startswith("2 requests; in flight 0, most 1; in the last second 2, most in any second 2;")
    assert told[-1].endswith("1 x 200, 1 x 429")


@pytest.mark.slow
def test_a_taken_port_is_said_plainly() -> None:
    with serving("--port", "0") as (_, url):
        done = run("--port", url.rpartition(":")[2])
    assert done.returncode == 2
    assert b"in use" in done.stderr
    assert b"Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--records", "/nonexistent.json"], "No such file"),
        (["--records", "manage.py"], "is not JSON"),
        (["--port", "70000"], "isn't a port"),
        (["--latency", "-1"], "latency"),
        (["--limit", "nan"], "limit"),
        (["--host", "no.such.host.invalid"], "Cannot listen"),
    ],
)
def test_what_cannot_be_served_is_refused(options: list[str], told: str) -> None:
    done = run("--port", "0", *options)
    assert done.returncode == 2
    assert told in done.stderr.decode()
    assert b"Traceback" not in done.stderr


def test_the_help_tells_the_words() -> None:
    told = run("--help").stdout.decode()
    assert all(word.rstrip("0123456789") in told for word in generated_names.WORDS)
