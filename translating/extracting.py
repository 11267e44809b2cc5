"""Extract every text that a page may show: from templates, Python, and the catalogue of problems."""

import re
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract
from django.utils.translation.template import templatize

from doi_reading import CATALOGUE

ROOT = Path(__file__).resolve().parent.parent
PYTHON = ("doi_reading", "resolver", "doiportal")
TEMPLATES = "templates"
KEYWORDS = {
    "Message": None,
    "of_count": (1, 2),
    "_": None,
    "gettext": None,
    "gettext_lazy": None,
    "gettext_noop": None,
    "ngettext": (1, 2),
    "ngettext_lazy": (1, 2),
    "pgettext": ((1, "c"), 2),
    "pgettext_lazy": ((1, "c"), 2),
    "npgettext": ((1, "c"), 2, 3),
    "npgettext_lazy": ((1, "c"), 2, 3),
}

CALL = re.compile(rf"\b(?:{'|'.join(KEYWORDS)})\s*\(".encode())

Found = tuple[str, str | tuple[str, ...], list[str], str | None]
"""The file, the text or its plural forms, comments for translators, the context."""


def catalog() -> Catalog:
    """Return all texts, each with its files."""
    found = Catalog(project="doiportal", fuzzy=False)
    for file, text, comments, context in (*_in_python(), *_in_templates(), *_in_catalogue()):
        found.add(text, locations=[(file, 0)], auto_comments=comments, context=context)
    return found


def _in_python() -> Iterator[Found]:
    for folder in PYTHON:
        for path in sorted((ROOT / folder).rglob("*.py")):
            source = path.read_bytes()
            if CALL.search(source):  # three files of four have no text, and Babel would read each token of them
                yield from _extracted(path, source)


def _in_templates() -> Iterator[Found]:
    for path in sorted((ROOT / TEMPLATES).rglob("*.html")):
        # Django makes calls of gettext of the tags and blanks all else, which leaves no sensible indentation.
        calls = templatize(path.read_text(encoding="utf-8"))
        yield from _extracted(path, "\n".join(line.strip() for line in calls.splitlines()).encode())


def _extracted(path: Path, source: bytes) -> Iterator[Found]:
    file = path.relative_to(ROOT).as_posix()
    options = {"encoding": "utf-8"}
    for _, text, comments, context in extract("python", BytesIO(source), KEYWORDS, ("Translators:",), options, True):
        yield file, text, comments, context


def _in_catalogue() -> Iterator[Found]:
    """Yield the texts about problems. They are no messages yet: their details come with each text that is read."""
    for entry in CATALOGUE.values():
        for text in filter(None, (entry.title, entry.sentence, entry.advice, entry.registered, entry.several)):
            yield "doi_reading/problems", text, [], None
