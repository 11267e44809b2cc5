"""What is of no use any more is removed, and nothing else."""

import os
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import redis
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.db import connection, transaction
from django.test import Client, RequestFactory
from django.utils import timezone

from resolver import conf
from resolver.domain.handle.answers import MissingHandle, Resolution, WhichRaAnswer
from resolver.domain.work.metadata import WorkMetadata
from resolver.models import Draft, Job, Lookup, PasswordWindow, StoredAnswer
from resolver.services.accounts.owners import SHELL, get_user_owner
from resolver.services.doi_limits.doi_limit import count_dois, name_address
from resolver.services.jobs import lifecycle
from resolver.services.logins.attempts import begin_attempt
from resolver.services.maintenance.cleanup import prune_all, prune_answers
from resolver.services.proxy_answers import cache
from resolver.services.proxy_answers.configured_proxy import DoiProxy
from resolver.services.storage import batched_removal
from tests.services.conftest import NOW, make_job, run
from tests.stored_list import remove_deleted_lists

pytestmark = pytest.mark.django_db(transaction=True)

YESTERDAY = NOW - timedelta(hours=25)
PROXY = "https://doi.example"


@pytest.fixture(autouse=True)
def incoming(settings: Any, tmp_path: Path) -> Path:
    settings.FILE_UPLOAD_TEMP_DIR = tmp_path / "incoming"
    settings.FILE_UPLOAD_TEMP_DIR.mkdir()
    return settings.FILE_UPLOAD_TEMP_DIR


def stored() -> list[str]:
    return sorted(StoredAnswer.objects.values_list("name", flat=True))


def keep(name: str, **at: Any) -> None:
    if "record" in at:
        cache.store_answers({name: Resolution(MissingHandle())}, {}, proxy=PROXY, now=at["record"])
    if "agency" in at:
        cache.store_answers({}, {name: WhichRaAnswer(name, ra="Crossref")}, proxy=PROXY, now=at["agency"])
    if "metadata" in at:
        cache.store_metadata({name: WorkMetadata(title="T", titles=("T",))}, proxy=PROXY, now=at["metadata"])


@pytest.mark.clause("P13")
def test_answers_of_which_nothing_is_fresh_are_removed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batched_removal, "ITEMS_PER_TRANSACTION", 2)
    keep("10.1/old-record", record=YESTERDAY)
    keep("10.1/old-agency", agency=YESTERDAY)
    keep("10.1/both-old", record=YESTERDAY, agency=YESTERDAY)
    keep("10.1/asked-again", record=YESTERDAY)
    keep("10.1/asked-again", record=NOW)
    keep("10.1/agency-fresh", record=YESTERDAY, agency=NOW)
    keep("10.1/record-fresh", record=NOW)
    keep("10.1/metadata-fresh", record=YESTERDAY, metadata=NOW)
    keep("10.1/all-old", record=YESTERDAY, agency=YESTERDAY, metadata=NOW - timedelta(days=31))
    keep("10.1/metadata-kept", metadata=NOW - timedelta(days=29))
    keep("10.1/late", record=YESTERDAY)
    assert prune_answers(NOW) == 5
    kept = "agency-fresh asked-again metadata-fresh metadata-kept record-fresh"
    assert stored() == [f"10.1/{name}" for name in kept.split()]
    assert prune_answers(NOW) == 0


@pytest.mark.parametrize("at_once", [1, 3, 2000])
def test_of_more_answers_than_may_be_stored_the_oldest_are_removed(
    at_once: int, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.MAX_STORED_ANSWERS = 3
    for hours, name in enumerate(["10.1/e", "10.1/d", "10.1/c", "10.1/b", "10.1/a"]):
        keep(name, record=NOW - timedelta(hours=hours))
    keep("10.1/b", agency=NOW)  # asked for again, in part
    keep("10.1/a", metadata=NOW)
    keep("10.1/old", record=YESTERDAY)
    monkeypatch.setattr(batched_removal, "ITEMS_PER_TRANSACTION", at_once)
    assert prune_answers(NOW) == 3
    assert stored() == ["10.1/a", "10.1/b", "10.1/e"]
    assert prune_answers(NOW) == 0


def test_of_answers_of_one_moment_no_more_are_removed_than_need_be(settings: Any) -> None:
    settings.MAX_STORED_ANSWERS = 4
    for number in range(6):
        keep(f"10.1/{number}", record=NOW)
    assert prune_answers(NOW) == 2
    assert len(stored()) == 4


if connection.vendor == "postgresql":  # SQLite has one writer at a time

    def test_nor_are_more_removed_however_the_database_joins_what_it_removes(settings: Any) -> None:
        settings.MAX_STORED_ANSWERS = 4
        for number in range(6):
            keep(f"10.1/{number}", record=NOW)
        with transaction.atomic(), connection.cursor() as cursor:
            for way in ("hashjoin", "mergejoin", "hashagg", "sort", "material", "memoize"):
                cursor.execute(f"SET LOCAL enable_{way} = off")
            assert prune_answers(NOW) == 2
        assert len(stored()) == 4

    def test_an_answer_that_is_being_written_is_not_waited_for() -> None:
        keep("10.1/a", record=YESTERDAY)
        keep("10.1/b", record=YESTERDAY)

        def elsewhere() -> int:
            try:
                with connection.cursor() as cursor:
                    cursor.execute("SET lock_timeout = '2s'")
                return prune_answers(NOW)
            finally:
                connection.close()

        with ThreadPoolExecutor(1) as other, transaction.atomic():
            keep("10.1/a", record=NOW)
            assert other.submit(elsewhere).result(20) == 1
        assert stored() == ["10.1/a"]


def aged(path: Path, days: float) -> Path:
    then = (NOW - timedelta(days=days)).timestamp()
    for one in (*(path.iterdir() if path.is_dir() else ()), path):
        os.utime(one, (then, then))
    return path


def upload_folder(name: str) -> Path:
    folder = conf.uploads_dir() / name
    folder.mkdir()
    (folder / "upload").write_text("10.5555/a\n")
    return folder


def test_uploads_without_a_job_go_after_a_day_and_those_of_a_job_stay(proxy: DoiProxy, incoming: Path) -> None:
    job = make_job("10.5555/a\n10.5555/b\n", proxy, owner="session:of-somebody")
    orphan, fresh = aged(upload_folder("orphan"), 2), aged(upload_folder("fresh"), 0.5)
    owned = aged(conf.uploads_dir() / job.upload, 400)
    prune_all(NOW)
    assert not orphan.exists()
    assert fresh.exists()
    assert owned.exists()


def test_an_upload_that_is_still_written_to_stays(incoming: Path) -> None:
    folder = aged(upload_folder("long"), 2)
    now = NOW.timestamp()
    os.utime(folder / "upload", (now, now))
    prune_all(NOW)
    assert folder.exists()


def test_what_came_in_and_was_never_taken_goes_after_a_day(incoming: Path) -> None:
    for name, days in (("cut-off.upload", 1.5), ("coming.upload", 0.1)):
        (incoming / name).write_bytes(b"10.5555/")
        aged(incoming / name, days)
    prune_all(NOW)
    assert [path.name for path in incoming.iterdir()] == ["coming.upload"]


def test_a_folder_in_there_is_left_and_stops_nothing(incoming: Path) -> None:
    for name in "abc":
        (incoming / name).mkdir() if name == "b" else (incoming / name).touch()
        aged(incoming / name, 2)
    prune_all(NOW)
    assert [path.name for path in incoming.iterdir()] == ["b"]


def test_half_a_message_goes_after_a_day_and_whole_ones_stay(incoming: Path, settings: Any, tmp_path: Path) -> None:
    folder = tmp_path / "messages"
    folder.mkdir()
    settings.CELERY_BROKER_TRANSPORT_OPTIONS = {"data_folder_out": str(folder)}
    for name, days in (("1.celery.half", 1.5), ("2.celery.msg", 1.5), ("3.celery.half", 0.5)):
        (folder / name).touch()
        aged(folder / name, days)
    prune_all(NOW)
    assert sorted(path.name for path in folder.iterdir()) == ["2.celery.msg", "3.celery.half"]


def test_a_file_that_may_not_be_removed_keeps_nothing_else_from_going(
    client: Client, incoming: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path, **_: Any) -> None:
        raise PermissionError(13, "Permission denied", str(path))

    client.post("/lookups", {"text": "10.1000/182"})
    left = incoming / "left"
    left.touch()
    aged(left, 400)
    monkeypatch.setattr(Path, "unlink", refuse)
    prune_all(timezone.now() + timedelta(days=366))
    assert (left.exists(), Session.objects.count()) == (True, 0)


def test_sessions_that_are_over_go(client: Client) -> None:
    client.post("/lookups", {"text": "10.1000/182"})
    assert Session.objects.count() == 1
    prune_all(timezone.now() + timedelta(days=364))
    assert Session.objects.count() == 1
    prune_all(timezone.now() + timedelta(days=366))
    assert Session.objects.count() == 0


def test_no_address_of_a_caller_stays_in_a_file(settings: Any, tmp_path: Path) -> None:
    settings.DOIPORTAL_DATA_DIR, settings.REDIS_URL = tmp_path, ""
    request = RequestFactory().get("/", REMOTE_ADDR="192.0.2.77")
    caller = name_address(request)
    count_dois(caller, 1)
    with closing(sqlite3.connect(tmp_path / "dois.sqlite3")) as connection:
        assert connection.execute("SELECT caller FROM counted").fetchone() == (caller,)
        connection.execute("UPDATE counted SET second = second - 61")
        connection.commit()
    assert not [path for path in tmp_path.iterdir() if path.is_file() and b"192.0.2.77" in path.read_bytes()]
    prune_all(NOW)
    with closing(sqlite3.connect(tmp_path / "dois.sqlite3")) as connection:
        assert connection.execute("SELECT count(*) FROM counted").fetchone() == (0,)


def test_attempts_at_passwords_keep_no_name_and_no_address_and_go_when_they_no_longer_count() -> None:
    begin_attempt("librarian", "192.0.2.77")
    kept = str(list(PasswordWindow.objects.values()))
    assert "192.0.2.77" not in kept
    assert "librarian" not in kept
    PasswordWindow.objects.update(last_at=NOW - timedelta(minutes=15))
    prune_all(NOW)
    assert not PasswordWindow.objects.exists()


def test_what_a_request_stored_for_an_account_while_it_was_deleted_goes_and_nothing_of_others(proxy: DoiProxy) -> None:
    ada, eve = User.objects.create_user("ada"), User.objects.create_user("eve")
    kept = [get_user_owner(eve), "session:of-somebody", SHELL]
    late = get_user_owner(ada)
    ada.delete()
    for owner in (*kept, late):
        make_job("DOI\n10.1000/182\n", proxy=proxy, owner=owner)
        Lookup.objects.create(owner=owner, input="10.1000/182", created_at=NOW)
        Draft.objects.create(owner=owner, filename="a.csv", upload="none", created_at=NOW)
    prune_all(NOW)
    remove_deleted_lists()
    for model in (Job, Lookup, Draft):
        assert set(model.objects.values_list("owner", flat=True)) == set(kept)


def test_no_address_of_a_caller_stays_in_redis(settings: Any, redis_url: str) -> None:
    settings.REDIS_URL = redis_url
    store = redis.Redis.from_url(redis_url)
    store.flushdb()
    count_dois(name_address(RequestFactory().get("/", REMOTE_ADDR="192.0.2.77")), 1)
    [key] = store.scan_iter("*")
    assert 0 < store.ttl(key) <= 61  # type: ignore[operator]
    assert "192.0.2.77" not in str((key, store.dump(key)))


def test_without_a_broker_of_files_there_are_no_messages_to_remove(incoming: Path, settings: Any) -> None:
    settings.CELERY_BROKER_TRANSPORT_OPTIONS = {"visibility_timeout": 3600}
    prune_all(NOW)


def test_jobs_that_a_killed_command_left_go_with_their_files_after_a_day(proxy: DoiProxy) -> None:
    for owner, hours in ((SHELL, 25), (SHELL, 1), ("session:1", 9000)):
        job = run(make_job("10.5555/a\n10.5555/b\n", proxy, owner=owner), proxy)
        Job.objects.filter(pk=job.pk).update(heartbeat_at=NOW - timedelta(hours=hours), filename=f"{owner} {hours}")
    prune_all(NOW)
    left = list(Job.objects.order_by("filename"))
    assert [job.filename for job in left] == ["session:1 9000", "shell 1"]
    assert {path.name for path in conf.uploads_dir().iterdir()} == {job.upload for job in left}


def test_a_deleted_job_leaves_no_file_even_before(proxy: DoiProxy) -> None:
    lifecycle.delete_job(make_job("10.5555/a\n10.5555/b\n", proxy))
    assert list(conf.uploads_dir().iterdir()) == []
