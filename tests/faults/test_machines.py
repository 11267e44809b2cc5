"""Several machines: each a process with a data folder of its own. They share PostgreSQL, Redis and object storage."""

import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
import requests

from doiportal.supervisor import process_commands
from resolver.standin.server import SampleProxyServer
from tests.faults.servers import PostgreSQL, Redis
from tests.portal_processes import build_python_command
from tests.s3_server import S3Server
from tests.services_plugin import copy_static_files
from tests.setup.portal import ServingPortal
from tests.waiting import wait_until

pytestmark = pytest.mark.slow

ROWS = 300
SECRET = "one secret key that all machines of this test have"


class Machine(ServingPortal):
    """A machine with a data folder of its own. Its processes carry its name."""

    def start_worker(self) -> None:
        command = build_python_command(process_commands.WORKER)
        self.start([*command, "--beat", "--schedule", "", "--hostname", f"worker@{self.folder.name}"])

    def ask(self, method: str, path: str, **options: Any) -> requests.Response:
        with requests.Session() as session:
            session.trust_env = False
            session.headers["Authorization"] = f"Bearer {self.tokens[0]}"
            return session.request(method, f"http://127.0.0.1:{self.port}{path}", timeout=60, **options)

    def upload(self) -> str:
        content = "doi\n" + "".join(f"10.5555/of-{self.folder.name}-{number}\n" for number in range(ROWS))
        answer = self.ask("POST", "/api/v1/jobs", files={"file": ("list.csv", content.encode())})
        assert answer.status_code == 202, (answer.text, self.printed)
        return str(answer.json()["id"])


class Machines:
    """What all of them share, and how one is made."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self.folder, self.stack = folder, stack
        self.s3 = stack.enter_context(S3Server())
        proxy = stack.enter_context(SampleProxyServer(keep=False))
        self.shared = {
            "DATABASE_URL": stack.enter_context(
                PostgreSQL(Path(stack.enter_context(TemporaryDirectory(prefix="doiportal-machines-")), "pg"))
            ).url,
            "REDIS_URL": stack.enter_context(Redis(folder)).url,
            "FILES_URL": self.s3.files_url,
            "SECRET_KEY": SECRET,
            "DOI_PROXY_URL": proxy.url,
            "PROXY_RATE": "0",
            "NO_PROXY": "127.0.0.1",
        }

    def add(self, name: str, **environment: str) -> Machine:
        folder = self.folder / name
        folder.mkdir()
        copy_static_files(folder / "var/static")
        machine = Machine(folder, **{**self.shared, **environment})
        self.stack.callback(machine.kill)
        return machine


@pytest.fixture
def machines(tmp_path: Path) -> Iterator[Machines]:
    with ExitStack() as stack:
        yield Machines(tmp_path, stack)


def start_web(machines: Machines, name: str, **environment: str) -> Machine:
    web = machines.add(name, **environment)
    web.run_manage("prepare")
    web.tokens = [web.make_token(f"person-{name}")]
    web.start_processes("web")
    return web


def wait_for_end(web: Machine, job: str) -> dict[str, Any]:
    return wait_until(
        "the list has ended",
        lambda: web.ask("GET", f"/api/v1/jobs/{job}").json(),
        lambda told: told["state"] in ("finished", "failed"),
        seconds=120,
    )


def test_a_list_uploaded_at_one_machine_is_checked_by_a_worker_on_another(machines: Machines) -> None:
    web = start_web(machines, "a")
    worker = machines.add("b")
    worker.start_worker()
    job = web.upload()
    told = wait_for_end(web, job)
    assert (told["state"], told["done"]) == ("finished", ROWS), worker.printed
    second = start_web(machines, "c")
    second.tokens = web.tokens
    assert second.ask("GET", f"/api/v1/jobs/{job}/results.csv").text.count("10.5555/of-a-") >= ROWS
    for machine in (web, worker, second):
        assert not any((machine.folder / "var/uploads").glob("*/upload")), "no file lies in a data folder"
    assert "ok      machines" in worker.run_manage("doctor")


def test_a_worker_with_a_data_folder_of_its_own_leaves_the_list_waiting_and_is_named(machines: Machines) -> None:
    web = start_web(machines, "a")
    alone = machines.add("b", FILES_URL="", SECRET_KEY=f"another {SECRET}")
    alone.start_worker()
    alone.wait_until_it_says("ready")
    wait_until("readiness names it", lambda: web.ask("GET", "/readyz").json()["parts"]["files"]["detail"])
    job = web.upload()
    alone.wait_until_it_says("can't be reached from this worker")
    told = web.ask("GET", f"/api/v1/jobs/{job}").json()
    assert (told["state"], told["error"] or "") == ("reading", "")
    found = run_doctor(web)
    assert "keeps the uploaded files at another place" in found
    assert "other settings than this command: SECRET_KEY" in found
    good = machines.add("c")
    good.start_worker()
    assert wait_for_end(web, job)["state"] == "finished", good.printed


def test_lists_wait_while_object_storage_hangs_and_end_when_it_is_back(machines: Machines) -> None:
    web = start_web(machines, "a")
    job = web.upload()
    machines.s3.suspend()
    worker = machines.add("b")
    worker.start_worker()
    worker.wait_until_it_says("can't be reached from this worker")
    began = time.monotonic()
    refused = web.ask("POST", "/api/v1/jobs", files={"file": ("list.csv", b"doi\n10.1000/182\n")})
    assert (refused.status_code, refused.headers["Retry-After"]) == (503, "10")
    assert time.monotonic() - began < 60
    machines.s3.resume()
    assert wait_for_end(web, job)["state"] == "finished", worker.printed


def run_doctor(machine: Machine) -> str:
    """What it prints; it ends with 1, as it finds faults."""
    return machine.run_manage("shell", "--no-imports", "--command", _DOCTOR)


_DOCTOR = """
from contextlib import suppress
from django.core.management import CommandError, call_command
with suppress(CommandError):
    call_command("doctor")
"""
