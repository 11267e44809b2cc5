"""Each language is complete, and says what the original says."""

import re
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import read_mo
from babel.messages.pofile import read_po
from django.conf import settings

from translating.__main__ import translations, untranslated
from translating.extracting import ROOT, catalog

DETAIL = re.compile(r"%\(\w+\)[sd]|%[sd%]|\{\w*\}")
MARKUP = re.compile(r"</?(\w+)")
FILES = translations(ROOT)


def texts(path: Path) -> Catalog:
    with path.open("rb") as file:
        return read_po(file, locale=path.parts[-3], domain="django")


def forms(text: str | tuple[str, ...] | list[str]) -> list[str]:
    return [text] if isinstance(text, str) else list(text)


def key(message: Message) -> tuple[str, str]:
    context: str | bytes = message.context or ""  # Babel reads that of a compiled text as bytes
    return context if isinstance(context, str) else context.decode(), forms(message.id)[0]


@pytest.fixture(scope="module")
def extracted() -> Catalog:
    return catalog()


@pytest.fixture(params=FILES, ids=lambda path: path.parts[-3])
def language(request: pytest.FixtureRequest) -> Catalog:
    return texts(request.param)


def test_every_language_that_is_offered_has_a_file_but_the_one_that_the_texts_are_written_in():
    offered = {code for code, _ in settings.LANGUAGES}
    assert offered == {path.parts[-3] for path in FILES} | {settings.LANGUAGE_CODE}


def test_it_has_every_text_of_the_code_and_no_other(language: Catalog, extracted: Catalog):
    """`make messages` brings it up to date."""
    assert {key(one) for one in language if one.id} == {key(one) for one in extracted if one.id}


def test_every_text_is_translated_and_none_is_a_guess(language: Catalog):
    assert not untranslated(language)
    assert not [one.id for one in language if one.id and one.fuzzy]
    assert not language.obsolete


@pytest.mark.parametrize(
    ("text", "translation", "is_complete"),
    [
        ("row", "Zeile", True),
        ("row", "", False),
        (("row", "rows"), ("Zeile", "Zeilen"), True),
        (("row", "rows"), ("Zeile", ""), False),
        (("row", "rows"), ("", ""), False),
        (("row", "rows"), "", False),
    ],
)
def test_a_text_is_translated_when_each_of_its_forms_is(
    text: str | tuple[str, str], translation: str | tuple[str, str], is_complete: bool
):
    language = Catalog(locale="de")
    language.add(text, translation)
    assert [one.id for one in untranslated(language)] == ([] if is_complete else [text])


def test_the_details_and_the_markup_are_those_of_the_original(language: Catalog):
    """Of a text with forms in number each form may do without the number, and has nothing that no original form has."""
    wrong = []
    for message in language:
        originals = forms(message.id)
        for found in (DETAIL, MARKUP):
            allowed = [sorted(set(found.findall(text))) for text in originals]
            given = [sorted(set(found.findall(text))) for text in forms(message.string)]
            if message.id and any(one not in allowed for one in given):
                wrong.append((message.id, message.string))
    assert not wrong


def test_white_space_and_line_breaks_around_a_text_are_kept(language: Catalog):
    for message in language:
        if message.id:
            for original, text in zip(forms(message.id), forms(message.string), strict=False):
                assert (original[:1].isspace(), original[-1:].isspace()) == (text[:1].isspace(), text[-1:].isspace())


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.parts[-3])
def test_what_the_portal_reads_is_what_people_wrote(path: Path):
    """The compiled file is in git, so that neither a fresh clone nor the image needs anything to compile it."""
    with path.with_suffix(".mo").open("rb") as file:
        compiled = {key(one): forms(one.string) for one in read_mo(file) if one.id}
    assert compiled == {key(one): forms(one.string) for one in texts(path) if one.id}
