"""Every page of the tour in German: no English words are left on it but a stranger's."""

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import translation
from playwright.sync_api import APIRequestContext

from resolver.models import Chunk, Job
from resolver.services import jobs
from resolver.services.asking import proxy_from_settings
from resolver.services.checking import check_chunk
from tests.journeys.scene import Scene
from tests.journeys.states import STATES, Stage, State

# Words of English sentences that are no German ones. What the DOI proxy says, file names, codes and the names of
# characters and of documents are a stranger's, or a program's.
ENGLISH = re.compile(
    r"(?<![\w-])(the|of|is|are|and|not|this|that|these|with|it|its|for|to|from|by|which(?! RA)|has|have|be|or|no|on|at|"
    r"as|rows?|lists?|files?|names|look|none|any|yes|could|asked|found|answers?|checked|your|you|missing|nothing|"
    r"being|having|checking|reading|error|values?|record|address|days?|hours?)(?![\w-])",
    re.IGNORECASE,
)
STRANGERS = re.compile(
    r"10\.\d{4,}/\S*|\S+\.csv|no name at all|Internal Error|U\+[0-9A-F]{4,} .*|ANSI/NISO.*|"
    r"Encoding rules for .*|The “doi” URI scheme|DOI Foundation"
)
OTHERS_WORDS = {"code", "samp", "kbd", "pre", "q", "bdi", "script", "style", "textarea"}
MARKED_NAMES = re.compile(r"\b(name|given|raw|whole|anywhere|type)\b")
VOID = {"meta", "link", "input", "br", "rect", "circle", "img", "hr", "wbr"}
READ_ALOUD = {"alt", "title", "aria-label", "placeholder", "data-label", "label"}


class Said(HTMLParser):
    """What a page says that is not a stranger's, an example or a code."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.parts: list[str] = []
        self._open: list[tuple[str, bool]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag not in VOID:
            others = tag in OTHERS_WORDS or given.get("lang") == "en" or MARKED_NAMES.search(given.get("class") or "")
            self._open.append((tag, bool(others)))
        self.parts += [value for name, value in attrs if name in READ_ALOUD and value and not self._inside]

    def handle_endtag(self, tag: str) -> None:
        while self._open and self._open.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        if not self._inside:
            self.parts.append(data)

    @property
    def _inside(self) -> bool:
        return any(others for _, others in self._open)

    @property
    def english(self) -> list[str]:
        """The parts with English words in them."""
        return [" ".join(part.split()) for part in self.parts if ENGLISH.search(STRANGERS.sub("", part))]


class Asks:
    """The visitor who makes the scene; whoever looks how far a list is does the worker's next piece of work."""

    def __init__(self, client: Client) -> None:
        self.client = client

    def post(self, address: str, data: Any = None, multipart: Any = None) -> Any:
        if multipart:
            file = multipart["file"]
            multipart = {**multipart, "file": SimpleUploadedFile(file["name"], file["buffer"])}
            return self._told(self.client.post(address, multipart))
        return self._told(self.client.post(address, data or {}, content_type="application/json"))

    def get(self, address: str) -> Any:
        job = Job.objects.get(pk=address.rpartition("/")[2])
        answer = self._told(self.client.get(address))
        if answer.json()["state"] == "queued":
            list(jobs.read_rows(job.pk))
        elif answer.json()["state"] == "checking" and job.total < 1000:
            for chunk in Chunk.objects.filter(job=job, done=False):
                check_chunk(chunk.pk, proxy=proxy_from_settings())
        return answer

    def delete(self, address: str) -> None:
        self.client.delete(address)

    @staticmethod
    def _told(response: Any) -> Any:
        text = response.content.decode()
        return SimpleNamespace(ok=response.status_code < 400, json=response.json, text=lambda: text)


class GermanScene(Scene):
    """The same, made in this process."""

    def _fail(self, pk: str) -> None:
        Job.objects.filter(pk=pk).update(
            state="failed", error="Line 4: A cell has more than the 9,000 characters allowed."
        )


def pages(tmp_path: Path) -> Iterator[tuple[State, int, str]]:
    """Each state, and its status and its page in German."""
    visitor = Client(HTTP_ACCEPT_LANGUAGE="de", raise_request_exception=False)
    scene = GermanScene(cast("APIRequestContext", Asks(visitor)), tmp_path)
    for stage in Stage:
        scene.enter(stage)
        for state in STATES:
            if state.stage is stage:
                yield state, *_visited(visitor, state, state.address.format(**scene.places))


def _visited(visitor: Client, state: State, address: str) -> tuple[int, str]:
    if state.made:
        with translation.override("de"):
            return state.status, state.made()
    if "csrfmiddlewaretoken" in (state.sent or {}):
        visitor = Client(enforce_csrf_checks=True, HTTP_ACCEPT_LANGUAGE="de")
    response = visitor.get(address, RAW_URI=address) if state.sent is None else visitor.post(address, state.sent)
    return response.status_code, response.content.decode()


def test_no_page_of_the_tour_has_english_words_for_german_readers(tmp_path: Path):
    found = {}
    for state, status, page in pages(tmp_path):
        assert (state.name, status) == (state.name, state.status)
        found[state.name] = Said(page).english
    assert not {name: parts for name, parts in found.items() if parts}
