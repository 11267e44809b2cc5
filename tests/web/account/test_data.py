"""A person's own data: all of it in one file, and its end with the account."""

import io
import json
import zipfile
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from resolver.models import AccountQuota, ApiToken, CheckedHost, DailyUse, Draft, HostCheck, Job, Lookup, TokenScope
from resolver.services.logins.api_tokens import create_token
from resolver.services.uploads import stored_uploads
from resolver.services.webhooks.events import record_test
from resolver.services.webhooks.registration import create_webhook
from tests.stored_list import remove_deleted_lists
from tests.web.conftest import Look, html_of, run, text_of

PASSWORD = "a long enough word"
LIST = "title,doi\nOne,10.1000/182\nTwo,10.5555/missing-1\n"


@pytest.fixture
def ada(visitor: Client) -> Client:
    user = User.objects.create_user("ada", password=PASSWORD, email="ada@example.org")
    visitor.force_login(user)
    return visitor


def archive_of(client: Client) -> zipfile.ZipFile:
    return zipfile.ZipFile(io.BytesIO(b"".join(client.get("/account/data.zip"))))  # type: ignore[arg-type]


def lines_of(archive: zipfile.ZipFile, name: str) -> list[Any]:
    return [json.loads(line) for line in archive.read(name).splitlines()]


def test_the_archive_holds_all_that_is_stored_for_the_account(ada: Client, upload: Look):
    ada.post("/lookups", {"text": "10.1000/182", "title": "The DOI Handbook", "author": "Paskin"})
    upload(LIST, "my list.csv")
    job = run(Job.objects.get())
    _, key = create_token(User.objects.get(), "nightly", TokenScope.READ, now=timezone.now())
    archive = archive_of(ada)
    assert archive.testzip() is None
    account = json.loads(archive.read("account.json"))
    assert (account["username"], account["email"]) == ("ada", "ada@example.org")
    assert [token["name"] for token in account["tokens"]] == ["nightly"]
    assert [line["cells"] for line in lines_of(archive, "lookups.jsonl")] == [
        {"input": "10.1000/182", "title": "The DOI Handbook", "author": "Paskin"}
    ]
    folder = f"lists/{job.pk}"
    about = json.loads(archive.read(f"{folder}/list.json"))
    assert (about["filename"], about["state"]) == ("my list.csv", "finished")
    assert archive.read(f"{folder}/upload").decode() == LIST
    rows = lines_of(archive, f"{folder}/results.jsonl")
    assert [(row["cells"]["title"], row["outcome"]) for row in rows] == [("One", "resolved"), ("Two", "not-found")]
    everything = b"".join(archive.read(name) for name in archive.namelist())
    assert key.encode() not in everything
    assert User.objects.get().password.encode() not in everything


def test_the_archive_says_which_column_has_the_expected_addresses(ada: Client):
    sent = SimpleUploadedFile("list.csv", b"DOI,Page\n10.1000/182,https://example.org/\n")
    made = ada.post("/api/v1/jobs", {"file": sent, "expected_column": "Page"})
    assert made.status_code == 202, made.content
    about = json.loads(archive_of(ada).read(f"lists/{made.json()['id']}/list.json"))
    assert about["expected_column"] == "Page"


def test_the_archive_holds_a_file_that_was_uploaded_and_not_checked_yet(ada: Client):
    sent = SimpleUploadedFile("waits.csv", LIST.encode())
    assert ada.post("/jobs/new", {"file": sent}).status_code == 302
    draft = Draft.objects.get()
    archive = archive_of(ada)
    folder = f"drafts/{draft.pk}"
    assert json.loads(archive.read(f"{folder}/draft.json"))["filename"] == "waits.csv"
    assert archive.read(f"{folder}/upload").decode() == LIST


def test_the_archive_holds_what_was_sent_to_webhooks_and_no_secret(ada: Client, settings: Any):
    settings.WEBHOOK_ALLOW_PRIVATE = True
    address, portal = "http://127.0.0.1:9/hook", "https://portal.example/"
    webhook = create_webhook(User.objects.get(), address, portal=portal, now=timezone.now(), name="Nightly")
    record_test(webhook, timezone.now())
    archive = archive_of(ada)
    assert [one["name"] for one in json.loads(archive.read("account.json"))["webhooks"]] == ["Nightly"]
    sent = lines_of(archive, f"webhooks/{webhook.pk}/deliveries.jsonl")
    assert [(one["event"], one["attempts"], one["error"]) for one in sent] == [("webhook.test", 0, "")]
    assert webhook.secret.encode() not in b"".join(archive.read(name) for name in archive.namelist())


def test_the_archive_holds_nothing_of_another(ada: Client, stranger: Client, look: Look, upload: Look):
    stranger.force_login(User.objects.create_user("eve", password=PASSWORD))
    look("10.1000/182", client=stranger)
    upload(LIST, client=stranger)
    archive = archive_of(ada)
    assert archive.namelist() == ["README.txt", "account.json", "lookups.jsonl"]
    assert archive.read("lookups.jsonl") == b""


def test_the_archive_holds_the_hosts_of_a_list(ada: Client, upload: Look):
    upload(LIST)
    job = run(Job.objects.get())
    check = HostCheck.objects.create(
        job=job, job_ended=timezone.now(), started_at=timezone.now(), collected=True, done=True
    )
    CheckedHost.objects.create(
        host_check=check, name="journal.example", port=443, tls=True, rows=1, place=1, verdict="no-such-host"
    )
    assert b"journal.example,https,443,1,no-such-host" in archive_of(ada).read(f"lists/{job.pk}/hosts.csv")


def test_the_archive_holds_the_actions_on_a_list_and_what_they_replaced(
    ada: Client, upload: Look, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("resolver.services.storage.keyset.BATCH_ROWS", 1)
    upload(LIST)
    job = run(Job.objects.get())
    assert not [name for name in archive_of(ada).namelist() if name.endswith(("actions.jsonl", "replaced.jsonl"))]
    for decision in ("rejected", None):
        for line in (1, 2):
            sent = ada.patch(
                f"/api/v1/jobs/{job.pk}/rows/{line}", {"decision": decision}, content_type="application/json"
            )
            assert sent.status_code == 200, sent.content
    archive = archive_of(ada)
    actions = lines_of(archive, f"lists/{job.pk}/actions.jsonl")
    assert [(one["decision"], one["line"], one["made_by"]) for one in actions] == [
        ("rejected", 1, "ada"),
        ("rejected", 2, "ada"),
        ("", 1, "ada"),
        ("", 2, "ada"),
    ]
    replaced = lines_of(archive, f"lists/{job.pk}/replaced.jsonl")
    assert [one["action_id"] for one in replaced] == [one["id"] for one in actions]
    assert [(one["line"], one["decision"], one["decided_by"]) for one in replaced] == [
        (1, "", ""),
        (2, "", ""),
        (1, "rejected", "ada"),
        (2, "rejected", "ada"),
    ]


def test_a_list_that_runs_is_in_the_archive_without_results(ada: Client, upload: Look):
    upload(LIST)
    names = archive_of(ada).namelist()
    assert f"lists/{Job.objects.get().pk}/upload" in names
    assert not [name for name in names if name.endswith("results.jsonl")]


def test_the_archive_holds_the_quotas_of_the_account_and_what_it_used_and_both_go_with_it(
    ada: Client, upload: Look, settings: Any
) -> None:
    settings.MAX_LISTS_PER_DAY = 5
    AccountQuota.objects.create(account=User.objects.get(), rows=70)
    upload(LIST)
    account = json.loads(archive_of(ada).read("account.json"))
    assert account["quotas"] == [{"lists": None, "rows": 70, "requests": None}]
    assert [(use["lists"], use["rows"], use["requests"]) for use in account["used"]] == [(1, 2, 0)]
    ada.post("/account/delete", {"password": PASSWORD})
    assert not User.objects.exists()
    assert (AccountQuota.objects.exists(), DailyUse.objects.exists()) == (False, False)


@pytest.mark.parametrize("address", ["/account/data.zip", "/account/delete"])
def test_without_a_login_there_are_no_data(visitor: Client, address: str):
    assert visitor.get(address)["Location"] == f"/accounts/login/?next={address}"


def test_deleting_the_account_deletes_all_its_data(
    ada: Client, look: Look, upload: Look, stranger: Client, django_capture_on_commit_callbacks: Any
):
    stranger.force_login(User.objects.create_user("eve", password=PASSWORD))
    look("10.1000/182", client=stranger)
    look("10.1000/182")
    upload(LIST)
    job = run(Job.objects.get())
    Draft.objects.create(owner=job.owner, created_at=timezone.now(), filename="x", upload="x", digest="")
    create_token(User.objects.get(username="ada"), "nightly", TokenScope.READ, now=timezone.now())
    asked = text_of(ada.get("/account/delete"))
    assert "lists, files and results, watches, webhooks, history and tokens" in asked
    assert "You can’t undo this." in asked
    with django_capture_on_commit_callbacks(execute=True):
        page = ada.post("/account/delete", {"password": PASSWORD}, follow=True)
    assert "Your account and everything that was stored for it are deleted." in text_of(page)
    assert "Log in" in text_of(page)
    assert [user.username for user in User.objects.all()] == ["eve"]
    assert [model.objects.filter(owner=job.owner).count() for model in (Job, Lookup, Draft)] == [0, 0, 0]
    assert ApiToken.objects.count() == 0
    with django_capture_on_commit_callbacks(execute=True):
        remove_deleted_lists()
    assert not stored_uploads.is_stored(job.upload)
    assert Lookup.objects.count() == 1


@pytest.mark.parametrize("password", ["", "wrong"])
def test_an_account_is_deleted_only_with_its_password(ada: Client, password: str):
    page = ada.post("/account/delete", {"password": password})
    assert (page.status_code, User.objects.count()) == (422, 1)


@pytest.mark.parametrize(("typed", "status", "left"), [("", 422, 1), ("Ada", 422, 1), ("ada", 302, 0)])
def test_an_account_without_a_password_is_deleted_with_its_name(
    visitor: Client, typed: str, status: int, left: int
) -> None:
    visitor.force_login(User.objects.create_user("ada"))
    assert 'name="password"' not in html_of(visitor.get("/account/delete"))
    page = visitor.post("/account/delete", {"username": typed})
    assert (page.status_code, User.objects.count()) == (status, left)


def test_the_last_administrator_stays(ada: Client):
    User.objects.update(is_superuser=True)
    page = ada.post("/account/delete", {"password": PASSWORD})
    assert (page.status_code, User.objects.count()) == (422, 1)
    assert "the only account that can administer the portal" in text_of(page)
    User.objects.create_superuser("root", password=PASSWORD)
    assert ada.post("/account/delete", {"password": PASSWORD}).status_code == 302
