"""Where as many files are read as the portal reads at once, an upload is refused at once, and nothing is lost."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from resolver import conf
from resolver.models import Draft, Job
from resolver.services.uploads.reading_places import PLACES, RETRY_SECONDS, take_reading_place

pytestmark = pytest.mark.django_db


@pytest.fixture
def places(tmp_path: Path, settings: object) -> Iterator[ExitStack]:
    """All places are taken until it is closed."""
    settings.DOIPORTAL_DATA_DIR = tmp_path
    with ExitStack() as held:
        for _ in range(PLACES):
            held.enter_context(take_reading_place())
        yield held


def table() -> SimpleUploadedFile:
    return SimpleUploadedFile("list.csv", b"doi\n10.5555/1\n10.5555/2\n")


def left() -> list[str]:
    return [path.name for path in conf.uploads_dir().iterdir()]


def test_a_program_is_told_when_to_come_again(places: ExitStack, client: Client) -> None:
    answer = client.post("/api/v1/jobs", {"file": table()})
    assert (answer.status_code, answer["Retry-After"]) == (503, str(RETRY_SECONDS))
    assert answer.json()["type"] == "/problems/files-being-read"
    assert (Job.objects.count(), left()) == (0, [])
    places.close()
    assert client.post("/api/v1/jobs", {"file": table()}).status_code == 202


def test_the_key_of_a_refused_request_can_be_used_again(places: ExitStack, client: Client) -> None:
    key = {"HTTP_IDEMPOTENCY_KEY": "one"}
    assert client.post("/api/v1/jobs", {"file": table()}, **key).status_code == 503
    places.close()
    assert client.post("/api/v1/jobs", {"file": table()}, **key).status_code == 202


@pytest.mark.parametrize("path", ["/lookups", "/jobs/new"])
def test_a_page_says_it_and_keeps_what_was_typed(places: ExitStack, client: Client, path: str) -> None:
    answer = client.post(path, {"text": "10.5555/first\n10.5555/second"})
    assert (answer.status_code, answer["Retry-After"]) == (503, str(RETRY_SECONDS))
    assert "10.5555/first\n10.5555/second" in answer.content.decode()
    assert "many files" in answer.content.decode()
    assert (Draft.objects.count(), left()) == (0, [])


def test_a_preview_keeps_its_settings_for_another_try(places: ExitStack, client: Client) -> None:
    places.close()
    address = client.post("/lookups", {"file": table(), "go": "file"})["Location"]
    with ExitStack() as taken:
        for _ in range(PLACES):
            taken.enter_context(take_reading_place())
        sent = {"header_row": "1", "name": "My list", "separator": "comma"}
        answer = client.post(address, sent)
        assert (answer.status_code, answer["Retry-After"]) == (503, str(RETRY_SECONDS))
        page = answer.content.decode()
        assert all(f'name="{name}" value="{value}"' in page for name, value in sent.items())
        assert client.get(address).status_code == 503
    assert client.post(address, sent).status_code == 302
    assert Job.objects.get().name == "My list"
