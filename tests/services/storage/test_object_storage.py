"""Uploads in object storage: stored, read through local copies, listed, removed; and what happens when it is away."""

import os
import shutil
import stat
import time
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.test import Client
from django.utils import timezone

from resolver import conf
from resolver.models import State, WorkerHeartbeat
from resolver.services.health import shared_files
from resolver.services.health.heartbeats import record_heartbeat
from resolver.services.jobs import incidents, retry
from resolver.services.maintenance import cleanup
from resolver.services.proxy_answers.configured_proxy import DoiProxy
from resolver.services.storage import files, local_copies
from resolver.services.storage.storage_errors import FilesUnreachable
from resolver.services.uploads import stored_uploads
from resolver.sheets.errors import UnreadableFile
from resolver.sheets.input.layout_choices import NOTHING_CHOSEN
from resolver.sheets.input.preview import detect_layout_bounded
from tests.s3_server import BUCKET, S3Server
from tests.services.conftest import Queue, make_job, work_off
from tests.sheets.binary_workbook.made import Sheet, xlsb

pytestmark = pytest.mark.django_db

# Two cells as far apart as can be: whoever makes a table of it has no memory for that.
HOSTILE = xlsb(Sheet("One", [["10.1000/1"], *[[]] * 1_048_574, [*[""] * 16_383, "x"]]))
TEXT = "doi\n10.5555/12345678\n10.1000/182\n"


def forget_copies() -> None:
    """Be another machine, which has no copies."""
    for path in conf.copies_dir().iterdir():
        shutil.rmtree(path)


def list_copies() -> list[str]:
    return sorted(path.name for path in conf.copies_dir().iterdir())


def leave_alone(name: str, seconds: float) -> None:
    """Let the copy be last wanted so many seconds ago."""
    folder = conf.copies_dir() / name
    for path in (*folder.rglob("*"), folder):
        os.utime(path, (0, time.time() - seconds), follow_symlinks=False)


@pytest.mark.parametrize("content", [b"", b"10.1000/182", b"x" * 20_000_000], ids=["empty", "short", "in parts"])
def test_an_upload_comes_back_byte_for_byte_on_a_machine_without_a_copy(bucket: S3Server, content: bytes) -> None:
    stored_uploads.write_upload(ContentFile(content), "one")
    assert bucket.list_keys() == ["portal/one/upload"]
    forget_copies()
    assert stored_uploads.get_upload_path("one").read_bytes() == content
    assert list_copies() == ["one"]
    assert stat.S_IMODE((conf.copies_dir() / "one/upload").stat().st_mode) == 0o600


def test_a_refused_upload_leaves_nothing(bucket: S3Server, settings: Any) -> None:
    settings.MAX_UPLOAD_BYTES = 10
    with pytest.raises(stored_uploads.UploadTooLarge):
        stored_uploads.write_upload(ContentFile(b"x" * 11), "one")
    assert (bucket.list_keys(), list_copies()) == ([], [])


def test_a_list_is_checked_and_its_deletion_takes_object_and_copy(
    bucket: S3Server, proxy: DoiProxy, django_capture_on_commit_callbacks: Any
) -> None:
    from resolver.services.jobs.lifecycle import delete_job

    job = make_job(TEXT, proxy)
    forget_copies()
    job = work_off(job, proxy)
    assert (job.state, job.done) == (State.FINISHED, 2)
    with django_capture_on_commit_callbacks(execute=True):
        delete_job(job)
    assert (bucket.list_keys(), list_copies()) == ([], [])


def test_copies_go_an_hour_after_they_were_last_wanted(bucket: S3Server) -> None:
    for name in ("old", "new"):
        stored_uploads.write_upload(ContentFile(b"x"), name)
    leave_alone("old", local_copies.KEPT_SECONDS + 1)
    local_copies.prune_copies()
    assert list_copies() == ["new"]


def test_the_copies_of_a_machine_are_bounded_and_the_oldest_make_room(bucket: S3Server, settings: Any) -> None:
    settings.MAX_UPLOAD_BYTES = 100
    forget_copies()  # of other tests, in the same data folder
    for number in range(local_copies.ROOM_IN_UPLOADS + 3):
        stored_uploads.write_upload(ContentFile(b"x" * 100), f"{number:02}")
        leave_alone(f"{number:02}", 1000 - number)
    assert list_copies() == [f"{number:02}" for number in range(3, local_copies.ROOM_IN_UPLOADS + 3)]


def test_what_was_made_of_a_file_counts_with_its_copy(bucket: S3Server, settings: Any) -> None:
    settings.MAX_UPLOAD_BYTES = 100
    forget_copies()
    stored_uploads.write_upload(ContentFile(b"x"), "workbook")
    (conf.copies_dir() / "workbook/upload.rows").write_bytes(b"x" * 100 * local_copies.ROOM_IN_UPLOADS)
    leave_alone("workbook", 1000)
    stored_uploads.write_upload(ContentFile(b"x"), "another")
    assert list_copies() == ["another"]


def test_what_an_ended_reader_left_goes_with_the_copy_and_ends_no_heartbeats(bucket: S3Server) -> None:
    forget_copies()
    stored_uploads.write_upload(ContentFile(HOSTILE), "hostile")
    with pytest.raises(UnreadableFile):
        detect_layout_bounded(stored_uploads.get_upload_path("hostile"), None, NOTHING_CHOSEN)
    assert len(list((conf.copies_dir() / "hostile").iterdir())) == 2, "the kernel ended it in the middle"
    leave_alone("hostile", local_copies.KEPT_SECONDS + 1)
    record_heartbeat("celery@one", timezone.now())
    assert WorkerHeartbeat.objects.filter(name="celery@one").exists()
    assert list_copies() == []


def test_a_refused_workbook_leaves_nothing_beside_its_copy(bucket: S3Server, client: Client, settings: Any) -> None:
    settings.DOIPORTAL_OPEN = True
    forget_copies()
    answer = client.post("/api/v1/jobs", {"file": ContentFile(HOSTILE, "list.xlsb")})
    assert answer.status_code == 400
    assert (bucket.list_keys(), list_copies()) == ([], [])


def test_copies_that_cannot_be_removed_do_not_end_heartbeats(settings: Any, tmp_path: Path) -> None:
    settings.DOIPORTAL_DATA_DIR = tmp_path
    (tmp_path / "copies").write_text("no folder")
    record_heartbeat("celery@one", timezone.now())
    assert WorkerHeartbeat.objects.filter(name="celery@one").exists()


def test_the_cleanup_removes_objects_without_a_list_and_no_others(bucket: S3Server, proxy: DoiProxy) -> None:
    job = make_job(TEXT, proxy)
    stored_uploads.write_upload(ContentFile(b"x"), "left-behind")
    files.make_mark()
    cleanup.prune_files(timezone.now() + timedelta(hours=23))
    assert len(bucket.list_keys()) == 3
    cleanup.prune_files(timezone.now() + timedelta(hours=25))
    assert set(bucket.list_keys()) == {f"portal/{job.upload}/upload", "portal/mark"}


def test_the_cleanup_looks_at_each_of_many_objects_once(bucket: S3Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "FILES_PER_PAGE", 2)
    names = {f"{number:x}-name" for number in range(16)}
    for name in names:
        stored_uploads.write_upload(ContentFile(b"x"), name)
    found = list(files.iterate_untouched(timezone.now() + timedelta(hours=1)))
    assert sorted(found) == sorted(names)


@pytest.mark.usefixtures("away")
def test_while_object_storage_is_away_an_upload_is_refused_for_now(client: Client, settings: Any) -> None:
    settings.DOIPORTAL_OPEN = True
    client.raise_request_exception = False
    answer = client.post("/api/v1/jobs", {"file": ContentFile(TEXT.encode(), "list.csv")})
    assert (answer.status_code, answer.json()["type"].rpartition("/")[2]) == (503, "service-away")
    assert int(answer.headers["Retry-After"]) > 0
    page = client.post("/jobs/new", {"file": ContentFile(TEXT.encode(), "list.csv")})
    assert page.status_code == 503
    assert "file storage" in page.content.decode()
    assert not any(settings.FILE_UPLOAD_TEMP_DIR.glob("*-*"))


def test_a_missing_bucket_is_no_missing_file(use_files: Any, s3_server: S3Server) -> None:
    use_files(s3_server.files_url.replace(BUCKET, "another"))
    with pytest.raises(FilesUnreachable):
        stored_uploads.get_upload_path("one")
    with pytest.raises(FilesUnreachable):
        stored_uploads.is_stored("one")


def test_a_refused_key_is_told_by_its_code_and_without_an_address(away: None) -> None:
    with pytest.raises(FilesUnreachable) as raised:
        files.read_mark()
    assert str(raised.value) == "EndpointConnectionError"


def test_a_list_waits_while_object_storage_is_away_and_ends_when_it_is_back(
    bucket: S3Server, proxy: DoiProxy, use_files: Any, caplog: Any
) -> None:
    from resolver.services.turns import scheduler

    job = make_job(TEXT, proxy)
    forget_copies()
    use_files("s3://key:secret@doiportal-files/portal?endpoint=http://127.0.0.1:9&region=us-east-1")
    record_heartbeat("celery@one", timezone.now())
    queue = Queue(proxy)
    for _ in range(3):
        queue.take_turn()
    job.refresh_from_db()
    assert (job.state, job.error, job.reader) == (State.READING, "", "")
    assert [record.message for record in caplog.records if "can't be reached from this worker" in record.message]
    assert len(caplog.records) < 10, "it doesn't try again at once"
    assert incidents.find_incidents(job, now=timezone.now()).file_is_away
    use_files(bucket.files_url)
    scheduler.leave_files_to_others(0)
    job = work_off(job, proxy)
    assert (job.state, job.done) == (State.FINISHED, 2)


def test_a_list_without_its_file_fails_and_a_retry_reads_it_when_the_file_is_back(
    bucket: S3Server, proxy: DoiProxy
) -> None:
    job = make_job(TEXT, proxy)
    key = f"portal/{job.upload}/upload"
    content = bucket.client.get_object(Bucket=BUCKET, Key=key)["Body"].read()
    files.make_mark()
    bucket.client.delete_object(Bucket=BUCKET, Key=key)
    forget_copies()
    job = work_off(job, proxy)
    assert (job.state, job.error) == (State.FAILED, str(stored_uploads.GONE))
    assert retry.count_rows_to_retry(job) == 0
    bucket.client.put_object(Bucket=BUCKET, Key=key, Body=content)
    assert retry.count_rows_to_retry(job) == 2
    retry.retry_job(job, proxy=proxy, now=timezone.now())
    job = work_off(job, proxy)
    assert (job.state, job.done, job.total, job.error) == (State.FINISHED, 2, 2, "")


@pytest.mark.usefixtures("away")
def test_storage_that_is_away_is_seen_by_readiness(client: Client) -> None:
    record_heartbeat("celery@one", timezone.now())
    assert "1 of 1 processes can't reach" in shared_files.find_trouble(timezone.now())
    part = client.get("/readyz").json()["parts"]["files"]
    assert not part["ready"]
