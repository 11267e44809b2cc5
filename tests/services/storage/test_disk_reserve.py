"""While little is free on a disk, nothing new is taken, and programs and people hear why."""

import errno
from pathlib import Path
from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.utils import timezone

from resolver.models import Draft, Job
from resolver.services.proxy_answers.configured_proxy import DoiProxy
from resolver.services.storage.disk_reserve import ensure_room, find_short_disks
from resolver.services.uploads.stored_uploads import write_upload
from tests.services.conftest import make_job, recover, serve

pytestmark = pytest.mark.django_db
WITHOUT_ROOM = Path("/proc")  # a file system that says it has no byte free
LIST = b"doi\n10.1000/182\n"


@pytest.fixture
def _short(settings: Any, tmp_path: Path) -> None:
    settings.DOIPORTAL_DATA_DIR, settings.DISK_RESERVE = tmp_path, 10**18


@pytest.mark.usefixtures("_short")
def test_the_disks_of_the_files_and_of_a_database_in_a_file_count() -> None:
    database = ["the database"] * (connection.vendor == "sqlite")
    assert find_short_disks() == ["the uploaded files", "the data folder", *database]
    with pytest.raises(OSError, match="less than DISK_RESERVE is free") as refused:
        ensure_room()
    assert refused.value.errno == errno.ENOSPC


def test_while_there_is_room_nothing_is_said(settings: Any, tmp_path: Path) -> None:
    settings.DOIPORTAL_DATA_DIR, settings.DISK_RESERVE = tmp_path, 1
    assert find_short_disks() == []


def test_the_disk_of_a_shared_folder_counts_and_so_does_that_of_the_data_folder(
    use_files: Any, settings: Any, tmp_path: Path
) -> None:
    settings.DOIPORTAL_DATA_DIR, settings.DISK_RESERVE = tmp_path, 1
    use_files(f"file://{WITHOUT_ROOM}")
    assert find_short_disks() == ["the uploaded files"]
    assert "the uploaded files" in Client().get("/readyz").json()["parts"]["disk"]["detail"]
    settings.DOIPORTAL_DATA_DIR = WITHOUT_ROOM
    use_files(f"file://{tmp_path}")
    assert find_short_disks() == ["the data folder"]


def test_a_shared_folder_that_is_not_mounted_is_no_full_disk(use_files: Any, settings: Any, tmp_path: Path) -> None:
    settings.DOIPORTAL_DATA_DIR, settings.DISK_RESERVE = tmp_path, 1
    use_files(f"file://{tmp_path}/not-mounted")
    assert find_short_disks() == []


@pytest.mark.usefixtures("_short", "away")
def test_with_object_storage_the_disk_of_the_data_folder_counts(tmp_path: Path) -> None:
    assert find_short_disks()[0] == "the data folder"
    assert not (tmp_path / "uploads").exists()


@pytest.mark.usefixtures("_short")
def test_no_upload_is_written(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="less than DISK_RESERVE is free"):
        write_upload(ContentFile(LIST), "one")
    assert [*tmp_path.glob("uploads/*")] == []


@pytest.mark.usefixtures("_short")
def test_a_program_gets_507_for_a_form_and_for_a_body() -> None:
    client = Client(raise_request_exception=False)
    for sent in (
        client.post("/api/v1/jobs", {"file": SimpleUploadedFile("list.csv", LIST)}),
        client.post("/api/v1/jobs", LIST, content_type="text/csv"),
    ):
        assert (sent.status_code, sent.json()["type"]) == (507, "/problems/storage-full")
    assert not Job.objects.exists()


@pytest.mark.usefixtures("_short")
@pytest.mark.parametrize("sent", [{"file": SimpleUploadedFile("list.csv", LIST)}, {"text": "10.1000/1\n10.1000/2"}])
def test_a_page_says_so_for_a_file_and_for_pasted_lines(sent: dict[str, Any]) -> None:
    answer = Client(raise_request_exception=False).post("/jobs/new", sent)
    assert answer.status_code == 507
    assert b"storage is full or read-only" in answer.content
    assert not Draft.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_lists_that_were_accepted_are_read_once_there_is_room(proxy: DoiProxy, settings: Any) -> None:
    job = make_job(LIST, proxy)
    settings.DISK_RESERVE = 10**18
    serve(job.owner, proxy)
    job.refresh_from_db()
    assert (job.state, job.rows.count()) == ("queued", 0)
    assert recover(timezone.now()) == [], "no message is sent for what can't be done"
    settings.DISK_RESERVE = 1
    serve(job.owner, proxy)
    job.refresh_from_db()
    assert (job.state, job.done) == ("finished", 1)


@pytest.mark.usefixtures("_short")
def test_readiness_names_the_disk_and_its_contents_but_no_path(tmp_path: Path) -> None:
    answer = Client().get("/readyz")
    assert answer.status_code == 503
    detail = answer.json()["parts"]["disk"]["detail"]
    assert detail.startswith("Less than DISK_RESERVE is free on the disk of the uploaded files")
    assert str(tmp_path) not in detail
