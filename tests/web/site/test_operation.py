"""The operator's page in the admin: what it shows, whom it admits, and its actions."""

from datetime import timedelta
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.admin.models import CHANGE, DELETION, LogEntry
from django.contrib.auth.models import Permission, User
from django.contrib.contenttypes.models import ContentType
from django.test import Client
from django.utils import timezone

from resolver.models import Job, Lookup, Row, State
from resolver.services.health.heartbeats import record_heartbeat
from resolver.services.jobs.lifecycle import WORKED_ON
from resolver.services.operation import find_stuck_lists
from tests.web.conftest import Look, run, text_of

PAGE = "/admin/resolver/job/operation/"


@pytest.fixture
def root() -> Client:
    ContentType.objects.clear_cache()  # a test with transactions of its own empties their table
    client = Client()
    client.force_login(User.objects.create_superuser("root", password="of the portal itself"))
    return client


@pytest.fixture
def job(upload: Look) -> Job:
    upload("DOI\n10.1000/182\n", name="waits.csv")
    return Job.objects.get()


def _permissions(*names: str) -> list[Permission]:
    kind = ContentType.objects.get_for_model(Job)
    return [Permission.objects.get_or_create(content_type=kind, codename=name)[0] for name in names]


def test_it_shows_the_lists_and_the_workers(root: Client, job: Job) -> None:
    record_heartbeat("celery@one", timezone.now())
    shown = text_of(root.get(PAGE))
    assert "waits.csv" in shown
    assert "queued: 1" in shown
    assert "Alive in the last minute: 1" in shown
    assert "celery@one" in shown


def test_it_opens_without_any_list_or_worker(root: Client) -> None:
    assert "queued: 0" in text_of(root.get(PAGE))


def test_the_lists_of_the_admin_link_to_it(root: Client) -> None:
    assert f'href="{PAGE}"' in root.get("/admin/resolver/job/").content.decode()


@pytest.mark.parametrize("action", ["", "{pk}/end/", "{pk}/delete/"])
def test_who_is_not_staff_is_sent_to_the_login(job: Job, visitor: Client, action: str) -> None:
    visitor.force_login(User.objects.create_user("ada"))
    address = PAGE + action.format(pk=job.pk)
    for answer in (visitor.get(address), visitor.post(address)):
        assert (answer.status_code, answer["Location"].split("?")[0]) == (302, "/admin/login/")
    job.refresh_from_db()
    assert job.state == State.QUEUED


@pytest.mark.parametrize("action", ["", "{pk}/end/", "{pk}/delete/"])
def test_staff_without_the_permission_are_refused(job: Job, visitor: Client, action: str) -> None:
    visitor.force_login(User.objects.create_user("clerk", is_staff=True))
    assert visitor.post(PAGE + action.format(pk=job.pk)).status_code == 403
    job.refresh_from_db()
    assert job.state == State.QUEUED


def test_a_list_is_ended_after_a_question_and_it_is_logged(root: Client, job: Job) -> None:
    root.get(f"{PAGE}{job.pk}/end/")
    job.refresh_from_db()
    assert job.state == State.QUEUED
    for _ in range(2):  # the second finds it ended, and logs nothing
        root.post(f"{PAGE}{job.pk}/end/")
    job.refresh_from_db()
    assert job.state == State.CANCELLED
    entry = LogEntry.objects.get()
    assert (entry.user.username, entry.action_flag, entry.object_id) == ("root", CHANGE, str(job.pk))


@pytest.mark.django_db(transaction=True)
def test_a_list_is_deleted_with_its_file_after_a_question_and_it_is_logged(root: Client, job: Job) -> None:
    file = Path(settings.DOIPORTAL_DATA_DIR) / "uploads" / job.upload
    assert file.exists()
    root.get(f"{PAGE}{job.pk}/delete/")
    assert Job.objects.exists()
    root.post(f"{PAGE}{job.pk}/delete/")
    assert not Job.objects.exists()
    assert not file.exists()
    entry = LogEntry.objects.get()
    assert (entry.user.username, entry.action_flag, entry.object_id) == ("root", DELETION, str(job.pk))


def test_a_list_is_stuck_that_no_worker_has_worked_on(job: Job) -> None:
    soon, later = job.created_at + WORKED_ON / 2, job.created_at + WORKED_ON + timedelta(seconds=1)
    assert not find_stuck_lists(soon).exists()
    assert find_stuck_lists(later).get() == job
    Job.objects.update(heartbeat_at=later)
    assert not find_stuck_lists(later).exists()


def test_an_ended_list_is_not_stuck(job: Job) -> None:
    Job.objects.update(state=State.FINISHED)
    assert not find_stuck_lists(job.created_at + 2 * WORKED_ON).exists()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("by_action", [False, True])
def test_the_admin_deletes_a_list_with_its_file_and_looks_at_none_of_its_rows(
    root: Client, upload: Look, by_action: bool
) -> None:
    upload("DOI\n" + "10.1000/182\n" * 1000)
    job = run(Job.objects.get())
    file = Path(settings.DOIPORTAL_DATA_DIR) / "uploads" / job.upload
    address = "/admin/resolver/job/" if by_action else f"/admin/resolver/job/{job.pk}/delete/"
    form = {"action": "delete_selected", "_selected_action": str(job.pk)} if by_action else {}
    asked = root.post(address, form) if by_action else root.get(address)
    assert "list.csv" in text_of(asked)
    assert "10.1000/182" not in text_of(asked)
    assert len(asked.content) < 30_000, "it doesn't name each row"
    assert root.post(address, form | {"post": "yes"}).status_code == 302
    assert not Job.objects.exists()
    assert not Row.objects.exists()
    assert not file.exists()
    assert LogEntry.objects.get().action_flag == DELETION


def test_staff_who_may_not_delete_lists_cannot_do_so_by_an_action(job: Job, visitor: Client) -> None:
    clerk = User.objects.create_user("clerk", is_staff=True)
    clerk.user_permissions.set(_permissions("view_job", "change_job"))
    visitor.force_login(clerk)
    form = {"action": "delete_selected", "_selected_action": str(job.pk), "post": "yes"}
    visitor.post("/admin/resolver/job/", form)
    assert visitor.post(f"/admin/resolver/job/{job.pk}/delete/", {"post": "yes"}).status_code == 403
    assert Job.objects.exists()


@pytest.mark.parametrize("by_action", [False, True])
def test_the_log_of_the_admin_holds_no_text_of_a_lookup_or_a_list_that_was_deleted(
    root: Client, look: Look, job: Job, by_action: bool
) -> None:
    look("10.5555/private-1")
    root.post(f"{PAGE}{job.pk}/end/")
    root.post(f"/admin/resolver/job/{job.pk}/change/", {"filename": "private-2.csv"})
    for kind, pk in (("lookup", Lookup.objects.get().pk), ("job", job.pk)):
        form = {"action": "delete_selected", "_selected_action": str(pk)} if by_action else {}
        address = f"/admin/resolver/{kind}/" if by_action else f"/admin/resolver/{kind}/{pk}/delete/"
        assert root.post(address, form | {"post": "yes"}).status_code == 302
    assert not Lookup.objects.exists()
    assert not Job.objects.exists()
    entries = list(LogEntry.objects.values_list("object_repr", "object_id", "change_message"))
    assert len(entries) >= 3
    assert not [entry for entry in entries if entry[0] != entry[1] or "private" in str(entry) or "csv" in str(entry)]
