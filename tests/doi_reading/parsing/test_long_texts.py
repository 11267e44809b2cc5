"""Long and nested texts: each is read, in a time that grows with its length, and a fault keeps nobody else waiting."""

import logging
import subprocess
import sys
from pathlib import Path

import pytest

from doi_reading import Doi, Reading, read
from doi_reading.repair.prefixes import repair_prefix
from doi_reading.text.brackets import OPENERS
from tests.doi_reading.long_texts import nested

ROOT = Path(__file__).parents[3]
BOUND = 240  # seconds: some five would do; what takes the square of its length needs hours

MANY = """
from itertools import islice
from tests.doi_reading.long_texts import texts
for text in islice(texts(), 0, None, 4):
    reading = read(text)
    used = reading.candidates, reading.others, reading.url, reading.uri, reading.urn
    assert "not-read" not in {problem.code for problem in reading.problems}, text[:60]
    count += 1
"""
TEN_TIMES_AS_LONG = """
from tests.doi_reading.long_texts import nested, repeated
brackets = [nested(("(", "[", "“"), inner, 100_000) for inner in ("", "10.1000/182", "10.1000/a b")]
encoded = ["10.1000%" + "25" * 49_990 + "2f182", nested(("https://x.example/?url=",), "10.1000/182", 100_000)]
units = "１ “ _.-, (10.1000/a; https://doi.org/ \\u0327\\u0301 \\u0f71\\u0f72 10.1000/a</a ) 10. \\\\".split()
suffixes = [repeated("10.1000/a", unit, "", 100_000) for unit in units]
for text in [*brackets, *encoded, *suffixes]:
    reading = read(text, longest=100_000)
    used = reading.candidates, reading.others, reading.url, reading.uri, reading.urn
    assert "not-read" not in {problem.code for problem in reading.problems}, text[:60]
    count += 1
"""


class UnreadableText(str):
    """A text at which any fault of the reader may be seen: looking into it fails."""

    def __contains__(self, part: object) -> bool:
        raise RuntimeError("a fault of the reader's")


def count_of_texts_read(program: str) -> int:
    """How many texts the program reads before the bound, in a process that can be ended."""
    begin = "from doi_reading.parsing.parse import read\ncount = 0\n"
    command = [sys.executable, "-c", f"{begin}{program}\nprint(count)"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=BOUND, check=True)
    return int(done.stdout)


@pytest.mark.clause("S7")
def test_texts_of_ten_thousand_characters_made_to_be_slow_are_all_read() -> None:
    assert count_of_texts_read(MANY) > 150


@pytest.mark.clause("S7")
def test_a_text_ten_times_as_long_takes_no_hundred_times_as_long() -> None:
    assert count_of_texts_read(TEN_TIMES_AS_LONG) == 16


@pytest.mark.parametrize("opener", OPENERS)
def test_a_doi_is_read_in_brackets_or_quotes_however_deep_they_are_nested(opener: str) -> None:
    reading = read(nested((opener,), "10.1000/182"))
    assert (reading.form, str(reading.doi)) == ("text", "10.1000/182")


def test_a_doi_in_brackets_of_all_kinds_with_white_space_between_is_told_of_the_innermost() -> None:
    kinds = [one for one, other in OPENERS.items() if one not in (other, "„")]  # “ ends „ and begins “
    text = nested((*kinds, "( "), " https://doi.org/10.1000/a#b ")
    reading = read(text)
    assert (reading.form, str(reading.doi)) == ("text", "10.1000/a")
    around = [(one.start, one.end) for one in reading.problems if one.code == "surrounding-text"]
    opener = len(text[: text.index("https")].rstrip()) - 1
    assert around == [(opener, opener + 1), (len(text) - opener - 1, len(text) - opener)]


def test_nested_brackets_without_a_doi_hold_none() -> None:
    text = nested(("(", "[", "“"), "x")
    assert [(one.code, one.start, one.end) for one in read(text).problems] == [("no-doi", 0, len(text))]


@pytest.mark.clause("E10")
def test_a_slash_encoded_again_and_again_ends_the_search_and_not_the_reader() -> None:
    reading = read("10.1000%" + "25" * 4_000 + "2f182")
    assert reading.doi is None
    assert "not-read" not in {one.code for one in reading.problems}


@pytest.mark.parametrize("damage", [".", "\u200b", "%252E", ")"])
def test_of_a_long_name_the_commonest_damage_is_still_repaired(damage: str) -> None:
    name = "10.1000/" + "a" * 5_000
    written = f"https://doi.org/{name}{damage}" if damage.startswith("%") else name + damage
    assert name in [one.doi for one in read(written).candidates]


@pytest.mark.clause("B1")
def test_a_fault_of_the_reader_is_logged_and_is_a_problem_of_that_text_alone(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.ERROR):
        faulty, whole = (read(text) for text in (UnreadableText("10.1000/a b"), "10.1000/182"))
    assert [(one.code, one.severity, one.start, one.end) for one in faulty.problems] == [("not-read", "error", 0, 11)]
    assert (faulty.form, faulty.doi, str(whole.doi)) == ("none", None, "10.1000/182")
    assert "a fault of the reader's" in caplog.text


def test_a_rule_that_fails_costs_the_candidates_and_not_the_reading(caplog: pytest.LogCaptureFixture) -> None:
    def offers() -> list[tuple[str, str]]:
        raise RuntimeError("a fault of a rule's")

    reading = Reading("x", "name", Doi.parse("10.1000/182"), others=("10.1000/183",), offers=offers)
    assert [one.doi for one in reading.candidates] == ["10.1000/183"]
    assert "a fault of a rule's" in caplog.text


@pytest.mark.parametrize("text", ["", "|", "|2", "IO.IO", ".1016/"])
def test_what_is_too_short_for_a_name_is_made_no_name_of(text: str) -> None:
    assert (repair_prefix(text), repair_prefix(text, labelled=True)) == (None, None)


@pytest.mark.parametrize("text", [".1016/a", "IO.IOOO/a"])
def test_the_shortest_damaged_names_and_those_without_a_digit_are_repaired(text: str) -> None:
    assert repair_prefix(text, labelled=True) in ("10.1016/a", "10.1000/a")
