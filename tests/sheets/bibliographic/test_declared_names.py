"""What a format declares of itself reaches the file picker, the REST interface and the refusals."""

import re

import pytest

from resolver.api.protocol.file_body import FILE_TYPES
from resolver.sheets.bibliographic.formats import FORMATS
from resolver.sheets.errors import UnreadableFile
from resolver.sheets.input.unsupported_formats import refuse_by_text
from resolver.web.upload_forms import FILE_KINDS
from tests.sheets.bibliographic.made_files import MARC, TEXTS

OFFERED = set(FILE_KINDS.split(","))


@pytest.mark.parametrize("kind", FORMATS)
def test_a_browser_offers_files_with_its_endings(kind: str) -> None:
    assert {f".{ending}" for ending in FORMATS[kind].endings} <= OFFERED


def test_each_ending_is_offered_once() -> None:
    assert len(FILE_KINDS.split(",")) == len(OFFERED)


def test_a_media_type_gives_a_file_without_a_name_the_usual_ending_of_its_format() -> None:
    assert {form.kind: [FILE_TYPES[media_type] for media_type in form.media_types] for form in FORMATS.values()} == {
        "ris": ["ris"],
        "bibtex": ["bib"],
        "csl-json": ["json"],
        "json": [],
        "nbib": ["nbib"],
        "enw": ["enw"],
        "marc": ["mrc"],
        "marcxml": ["xml"],
        "mrk": [],
        "endnote-xml": ["xml"],
    }


@pytest.mark.parametrize("kind", [kind for kind, form in FORMATS.items() if form.refusal])
def test_a_file_in_an_encoding_that_is_not_read_is_refused_by_its_name(kind: str) -> None:
    text = MARC.decode("latin-1") if kind == "marc" else TEXTS[kind]
    _, what, _ = FORMATS[kind].refusal or ("", None, None)
    with pytest.raises(UnreadableFile, match="^" + re.escape(str(what))):
        refuse_by_text(text.encode("utf-16"))
