"""Faults that take long to make, or need root: `make faults` alone makes them."""

import socket
import subprocess
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from tests.faults import lists
from tests.faults.conftest import DATABASE, ROWS, assert_whole
from tests.faults.failing_proxy import FailingProxyProcess
from tests.faults.portal import Json, KillablePortal, Visitor

SWEEP = "from resolver.tasks import sweep\nfor _ in range(20): sweep()"
AT_ONCE = 4
HALF_AN_UPLOAD = 2_000_000  # bytes


def test_the_whole_worker_is_killed_and_started_again(
    portal: KillablePortal, visitor: Visitor, label: str, expected: list[Json]
) -> None:
    job_id = visitor.upload(lists.lines(label, ROWS))
    visitor.wait_for_rows(job_id, ROWS // 4)
    portal.kill("worker")
    portal.start("worker")
    assert_whole(visitor, job_id, label, expected)


def test_four_processes_sweep_at_the_same_time(
    portal: KillablePortal, visitor: Visitor, label: str, expected: list[Json]
) -> None:
    job_id = visitor.upload(lists.lines(label, ROWS))
    visitor.wait_for_rows(job_id, ROWS // 4)
    with ThreadPoolExecutor(AT_ONCE) as pool:
        list(pool.map(portal.python, [SWEEP] * AT_ONCE))
    assert_whole(visitor, job_id, label, expected, lost=0)


def test_the_proxy_is_away_for_a_minute(
    portal: KillablePortal, visitor: Visitor, label: str, expected: list[Json]
) -> None:
    job_id = visitor.upload(lists.lines(label, ROWS))
    visitor.wait_for_rows(job_id, ROWS // 4)
    portal.proxy.fail("down")
    time.sleep(60)
    portal.proxy.fail("")
    visitor.wait_for_the_end(job_id)
    assert visitor.ask("POST", f"/api/v1/jobs/{job_id}/retry").status_code == 202
    assert_whole(visitor, job_id, label, expected)


def test_the_same_upload_twice_at_once_without_a_key_is_two_jobs(
    visitor: Visitor, label: str, expected: list[Json]
) -> None:
    visitor.ask("POST", "/api/v1/lookups", json={"input": "10.1000/182"})  # a session, so that both are one owner's
    with ThreadPoolExecutor(2) as pool:
        jobs = set(pool.map(lambda _: visitor.upload(lists.lines(label, ROWS)), range(2)))
    assert len(jobs) == 2
    for job_id in jobs:
        assert_whole(visitor, job_id, label, expected)


def test_the_web_process_is_killed_during_an_upload(
    portal: KillablePortal, visitor: Visitor, label: str, expected: list[Json]
) -> None:
    body = b"--b\r\nContent-Disposition: form-data; name=file; filename=a.csv\r\n\r\ndoi\n" + b"10.5555/x\n" * 400_000
    head = f"POST /api/v1/jobs HTTP/1.1\r\nHost: 127.0.0.1:{portal.port}\r\nContent-Length: {len(body)}\r\n"
    with socket.create_connection(("127.0.0.1", portal.port), 10) as connection:
        kind = "Content-Type: multipart/form-data; boundary=b\r\n\r\n"
        connection.sendall(f"{head}{kind}".encode() + body[:HALF_AN_UPLOAD])
        time.sleep(1)
        portal.kill("web")
        with suppress(OSError):
            connection.recv(100)
    portal.start("web")
    assert_whole(visitor, visitor.upload(lists.lines(label, ROWS)), label, expected)


@pytest.fixture
def on_small_disk(failing_proxy: FailingProxyProcess, tmp_path: Path) -> Iterator[KillablePortal]:
    """A portal whose data folder is a file system of 64 MB of its own. Mounting it needs root."""
    tmp_path.chmod(0o711)
    disk = tmp_path / "var"
    disk.mkdir(mode=0o700)
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64m", "tmpfs", disk], check=True)
    try:
        portal = KillablePortal(tmp_path, failing_proxy, database=DATABASE)
        portal.environment["DISK_RESERVE"] = "0"
        with portal as started:
            yield started
    finally:
        subprocess.run(["umount", "--lazy", disk], check=True)


@contextmanager
def filled(portal: KillablePortal) -> Iterator[None]:
    """No byte is left on the disk."""
    file = Path(portal.environment["DOIPORTAL_DATA_DIR"], "filler")
    with file.open("wb", buffering=0) as filler, suppress(OSError):
        while filler.write(b"x" * 4096):
            pass
    try:
        yield
    finally:
        file.unlink()


def test_the_disk_is_full_for_half_a_minute_while_a_list_is_checked(
    on_small_disk: KillablePortal, label: str, expected: list[Json]
) -> None:
    with on_small_disk.visitor() as visitor:
        job_id = visitor.upload(lists.lines(label, ROWS))
        visitor.wait_for_rows(job_id, ROWS // 4)
        with filled(on_small_disk):
            full = visitor.ask("GET", "/readyz")
            time.sleep(30)
        assert (full.status_code, full.json()["parts"]["disk"]["ready"]) == (503, False)
        assert "Traceback" not in on_small_disk.read_log("beat")
        assert all(on_small_disk.lives(name) for name in ("web", "worker", "beat"))
        assert_whole(visitor, job_id, label, expected)
