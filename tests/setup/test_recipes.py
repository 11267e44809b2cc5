"""The recipes of templates/help/recipes.md, run as they stand there against a web server and a worker."""

import base64
import csv
import hashlib
import hmac
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import pytest
import requests

from tests.portal_processes import ROOT
from tests.services_plugin import free_port
from tests.setup.portal import RunningPortal, serving
from tests.waiting import wait_until
from tests.webhook_receiver import receiving

PAGE = ROOT / "templates/help/recipes.md"
NIGHTLY, CORRECT, LOOK_UP, RECEIVE = TASKS = (
    "Check a list every night",
    "Correct a CSV file",
    "Look up a column",
    "Receive webhooks",
)
# How each language is run, and the programs and packages that it needs. Every machine has the first two.
COMMANDS = {"sh": ["sh"], "python": [sys.executable], "r": ["Rscript"], "powershell": ["pwsh", "-File"]}
NEEDS = {"sh": ("curl", "openssl"), "python": (), "r": ("Rscript",), "powershell": ("pwsh",)}
LONGEST = 120  # seconds
LIST = "title,DOI\nOne,10.1000/182\nTwo,10.1000/182.\nThree,10.1000/no-such-name\n"
EVENT = json.dumps({"type": "job.finished", "timestamp": "2026-11-23T08:00:00Z", "data": {"id": "é"}}).encode()
SECRET = base64.b64encode(b"\x00\xff 24 bytes of a secret").decode()


def read_recipes() -> dict[tuple[str, str], str]:
    """The programs of the page by task and language."""
    found = {}
    for section in PAGE.read_text(encoding="utf-8").split("\n## ")[1:]:
        task = section.partition("\n")[0]
        for language, program in re.findall(r"^```(\w+)\n(.*?)^```$", section, re.MULTILINE | re.DOTALL):
            if language != "text":
                found[task, language] = program
    return found


def is_installed(language: str) -> bool:
    if not all(shutil.which(program) for program in NEEDS[language]):
        return False
    libraries = ["Rscript", "-e", "library(httr2); library(jsonlite); library(openssl)"]
    return language != "r" or subprocess.run(libraries, capture_output=True, check=False).returncode == 0


RECIPES = read_recipes()
LANGUAGES = [language for language in COMMANDS if language in ("sh", "python") or is_installed(language)]
EVERY_LANGUAGE = pytest.mark.parametrize("language", LANGUAGES)


@dataclass(frozen=True)
class RecipeRunner:
    """Runs recipes in a folder, with the address of the portal and a token."""

    folder: Path
    api: str
    token: str

    def start(self, task: str, language: str, **environment: str) -> "subprocess.Popen[bytes]":
        program = self.folder / {"powershell": "recipe.ps1"}.get(language, "recipe")
        program.write_text(RECIPES[task, language], encoding="utf-8")
        given = {**os.environ, "API": self.api, "TOKEN": self.token, "NO_PROXY": "127.0.0.1", **environment}
        return subprocess.Popen(
            [*COMMANDS[language], str(program)], cwd=self.folder, env=given,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip

    def run(self, task: str, language: str, stdin: bytes = b"", **environment: str) -> tuple[int, str, str]:
        """Return the exit code, and what was printed to the two streams."""
        with self.start(task, language, **environment) as process:
            printed, errors = process.communicate(stdin, timeout=LONGEST)
        return process.returncode, printed.decode(), errors.decode()

    def succeed(self, task: str, language: str) -> str:
        code, printed, errors = self.run(task, language)
        assert (code, errors) == (0, "")
        return printed


@pytest.fixture(scope="module")
def portal(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningPortal]:
    """A closed portal with sample data."""
    folder = tmp_path_factory.mktemp("portal")
    with serving(folder, worker=True, DOIPORTAL_OPEN="0", WEBHOOK_ALLOW_PRIVATE="1") as running:
        yield running


@pytest.fixture
def runner(portal: RunningPortal, tmp_path: Path) -> RecipeRunner:
    """A runner with an account of its own, and the list of the recipes."""
    (tmp_path / "list.csv").write_text(LIST, encoding="utf-8")
    token = portal.take_token()
    return RecipeRunner(tmp_path, f"http://127.0.0.1:{portal.port}/api/v1", token)


@pytest.fixture
def receiver(tmp_path: Path) -> RecipeRunner:
    """A runner for a program that asks no portal."""
    return RecipeRunner(tmp_path, "", "")


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8-sig") as file:
        return list(csv.DictReader(file))


def signed(body: bytes = EVENT, *, sent_at: float | None = None, key: str = SECRET) -> dict[str, str]:
    """The headers of a delivery, as Standard Webhooks defines them."""
    moment = str(int(time.time() if sent_at is None else sent_at))
    digest = hmac.digest(base64.b64decode(key), f"msg_1.{moment}.".encode() + body, hashlib.sha256)
    signature = f"v1,{base64.b64encode(b'another key').decode()} v1,{base64.b64encode(digest).decode()}"
    return {"webhook-id": "msg_1", "webhook-timestamp": moment, "webhook-signature": signature}


GENUINE = "genuine"
FORGED: dict[str, Callable[[], dict[str, str]]] = {
    "another secret": lambda: signed(key=base64.b64encode(b"guessed").decode()),
    "another body": lambda: signed(EVENT.replace(b"finished", b"failed__")),
    "another id": lambda: signed() | {"webhook-id": "msg_2"},
    "too old": lambda: signed(sent_at=time.time() - 400),
    "from the future": lambda: signed(sent_at=time.time() + 400),
    "a time that is none": lambda: signed() | {"webhook-timestamp": "a[$(id)]"},
    "an endless time": lambda: signed() | {"webhook-timestamp": "9" * 400},
    "no headers": dict,
}


def test_the_page_has_each_task_in_each_language() -> None:
    assert set(RECIPES) == {(task, language) for task in TASKS for language in COMMANDS}


def test_the_programs_that_every_machine_has_are_there() -> None:
    assert is_installed("sh"), "the recipes need curl and openssl: make programs"
    assert {"sh", "python"} <= set(LANGUAGES)


@pytest.mark.slow
@EVERY_LANGUAGE
def test_a_nightly_check_prints_the_rows_that_need_attention(runner: RecipeRunner, language: str) -> None:
    printed = runner.succeed(NIGHTLY, language)
    assert re.match(r"Rows that need attention: http://127\.0\.0\.1:\d+/jobs/[0-9a-f-]+\s*\n", printed)
    assert "10.1000/no-such-name" in printed
    assert "not-found" in printed
    assert "One" not in printed
    assert "Row 2:" not in printed


@pytest.mark.slow
@EVERY_LANGUAGE
def test_a_nightly_check_is_made_once_a_night_and_prints_nothing_of_a_list_that_is_fine(
    runner: RecipeRunner, language: str
) -> None:
    (runner.folder / "list.csv").write_text("DOI\n10.1000/182\n", encoding="utf-8")
    assert [runner.succeed(NIGHTLY, language).strip() for _ in range(2)] == ["", ""]
    jobs = requests.get(f"{runner.api}/jobs", headers={"Authorization": f"Bearer {runner.token}"}, timeout=30).json()
    assert len(jobs["results"]) == 1


@pytest.mark.slow
@EVERY_LANGUAGE
def test_a_csv_file_is_corrected(runner: RecipeRunner, language: str) -> None:
    printed = runner.succeed(CORRECT, language)
    assert re.search(r"/jobs/[0-9a-f-]+/review\s*$", printed)
    rows = rows_of(runner.folder / "corrected.csv")
    assert [(row["title"], row["corrected_doi"], row["correction"]) for row in rows] == [
        ("One", "10.1000/182", "unchanged"),
        ("Two", "10.1000/182", "suggested"),
        ("Three", "", "not-registered"),
    ]


@pytest.mark.slow
@EVERY_LANGUAGE
def test_a_column_is_looked_up(runner: RecipeRunner, language: str) -> None:
    texts = ["10.1000/182", "10.1000/182.", '10.1000/no"such\\é']
    (runner.folder / "dois.txt").write_text("\n".join(texts), encoding="utf-8")
    with (runner.folder / "list.csv").open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([["DOI"], *([text] for text in texts)])
    runner.succeed(LOOK_UP, language)
    if language == "sh":
        lines = (runner.folder / "found.jsonl").read_text(encoding="utf-8").splitlines()
        answers = [json.loads(line) for line in lines]
        found = [(one["input"], one["outcome"], (one["suggestion"] or {"doi": ""})["doi"]) for one in answers]
    else:
        found = [(row["input"], row["outcome"], row["suggestion"]) for row in rows_of(runner.folder / "found.csv")]
    assert found == list(zip(texts, ["resolved", "not-found", "not-found"], ["", "10.1000/182", ""], strict=True))


@pytest.mark.slow
@EVERY_LANGUAGE
@pytest.mark.parametrize("task", [NIGHTLY, CORRECT, LOOK_UP])
def test_a_recipe_stops_with_an_error_if_a_request_fails(runner: RecipeRunner, language: str, task: str) -> None:
    (runner.folder / "dois.txt").write_text("10.1000/182\n", encoding="utf-8")
    code, _, errors = RecipeRunner(runner.folder, runner.api, "wrong").run(task, language)
    assert code != 0
    assert "401" in errors


@EVERY_LANGUAGE
@pytest.mark.parametrize("kind", [GENUINE, *FORGED])
def test_a_receiver_takes_a_genuine_delivery_only(receiver: RecipeRunner, language: str, kind: str) -> None:
    headers = signed() if kind == GENUINE else FORGED[kind]()
    assert deliver(receiver, language, headers, EVENT, f"whsec_{SECRET}") == (204 if kind == GENUINE else 400)


@pytest.fixture(scope="module")
def delivery(portal: RunningPortal) -> tuple[str, dict[str, str], bytes]:
    """The secret, the headers and the body of a delivery by the portal."""
    api, bearer = f"http://127.0.0.1:{portal.port}/api/v1", {"Authorization": f"Bearer {portal.make_token('receiver')}"}
    with receiving() as target:
        made = requests.post(f"{api}/webhooks", json={"url": target.url}, headers=bearer, timeout=LONGEST).json()
        sent = {**bearer, "Content-Type": "text/csv"}
        requests.post(f"{api}/jobs", LIST.encode(), headers=sent, timeout=LONGEST).raise_for_status()
        headers, body = wait_until("the delivery comes", lambda: target.received)[0]
    return made["secret"], {name.lower(): value for name, value in headers.items()}, body


@pytest.mark.slow
@EVERY_LANGUAGE
def test_a_receiver_takes_what_the_portal_delivers(
    receiver: RecipeRunner, language: str, delivery: tuple[str, dict[str, str], bytes]
) -> None:
    secret, headers, body = delivery
    assert deliver(receiver, language, headers, body, secret) == 204


def deliver(receiver: RecipeRunner, language: str, headers: dict[str, str], body: bytes, secret: str) -> int:
    """The status that a receiver answers a delivery with. One that is no web server must have kept the event."""
    if language == "python":
        return send_to_server(receiver, headers, body, secret)
    given = {f"HTTP_{name.upper().replace('-', '_')}": value for name, value in headers.items()}
    code, printed, errors = receiver.run(RECEIVE, language, body, WEBHOOK_SECRET=secret, **given)
    assert errors == ""
    status = int(printed.removeprefix("Status: "))
    assert code == (status != 204)
    events = receiver.folder / "events.jsonl"
    assert events.exists() == (status == 204)
    if status == 204:
        assert json.loads(events.read_text("utf-8")) == json.loads(body)
    return status


def send_to_server(receiver: RecipeRunner, headers: dict[str, str], body: bytes, secret: str) -> int:
    """The status that the receiver in Python answers a delivery with."""
    port = free_port()
    server = receiver.start(RECEIVE, "python", PORT=str(port), WEBHOOK_SECRET=secret)
    with server:
        try:
            wait_until("the receiver listens", lambda: is_listening(server, port))
            return requests.post(f"http://127.0.0.1:{port}/", body, headers=headers, timeout=10).status_code
        finally:
            server.kill()


def is_listening(server: "subprocess.Popen[bytes]", port: int) -> bool:
    assert server.poll() is None, server.communicate()
    with suppress(ConnectionRefusedError), socket.create_connection(("127.0.0.1", port)):
        return True
    return False
