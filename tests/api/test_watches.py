"""Watches over REST: made, changed, run, ended; and what is told of a change."""

import json
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import standardwebhooks
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client

from resolver.models import Job, Watch
from resolver.standin.server import SampleProxyServer
from tests.api.conftest import Post, assert_problem, run
from tests.api.schema_client import SchemaClient
from tests.api.test_tokens import make_key
from tests.services.watches.conftest import NAMES, write_records
from tests.webhook_receiver import Receiver, receiving

pytestmark = pytest.mark.django_db(transaction=True)

LIST = "doi\n" + "\n".join(NAMES)


@pytest.fixture
def program(user: User) -> Client:
    """A program with a token of the account."""
    return SchemaClient(headers={"Authorization": f"Bearer {make_key(user)}"})


@pytest.fixture
def changing(settings: Any, tmp_path: Path) -> Iterator[SampleProxyServer]:
    """A DOI proxy that knows all names at first."""
    with SampleProxyServer(write_records(tmp_path, dict.fromkeys(NAMES, "https://pub.example/"))) as server:
        settings.DOI_PROXY_URL = server.url
        yield server


@pytest.fixture
def receiver(settings: Any) -> Iterator[Receiver]:
    settings.WEBHOOK_ALLOW_PRIVATE = True
    with receiving() as server:
        yield server


def make_job(program: Client, text: str = LIST) -> str:
    job = program.post("/api/v1/jobs", text.encode(), "text/csv").json()
    run(job["id"])
    return str(job["id"])


def make(program: Client, **members: Any) -> Any:
    return program.post("/api/v1/watches", members, "application/json")


def test_a_watch_is_weekly_and_asks_for_existence_unless_wanted_otherwise(program: Client) -> None:
    job = make_job(program)
    made = make(program, job=job)
    assert made.status_code == 201
    watch = made.json()
    assert (watch["job"], watch["every"], watch["depth"], watch["paused"]) == (job, "week", "existence", False)
    assert watch["channels"] == {"mail": False, "webhook": None}
    assert watch["last_run"] is None
    assert watch["created_at"] < watch["next_run_at"]
    assert program.get(made.headers["Location"]).json() == watch
    assert program.get("/api/v1/watches").json()["results"] == [watch]


def test_members_change_by_themselves(program: Client) -> None:
    watch = make(program, job=make_job(program)).json()
    address = f"/api/v1/watches/{watch['id']}"
    change = {"name": "Catalogue", "every": "quarter", "depth": "full", "paused": True}
    changed = program.patch(address, change, "application/json").json()
    assert {name: changed[name] for name in change} == change
    again = program.patch(address, {"paused": False}, "application/json").json()
    assert (again["name"], again["every"], again["paused"]) == ("Catalogue", "quarter", False)
    assert program.delete(address).status_code == 204
    assert program.get(address).status_code == 404
    assert Job.objects.count() == 1


@pytest.mark.parametrize(
    ("members", "wrong"),
    [
        ({"job": "1b70c640-d26d-4de1-8a5c-f14836c6c08c"}, "job"),
        ({"every": "hour"}, "every"),
        ({"depth": "deep"}, "depth"),
        ({"channels": {"mail": True}}, "channels.mail"),
        ({"channels": {"webhook": "1b70c640-d26d-4de1-8a5c-f14836c6c08c"}}, "channels.webhook"),
        ({"weekly": True}, "weekly"),
        ({"channels": {"foo": 1}}, "channels.foo"),
        ({"channels": {"mail": "x"}}, "channels.mail"),
        ({"channels": []}, "channels"),
    ],
)
def test_what_cannot_be_watched_is_named(program: Client, members: dict[str, Any], wrong: str) -> None:
    problem = assert_problem(make(program, **{"job": make_job(program), **members}), 400)
    assert list(problem["errors"]) == [wrong]


def test_a_word_that_is_none_of_the_choices_is_answered_with_the_choices(program: Client) -> None:
    problem = assert_problem(make(program, job=make_job(program), every="hour"), 400)
    assert problem["errors"] == {"every": ["Use one of these: day, week, month, quarter."]}


def test_a_list_that_still_runs_is_a_409(program: Client) -> None:
    job = program.post("/api/v1/jobs", LIST.encode(), "text/csv").json()
    assert assert_problem(make(program, job=job["id"]), 409)["type"] == "/problems/job-not-finished"


@pytest.mark.parametrize("setting", ["MAX_WATCHES", "MAX_WATCHED_NAMES"])
def test_more_than_the_settings_allow_is_a_409(program: Client, settings: Any, setting: str) -> None:
    job = make_job(program)
    settings.MAX_WATCHES, settings.MAX_WATCHED_NAMES = 10, 3 * 10
    setattr(settings, setting, {"MAX_WATCHES": 1, "MAX_WATCHED_NAMES": 3}[setting])
    assert make(program, job=job).status_code == 201
    assert assert_problem(make(program, job=job), 409)["type"] == "/problems/too-many-watches"


def test_a_change_is_told_once_to_the_webhook_and_stands_in_the_changes(
    program: Client, changing: SampleProxyServer, receiver: Receiver, tmp_path: Path
) -> None:
    hook = program.post("/api/v1/webhooks", {"url": receiver.url}, "application/json").json()
    channels = {"webhook": hook["id"]}
    made = make(program, job=make_job(program), every="day", name="Catalogue", channels=channels).json()
    at = Watch.objects.get().next_at
    changing.know(write_records(tmp_path, dict.fromkeys(NAMES[1:], "https://pub.example/")))
    for day in range(4):
        call_command("runwatches", "--at", (at + timedelta(days=day)).isoformat(), verbosity=0)
    ((headers, body),) = [(headers, body) for headers, body in receiver.received if b"watch.changed" in body]
    event = standardwebhooks.Webhook(hook["secret"]).verify(body, headers)
    assert event["type"] == "watch.changed"
    assert event["data"]["id"] == made["id"]
    assert event["data"]["page"].endswith(f"/watches/{made['id']}")
    told = event["data"]["last_run"]
    assert (told["state"], told["newly_broken"], told["newly_working"]) == ("settled", 1, 0)
    (change,) = program.get(f"/api/v1/watches/{made['id']}/changes").json()["results"]
    assert (change["change"], change["doi"], change["outcome"]) == ("newly-broken", NAMES[0], "not-found")
    assert "newly-broken" not in json.dumps(event["data"])


def test_a_run_can_be_wanted_before_it_is_due(program: Client) -> None:
    watch = make(program, job=make_job(program)).json()
    answer = program.post(f"/api/v1/watches/{watch['id']}/run")
    assert answer.status_code == 202
    assert answer.json()["next_run_at"] < watch["next_run_at"]
    call_command("runwatches", verbosity=0)
    assert program.get(f"/api/v1/watches/{watch['id']}").json()["last_run"]["state"] == "settled"


def test_a_session_without_an_account_may_watch_but_names_no_webhook(api: Client, post: Post, upload: Post) -> None:
    job = upload(LIST).json()["id"]
    run(job)
    assert post("watches", {"job": job}).status_code == 201
    problem = assert_problem(post("watches", {"job": job, "channels": {"mail": True}}), 400)
    assert list(problem["errors"]) == ["channels.mail"]
