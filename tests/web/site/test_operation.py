"""The operator's page in the admin: what it shows, whom it admits, and its actions."""

import re
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.contrib.admin.models import CHANGE, DELETION, LogEntry
from django.contrib.auth.models import Permission, User
from django.contrib.contenttypes.models import ContentType
from django.db import connection
from django.test import Client
from django.utils import timezone
from django.utils.formats import date_format

from doiportal.celery import app
from doiportal.version import VERSION
from resolver import conf
from resolver.models import Chunk, Job, Lookup, Row, State, WaitingMessage
from resolver.proxy.file_downloads import NoDownload
from resolver.proxy.limits.proxy_health import ProxySignal, ProxySignalKind
from resolver.services.accounts.owners import get_user_owner
from resolver.services.health.heartbeats import record_heartbeat
from resolver.services.health.storage_sizes import FilesUse, measure_files
from resolver.services.jobs import import_rows, lifecycle
from resolver.services.jobs.chunk_claims import TO_BE_EMPTIED, claim_chunk
from resolver.services.jobs.lifecycle import OUTLIVED, WORKED_ON
from resolver.services.maintenance.operation import find_stuck_lists
from resolver.services.proxy_answers.configured_proxy import proxy_from_settings
from resolver.services.retractions.load import load_retractions
from resolver.services.turns import scheduler
from resolver.services.turns.turn_order import get_turn_owner
from tests.retraction_list import SAMPLE
from tests.stored_list import remove_deleted_lists
from tests.web.conftest import Look, html_of, run, text_of

PAGE = "/admin/resolver/job/operation/"


@pytest.fixture
def root() -> Client:
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


def _serve(job: Job) -> str:
    """Let a worker that is well serve the owner as long as it finds work. Return the state of the list."""
    scheduler.run_turn(get_turn_owner(job), proxy_from_settings(), send=lambda message: None)
    job.refresh_from_db()
    return job.state


def _take_messages() -> list[str]:
    """Take all messages out of the queue. Return the names of their tasks."""
    names = []
    with app.connection_for_read() as connection, connection.SimpleQueue("celery") as queue, suppress(queue.Empty):
        while True:
            message = queue.get_nowait()
            message.ack()
            names.append(message.headers["task"])
    return names


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


@pytest.mark.parametrize("action", ["", "{pk}/end/", "{pk}/delete/", "{pk}/requeue/", "prune/"])
def test_who_is_not_staff_is_sent_to_the_login(job: Job, visitor: Client, action: str) -> None:
    visitor.force_login(User.objects.create_user("ada"))
    address = PAGE + action.format(pk=job.pk)
    for answer in (visitor.get(address), visitor.post(address)):
        assert (answer.status_code, answer["Location"].split("?")[0]) == (302, "/admin/login/")
    job.refresh_from_db()
    assert job.state == State.QUEUED


@pytest.mark.parametrize("action", ["", "{pk}/end/", "{pk}/delete/", "{pk}/requeue/", "prune/"])
def test_staff_without_the_permission_are_refused(job: Job, visitor: Client, action: str) -> None:
    visitor.force_login(User.objects.create_user("clerk", is_staff=True))
    assert visitor.post(PAGE + action.format(pk=job.pk)).status_code == 403
    job.refresh_from_db()
    assert job.state == State.QUEUED


def test_it_shows_when_the_proxy_last_answered_and_what_the_data_takes(root: Client, job: Job) -> None:
    assert text_of(root.get(PAGE)).count("none in the last hour") == 2
    proxy_from_settings().budget.record_signal(ProxySignal(ProxySignalKind.GOOD))
    shown = text_of(root.get(PAGE))
    assert f"Last usable answer: {date_format(timezone.localtime())}" in shown
    assert shown.count("none in the last hour") == 1
    assert re.search(r"Database: [\d.]+ [KM]B", shown)
    assert f"Uploaded files: 1, {len('DOI 10.1000/182 ')} bytes" in shown
    assert f"doiportal {VERSION}" in shown


@pytest.mark.parametrize(
    ("signal", "told"),
    [
        (ProxySignal(ProxySignalKind.LIMITED, status=429), "HTTP 429"),
        (ProxySignal(ProxySignalKind.REFUSED, status=403, reason="HTTP 403, a web page"), "HTTP 403"),
        (ProxySignal(ProxySignalKind.FAILED, status=502), "HTTP 502"),
        (ProxySignal(ProxySignalKind.SILENT), "no answer"),
    ],
)
def test_it_shows_what_the_proxy_answered_last_that_was_of_no_use(root: Client, signal: ProxySignal, told: str) -> None:
    proxy_from_settings().budget.record_signal(signal)
    shown = text_of(root.get(PAGE))
    assert f"Last request without a usable answer: {date_format(timezone.localtime())}" in shown
    assert re.search(rf"Last request without a usable answer: [^:]+:[^:]+, {told} ", shown), shown


def test_of_very_many_files_only_some_are_measured(settings: Any, tmp_path: Path) -> None:
    settings.DOIPORTAL_DATA_DIR = tmp_path
    for number in range(4):
        folder = conf.uploads_dir() / f"{number}"
        folder.mkdir()
        (folder / "upload").write_bytes(b"12345")
    assert measure_files(most=4) == FilesUse(4, 20, complete=True)
    assert measure_files(most=3) == FilesUse(3, 15, complete=False)


@pytest.mark.django_db(transaction=True)
def test_a_list_that_a_hanging_worker_holds_is_put_back_and_another_finishes_it(root: Client, job: Job) -> None:
    scheduler.request_turn(get_turn_owner(job), timezone.now(), lambda message: None)  # a message that the broker lost
    (chunk_id,) = import_rows.read_into_rows(job.pk)
    held = claim_chunk(Chunk.objects.filter(pk=chunk_id), timezone.now())
    assert held is not None
    assert _serve(job) == State.CHECKING

    root.get(f"{PAGE}{job.pk}/requeue/")
    assert _serve(job) == State.CHECKING, "a question alone changes nothing"
    lost = WaitingMessage.objects.get().token
    root.post(f"{PAGE}{job.pk}/requeue/")
    assert WaitingMessage.objects.get().token != lost
    assert not held.lease.renew(timezone.now()), "the worker that hangs holds it no more"
    assert _serve(job) == State.FINISHED
    entry = LogEntry.objects.get()
    assert (entry.user.username, entry.action_flag, entry.object_id) == ("root", CHANGE, str(job.pk))


@pytest.mark.django_db(transaction=True)
def test_a_list_whose_reader_hangs_is_put_back(root: Client, job: Job) -> None:
    assert import_rows.READER.take(Job.objects.filter(pk=job.pk), timezone.now()) is not None
    assert _serve(job) == State.QUEUED
    root.post(f"{PAGE}{job.pk}/requeue/")
    assert _serve(job) == State.FINISHED


def test_an_ended_list_is_not_put_back(root: Client, job: Job) -> None:
    lifecycle.cancel_job(job, now=timezone.now())
    waiting = list(WaitingMessage.objects.values_list("token"))
    answer = root.post(f"{PAGE}{job.pk}/requeue/", follow=True)
    assert "The list had already ended." in text_of(answer)
    assert not LogEntry.objects.exists()
    assert list(WaitingMessage.objects.values_list("token")) == waiting


def test_a_chunk_that_is_to_be_emptied_stays_so_when_its_list_is_put_back(job: Job) -> None:
    (chunk_id,) = import_rows.read_into_rows(job.pk)
    Chunk.objects.update(claim=TO_BE_EMPTIED)
    assert scheduler.put_back_list(job)
    assert Chunk.objects.get(pk=chunk_id).claim == TO_BE_EMPTIED


def test_what_is_too_old_is_removed_on_request(root: Client) -> None:
    _take_messages()
    assert root.get(f"{PAGE}prune/").status_code == 405
    assert _take_messages() == []
    assert "A worker removes what is too old." in text_of(root.post(f"{PAGE}prune/", follow=True))
    assert _take_messages() == ["resolver.tasks.prune"]


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
    assert root.get(f"{PAGE}{job.pk}/delete/").status_code == 404
    remove_deleted_lists()
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
    depths: list[int] = []

    def look(execute: Any, sql: str, *rest: Any) -> Any:
        if sql.startswith('DELETE FROM "resolver_row"'):
            depths.append(len(connection.atomic_blocks))
        return execute(sql, *rest)

    with connection.execute_wrapper(look):
        assert root.post(address, form | {"post": "yes"}).status_code == 302
    assert depths == [], "the page removes no rows"
    remove_deleted_lists()
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


@pytest.mark.django_db(transaction=True)
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
    assert not Job.objects.exclude(owner=OUTLIVED).exists()
    entries = list(LogEntry.objects.values_list("object_repr", "object_id", "change_message"))
    assert len(entries) >= 3
    assert not [entry for entry in entries if entry[0] != entry[1] or "private" in str(entry) or "csv" in str(entry)]


@pytest.mark.parametrize("kind", ["lookup", "job"])
def test_the_admin_makes_no_lookup_and_no_list(root: Client, kind: str) -> None:
    assert root.get(f"/admin/resolver/{kind}/add/").status_code == 403
    assert f"/admin/resolver/{kind}/add/" not in html_of(root.get("/admin/"))


def test_the_front_page_of_the_admin_leads_to_the_operation_page(root: Client) -> None:
    page = html_of(root.get("/admin/"))
    assert f'href="{PAGE}"' in page
    assert "API tokens" in page


def test_lists_in_the_admin_name_their_accounts_and_stay_what_is_looked_at(root: Client, job: Job) -> None:
    page = "/admin/resolver/job/"
    assert job.owner in text_of(root.get(page))
    Job.objects.update(owner=get_user_owner(User.objects.create_user("ada")))
    said = text_of(root.get(page))
    assert "ada" in said
    assert "user:" not in said
    assert "<h1>Jobs</h1>" in html_of(root.get(page))


def test_it_shows_the_list_of_retractions_and_the_last_refusal(root: Client) -> None:
    assert "No list is loaded" in text_of(root.get(PAGE))
    load = load_retractions(str(SAMPLE), now=timezone.now())
    shown = text_of(root.get(PAGE))
    assert "Rows: 20 (events with a DOI: 18)" in shown
    assert load.sha256 in shown
    assert "refused" not in shown
    with pytest.raises(NoDownload):
        load_retractions("https://127.0.0.1/", now=timezone.now())
    assert "The address of the list can’t be used" in text_of(root.get(PAGE))
