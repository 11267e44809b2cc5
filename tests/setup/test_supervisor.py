"""`make run`: real processes, really killed; and when the portal is ready. Where only the supervisor matters, they are
small ones."""

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest
import requests

from doiportal.supervisor import data_folder_lock
from tests.setup.portal import NOBODY, SupervisedPortal, serving, supervised
from tests.waiting import wait_until

SMALL = "tests.setup.small_portal"


def leave_in_the_midst_of_a_body(port: int) -> None:
    """The web server goes on reading it for a while, to drop it."""
    with socket.create_connection(("127.0.0.1", port)) as client:
        client.sendall(b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 99999999999\r\n\r\nx")
        assert b" 413 " in client.recv(1000)


@pytest.mark.slow
def test_ctrl_c_or_a_kill_ends_everything_and_two_folders_are_two_portals(tmp_path: Path):
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    with (
        supervised(tmp_path / "one", HTTP_PROXY=NOBODY) as one,
        supervised(tmp_path / "two", DOI_PROXY_URL=NOBODY) as two,
    ):
        assert f"http://127.0.0.1:{one.port}/" in one.printed
        assert "SAMPLE DATA" in one.printed
        page = one.get("/")
        assert "sample data" in page.lower()
        assert "--" in one.get(page.partition('<link rel="stylesheet" href="')[2].partition('"')[0]), "its style sheet"
        lookups = f"http://127.0.0.1:{one.port}/api/v1/lookups"
        looked_up = requests.post(lookups, json={"input": "10.1000/182"}, timeout=60).json()
        assert looked_up["outcome"] == "resolved", "the proxy of the network is not asked for our own machine"
        assert "sample data" not in two.get("/").lower(), "a proxy that was named is never replaced"
        assert (one.folder / "var/secret_key").read_text() != (two.folder / "var/secret_key").read_text()
        leave_in_the_midst_of_a_body(one.port)
        assert len(one.processes()) >= 5  # supervisor, gunicorn and a process, celery and one

        one.supervisor.send_signal(signal.SIGINT)
        assert two.get("/healthz") == "ok"
        assert one.supervisor.wait(20) == 0
        assert one.left_after(2) == []
        assert "ERROR" not in one.printed
        two.supervisor.kill()
        assert two.left_after(10) == []


def test_an_idle_portal_has_six_processes_and_little_memory(tmp_path: Path):
    with supervised(tmp_path, HTTP_PROXY=NOBODY) as portal:
        ready = f"http://127.0.0.1:{portal.port}/readyz"
        wait_until("it is ready", lambda: requests.get(ready, timeout=10).ok)
        processes = portal.processes()
        assert len(processes) == 6, "the supervisor, gunicorn and one of its own, the worker and two of its own"
        used = sum(process.memory_full_info().pss for process in processes)
    # 217 MB with Python 3.11. Pages that processes share count once.
    assert used < 280_000_000


@pytest.mark.slow
def test_a_list_that_ctrl_c_interrupts_goes_on_at_the_next_start_and_every_row_is_checked(tmp_path: Path):
    names = "".join(f"10.5555/row-{number}\n" for number in range(150))
    with supervised(tmp_path, HTTP_PROXY=NOBODY) as portal, requests.Session() as visitor:
        jobs = f"http://127.0.0.1:{portal.port}/api/v1/jobs"
        job = visitor.post(jobs, files={"file": ("list.csv", f"DOI\n{names}")}, timeout=60).json()
        wait_until("rows are checked", lambda: visitor.get(f"{jobs}/{job['id']}", timeout=60).json()["done"])
        portal.supervisor.send_signal(signal.SIGINT)
        assert portal.supervisor.wait(20) == 0
    with supervised(tmp_path, HTTP_PROXY=NOBODY, PORT=str(portal.port)):
        ended = wait_until(
            "the list has ended",
            lambda: visitor.get(f"{jobs}/{job['id']}", timeout=60).json(),
            lambda told: told["state"] == "finished",
        )
    assert ended["counts"]["outcome"] == {"resolved": 150}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("told", "place"),
    [
        ({"HOST": "::1"}, "[::1]:{port}/"),
        ({"HOST": "[::]"}, "[::1]:{port}/"),
        ({"HOST": "0:0:0:0:0:0:0:1"}, "[0:0:0:0:0:0:0:1]:{port}/"),
        ({"HOST": "0.0.0.0"}, "127.0.0.1:{port}/"),
        ({"URL_PREFIX": "/library/doi/"}, "127.0.0.1:{port}/library/doi/"),
    ],
)
def test_it_says_at_which_address_it_is(tmp_path: Path, told: dict[str, str], place: str):
    with supervised(tmp_path, SMALL, DOI_PROXY_URL=NOBODY, **told) as portal:
        assert f"doiportal is at http://{place.format(port=portal.port)} " in portal.printed


def test_a_portal_is_ready_as_soon_as_its_worker_runs(tmp_path: Path):
    with serving(tmp_path) as portal:
        address = f"http://127.0.0.1:{portal.port}/readyz"
        assert requests.get(address, timeout=10).status_code == 503
        portal.start_processes("worker")
        answer = wait_until("the portal is ready", lambda: requests.get(address, timeout=10), lambda answer: answer.ok)
        assert answer.json()["ready"]


@pytest.mark.parametrize("victim", ["web", pytest.param("worker", marks=pytest.mark.slow)])
def test_when_one_process_dies_it_says_which_and_ends_the_rest(tmp_path: Path, victim: str):
    with supervised(tmp_path, SMALL, DOI_PROXY_URL=NOBODY) as portal:
        portal.process(victim).kill()
        assert portal.supervisor.wait(20) == 1
        assert f"doiportal: {victim} was killed by SIGKILL; ending the rest" in portal.printed
        assert portal.left_after(2) == []


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_everything(tmp_path: Path, number: int):
    with supervised(tmp_path, SMALL, DOI_PROXY_URL=NOBODY) as portal:
        portal.supervisor.send_signal(number)
        assert portal.supervisor.wait(20) == 0
        assert "doiportal: ending, in ten seconds at most." in portal.printed
        assert portal.left_after(2) == []


@pytest.mark.slow
def test_killed_with_9_while_it_starts_it_leaves_no_process_behind(tmp_path: Path):
    portal = SupervisedPortal(tmp_path)
    while not portal.printed and len(portal.processes()) < 3:
        assert portal.supervisor.poll() is None, portal.printed
    portal.supervisor.kill()
    portal.supervisor.wait(5)
    assert portal.left_after(10) == []


def test_a_taken_port_is_said_at_once_and_nothing_is_started(tmp_path: Path):
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        portal = SupervisedPortal(tmp_path, PORT=str(other.getsockname()[1]))
        assert portal.supervisor.wait(10) == 2
    assert f"port {portal.port}: " in portal.printed
    assert "Address already in use" in portal.printed
    assert not (tmp_path / "var/doiportal.sqlite3").exists()
    assert portal.left_after(2) == []


@pytest.mark.slow
def test_a_second_portal_waits_until_the_first_has_left_the_data_folder(tmp_path: Path):
    (tmp_path / "second").mkdir()
    with supervised(tmp_path, SMALL, DOI_PROXY_URL=NOBODY) as first:
        data = first.environment["DOIPORTAL_DATA_DIR"]
        second = SupervisedPortal(tmp_path / "second", SMALL, DOI_PROXY_URL=NOBODY, DOIPORTAL_DATA_DIR=data)
        who = f"the doiportal at http://127.0.0.1:{first.port}/ (process {first.supervisor.pid})"
        second.wait_until_it_says(f"is in use by {who}; waiting for it to end")
        assert "doiportal is at" not in second.printed
        first.supervisor.send_signal(signal.SIGINT)
        assert first.supervisor.wait(20) == 0
        second.wait_until_it_says("doiportal is at")
        second.kill()


def test_a_data_folder_that_stays_in_use_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(data_folder_lock, "LONGEST_WAIT_SECONDS", 0.3)
    told: list[str] = []
    with (
        data_folder_lock.hold_data_folder(tmp_path, "the first", told.append),
        pytest.raises(data_folder_lock.DataFolderInUse, match="in use by the first"),
        data_folder_lock.hold_data_folder(tmp_path, "the second", told.append),
    ):
        told.append("not refused")
    assert told == [f"the data folder {tmp_path} is in use by the first; waiting for it to end"]
    with data_folder_lock.hold_data_folder(tmp_path, "the third", told.append):
        assert (tmp_path / data_folder_lock.NAME).read_text() == "the third"


def test_a_full_disk_is_left_to_the_setup_to_tell(tmp_path: Path):
    (tmp_path / data_folder_lock.NAME).symlink_to("/dev/full")
    with data_folder_lock.hold_data_folder(tmp_path, "this one", print):
        pass


def test_a_bad_setting_is_said_in_a_sentence(tmp_path: Path):
    portal = SupervisedPortal(tmp_path, PROXY_CONCURRENCY="many")
    assert portal.supervisor.wait(10) == 2
    assert portal.printed == "doiportal: PROXY_CONCURRENCY must be a whole number, not 'many'\n"


@pytest.mark.slow
def test_when_nobody_reads_what_it_prints_it_ends_and_leaves_no_process_behind(tmp_path: Path):
    reading, writing = os.pipe()
    portal = SupervisedPortal(tmp_path, SMALL, output=writing, DOI_PROXY_URL=NOBODY)
    os.close(writing)
    printed = b""
    while b"doiportal is at" not in printed:
        assert portal.supervisor.poll() is None, printed
        printed += os.read(reading, 65536)
    os.close(reading)
    portal.supervisor.wait(20)
    assert portal.left_after(2) == []


OPENED_BY_IMPORT = """
import threading
import importlib
import psutil
import doiportal.wsgi
from doiportal.supervisor.process_commands import IMPORTED
for module in IMPORTED:
    importlib.import_module(module)
from django.db import connections
process = psutil.Process()
databases = [each.connection for each in connections.all(initialized_only=True) if each.connection]
print(threading.active_count(), process.net_connections(), process.open_files(), databases)
"""
SEARCHES_OF_IMPORT = """
import gc
import doiportal.wsgi
from tests.waiting import wait_until
print(sum(each["collections"] for each in gc.get_stats()), gc.get_freeze_count())
"""


def run_in_a_new_process(code: str, data: Path) -> str:
    told = {**os.environ, "DOIPORTAL_DATA_DIR": str(data), "REDIS_URL": "redis://127.0.0.1:9/0"}
    told["SENTRY_DSN"] = "https://key@sentry.example/1"
    return subprocess.run([sys.executable, "-c", code], env=told, capture_output=True, text=True, check=True).stdout


@pytest.mark.slow
def test_nothing_is_opened_before_a_process_forks(tmp_path: Path):
    assert run_in_a_new_process(OPENED_BY_IMPORT, tmp_path) == "1 [] [] []\n"


@pytest.mark.slow
def test_the_code_is_hardly_searched_for_garbage_while_it_is_loaded_and_never_after(tmp_path: Path):
    searches, never_again = map(int, run_in_a_new_process(SEARCHES_OF_IMPORT, tmp_path).split())
    assert searches < 100
    assert never_again > 100_000
