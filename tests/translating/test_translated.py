"""Messages of the layers below, shown in the reader's language with their details."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.utils import translation
from django.utils.translation import gettext

from doi_reading import CATALOGUE, Message, read
from doi_reading.message import join_messages
from doi_reading.problems import NEUTRAL, make_problem
from resolver.domain.display.times_and_durations import format_duration, format_timestamp, format_ttl
from resolver.domain.report.outcome import Outcome
from resolver.domain.report.sentences import build_failure_sentence, build_prefix_sentence
from resolver.web.wording.label_filters import translate
from resolver.web.wording.translate_message import translate_message
from tests.doi_reading.corpus import cases
from tests.sheets.odd_files.refusals import REFUSALS
from tests.sheets.odd_files.workbooks import ODS, XLSX
from tests.sheets.reader import SheetReader


@pytest.fixture(autouse=True)
def _german() -> Iterator[None]:
    with translation.override("de"):
        yield


@pytest.mark.parametrize("code", CATALOGUE)
def test_a_problem_is_told_with_the_details_of_the_text(code: str):
    details = {name: f"detail-of-{name}" for name in CATALOGUE[code].details}
    message = translate_message(make_problem(code, **details).message)
    assert message == gettext(CATALOGUE[code].sentence).format_map(details)
    assert message != make_problem(code, **details).message


@pytest.mark.parametrize("code", CATALOGUE)
def test_a_problem_without_details_has_neutral_words_and_a_capital(code: str):
    message = translate_message(make_problem(code).message)
    assert not any(words in message for words in NEUTRAL.values())
    assert message[0] == message[0].upper()


def test_the_case_of_a_detail_that_begins_a_sentence_stays():
    assert translate_message(make_problem("look-alike", characters="é", plain="e").message).startswith(
        "é sieht aus wie e,"
    )


def test_numbers_are_written_as_the_language_writes_them():
    told_so = translate_message(make_problem("too-long", length=10_500, most=10_000).message)
    assert told_so.startswith("Dieser Text hat 10.500 Zeichen. Mehr als 10.000 werden nicht gelesen;")


@pytest.mark.parametrize(("count", "text"), [(1, "1 Byte"), (1200, "1.200 Bytes")])
def test_a_count_decides_between_one_and_many(count: int, text: str):
    assert translate_message(Message.of_count("{count} byte", "{count} bytes", count)) == text


def test_of_every_reason_in_the_corpus_each_part_is_translated():
    reasons = {one.reason for case in cases()[::3] for one in read(case.input).candidates}
    assert len(reasons) > 60
    assert not [reason for reason in reasons if not translated_whole(reason)]


def translated_whole(text: str) -> bool:
    """No English word of ours is left: those that German has as well do not count."""
    left = set(re.findall(r"\b(?:the|without|with|joined|and|from|cannot)\b", translate_message(text)))
    return translate_message(text) != text and not left


def test_the_refusal_of_a_file_is_told_with_its_line(tmp_path: Path):
    refused = [odd for odd in (*REFUSALS, *XLSX, *ODS) if odd.refused]
    assert len(refused) > 60
    for odd in refused:
        error = SheetReader(tmp_path).refused(odd.content)
        assert translated_whole(str(error)), str(error)
        assert odd.line is None or translate_message(str(error)).startswith(f"Zeile {odd.line}: ")


def test_the_messages_of_a_row_are_translated_one_by_one():
    failure = Message("the DOI proxy isn't working (HTTP {status})", status="503")
    sentences = [
        make_problem("trailing-punctuation", characters=".").message,
        build_failure_sentence(failure),
        build_prefix_sentence("10.1000", "Crossref", None),
        Message("Also here: {name}: {outcome}.", name="10.1000/c", outcome=Outcome.NOT_FOUND.word),
    ]
    assert translate_message(join_messages(" ", *sentences)) == " ".join(map(translate_message, sentences))
    assert translate_message(sentences[1]).startswith(
        "Prüfung nicht möglich: der DOI-Proxy ist gestört (HTTP 503). Das"
    )
    assert translate_message(sentences[3]) == "Hier steht auch: 10.1000/c: nicht registriert."


@pytest.mark.parametrize("text", ["", "The file is empty.", "{count}", "10.1000/182", "x" * 9999])
def test_a_text_that_is_no_message_stays_as_it_is(text: str):
    assert translate_message(text) == translate(text) == text


@pytest.mark.parametrize("name", ["The file is empty.", "{count}", "%(count)s", "<b>", "[0]"])
def test_a_strangers_detail_is_neither_translated_nor_filled_in(name: str):
    message = Message("There is no column “{name}”. Choose one of these: {names}.", name=name, names=name)
    assert translate_message(message) == f"Es gibt keine Spalte „{name}“. Wählen Sie eine von diesen: {name}."


def test_who_reads_english_gets_every_sentence_as_it_was_said():
    message = Message(
        "Line {line}: {reason}", line="1234", reason=make_problem("too-long", length=10_500, most=9).message
    )
    with translation.override("en"):
        assert translate_message(message) == message


def test_times_are_told_in_the_readers_language():
    assert translate(format_timestamp("2004-05-21T14:14:17Z")) == "21. Mai 2004, 14:14:17 UTC"
    assert translate(format_ttl("2004-03-21")) == "bis 21. März 2004"
    assert translate(format_duration(266_401)) == "3 Tage 2 Stunden 1 Sekunde (266401 s)"
