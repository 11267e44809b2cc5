"""Visitors without a browser, and the real stand-in over a socket behind the pages."""

import re
from collections.abc import Callable, Iterator
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from resolver.models import Job, Lookup, Row
from resolver.services.jobs import import_rows
from resolver.services.proxy_answers.configured_proxy import proxy_from_settings
from resolver.services.storage.keyset import Page
from resolver.services.turns.check import check_chunk
from resolver.standin.server import SampleProxyServer
from tests.stored_list import StoredList, session_of


@pytest.fixture(scope="session")
def standin() -> Iterator[SampleProxyServer]:
    with SampleProxyServer() as server:
        yield server


@pytest.fixture(autouse=True)
def _portal(db: None, settings: Any, tmp_path: Path, standin: SampleProxyServer) -> None:
    settings.DOIPORTAL_DATA_DIR = tmp_path
    settings.DOI_PROXY_URL = standin.url


@pytest.fixture
def visitor() -> Client:
    return Client()


@pytest.fixture
def stranger() -> Client:
    """Somebody else."""
    return Client()


Look = Callable[..., Any]


@pytest.fixture
def look(visitor: Client) -> Look:
    """Look a text up by the form; the page that it leads to."""
    return lambda text, client=visitor: client.post("/lookups", {"text": text}, follow=True)


@pytest.fixture
def record(visitor: Client) -> Look:
    """The record page of a name, with parameters to try."""
    return lambda name, **parameters: visitor.get("/records", {"name": name, **parameters})


@pytest.fixture
def upload(visitor: Client) -> Look:
    """Send the form with a file, and the one of the preview as it was found; or the answer that refuses the file."""

    def send(text: str | bytes, name: str = "list.csv", client: Client = visitor, **form: Any) -> Any:
        return send_file(client, text, name, **form)

    return send


def send_file(client: Client, text: str | bytes, name: str = "list.csv", **form: Any) -> Any:
    data = text.encode() if isinstance(text, str) else text
    taken = client.post("/jobs/new", {"file": SimpleUploadedFile(name, data)})
    return client.post(taken["Location"], form) if taken.status_code == 302 else taken


def store_list(text: str, name: str = "list.csv", **form: Any) -> StoredList:
    """Upload and check a list, in a fixture that needs `module_portal`."""
    visitor = Client()
    send_file(visitor, text, name, **form)
    job = run(Job.objects.latest("created_at"))
    return StoredList(job.pk, session_of(visitor))


def newest() -> Lookup:
    return Lookup.objects.latest("created_at")


def run(job: Job) -> Job:
    """What the worker does, here and now."""
    proxy = proxy_from_settings()
    for chunk_id in import_rows.read_into_rows(job.pk):
        check_chunk(chunk_id, proxy=proxy)
    job.refresh_from_db()
    return job


class Text(HTMLParser):
    """What a reader sees of a page, white space joined."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.parts: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag in {"dd", "td", "th", "li", "p"}:
            self.parts.append(" ")

    def handle_data(self, data: str) -> None:
        self.parts.append(data)


def html_of(response: Any) -> str:
    """The page, without the white space that lays out its template: beside tags there is none, else one space."""
    return re.sub(r"(?<=>) | (?=<)", "", re.sub(r"[ \t\r\n]+", " ", response.content.decode()))


def data_of(response: Any, name: str) -> list[str]:
    """What the page says to programs: the values of its attributes `data-NAME`, in order."""
    return re.findall(rf' data-{name}="([^"]*)"', html_of(response))


def progress_of(response: Any) -> tuple[str, int, int]:
    """How far a list is, as its page announces it: the state, the rows that are checked, and all that are known."""
    (state,), (done,), (total,) = (data_of(response, name) for name in ("state", "done", "total"))
    return state, int(done), int(total)


def redirect_of(response: Any) -> tuple[str, ...]:
    """What a click would do, as the record page has it: its code, then the addresses to which it may lead."""
    found = re.search(r' data-redirect="([^"]*)">(.*?)</section>', html_of(response))
    assert found, "no record page"
    return found[1], *map(unescape, re.findall(r'<li><a class="anywhere" href="([^"]*)"', found[2]))


def text_of(response: Any) -> str:
    return " ".join("".join(Text(response.content.decode()).parts).split())


def edge_of_page(page: Page[Row], step: str) -> int | None:
    """The line with which the next page's address begins (`after`), or the previous one's (`before`)."""
    if step == "before":
        return page.items[0].line if page.has_previous else None
    return page.items[-1].line if page.has_next else None
