"""An address without an account that has uploaded enough for a day: what programs and people hear."""

from contextlib import ExitStack
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from resolver.models import Draft, Job
from resolver.services.uploads.reading_places import PLACES, take_reading_place
from tests.web.conftest import text_of

pytestmark = pytest.mark.django_db
LIST = b"doi\n" + b"10.1000/182\n" * 40  # 484 bytes


@pytest.fixture(autouse=True)
def _limit(settings: Any) -> None:
    settings.BYTES_PER_DAY = 900


def send(client: Client, path: str) -> Any:
    return client.post(path, {"file": SimpleUploadedFile("list.csv", LIST)})


def test_a_program_gets_429_with_the_wait_and_a_new_session_changes_nothing() -> None:
    assert send(Client(), "/api/v1/jobs").status_code == 202
    refused = send(Client(), "/api/v1/jobs")
    assert (refused.status_code, refused.json()["type"]) == (429, "/problems/too-many-bytes")
    assert "900 bytes may be uploaded" in refused.json()["detail"]
    assert 80_000 < int(refused.headers["Retry-After"]) <= 86_400
    assert Job.objects.count() == 1
    assert send(Client(REMOTE_ADDR="192.0.2.7"), "/api/v1/jobs").status_code == 202


@pytest.mark.parametrize("path", ["/jobs/new", "/lookups"])
def test_a_page_says_so_at_the_form_for_files_and_pasted_lists(path: str) -> None:
    assert send(Client(), path).status_code == 302
    pasted = {"text": LIST.decode()}
    for answer in (send(Client(), path), Client().post(path, pasted)):
        assert answer.status_code == 429
        assert 80_000 < int(answer.headers["Retry-After"]) <= 86_400
        assert "900 bytes may be uploaded from your network address in a day, and 416 bytes are left." in text_of(
            answer
        )
    assert Draft.objects.count() == 1


@pytest.mark.parametrize("path", ["/api/v1/jobs", "/jobs/new"])
def test_who_comes_again_as_told_loses_no_bytes(path: str, settings: Any) -> None:
    visitor = Client(raise_request_exception=False)
    with ExitStack() as held:
        for _ in range(PLACES):
            held.enter_context(take_reading_place())
        assert [send(visitor, path).status_code for _ in range(2)] == [503, 503]
    settings.DISK_RESERVE = 10**18
    assert [send(visitor, path).status_code for _ in range(2)] == [507, 507]
    settings.DISK_RESERVE = 1
    assert send(visitor, path).status_code in (202, 302)


def test_a_second_click_counts_nothing(settings: Any) -> None:
    settings.BYTES_PER_DAY = 1500
    visitor = Client()
    job = Job.objects.get(pk=send(visitor, "/api/v1/jobs").json()["id"])
    Job.objects.update(state="finished")
    for _ in range(3):
        answer = visitor.post(f"/jobs/{job.pk}/again", follow=True)
    assert "We’re already checking this list." in text_of(answer)
    assert Job.objects.count() == 2
    assert send(Client(), "/api/v1/jobs").status_code == 202


def test_a_list_that_is_checked_again_counts_again() -> None:
    visitor = Client()
    job = Job.objects.get(pk=send(visitor, "/api/v1/jobs").json()["id"])
    Job.objects.update(state="finished")
    answer = visitor.post(f"/jobs/{job.pk}/again", follow=True)
    assert "may be uploaded from your network address" in text_of(answer)
    assert Job.objects.count() == 1
