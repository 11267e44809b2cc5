"""The catalogue of problems, held against the contract's table."""

import pytest

from doi_reading import CATALOGUE, LONGEST_TEXT, read
from doi_reading.problems import OF_CELLS, OF_OTHERS, OF_RECORDS, describe_as_registered, make_problem, merge_by_code

_WITHOUT_EXAMPLE = {
    "empty": "",
    "too-long": "",
    "not-read": "",
    "unreadable-record": "",
    "broken-link": "",
    "link-suggests": "",
    "other-work": "",
    "compare-work": "",
    "found-by-title": "",
    "found-by-identifier": "",
    **dict.fromkeys(("retracted", "concern", "corrected-later", "reinstated"), ""),
}
CONTRACT = {
    "error": "no-doi directory-code registrant-code missing-suffix control-character non-graphic unescaped-hash "
    "unescaped-question-mark unescaped-percent unescaped-quote unescaped-space double-encoded broken-utf8 alias-loop "
    "link-differs fake-resolver leads-to-itself leads-to-missing private-address unusable-address placeholder-address "
    "template retracted",
    "warning": "reserved-suffix inner-space unescaped-recommended unescaped-non-ascii unescaped-comma dot-segment "
    "html-entity look-alike trailing-slash trailing-punctuation several-dois repeated-prefix publisher-url short-doi "
    "deleted unsafe-url test-prefix concern",
    "info": "unescaped-slash percent-in-name proxy-parameter tracking-parameter not-normalized surrounding-text "
    "old-resolver wrapped alias empty corrected-later reinstated",
}
OURS = {
    "too-long": "error",
    "not-read": "error",
    "unreadable-record": "error",
    "other-not-registered": "error",
    "cut-short": "error",
    "leftover": "warning",
    "glued-dois": "warning",
    "damaged-resolver": "warning",
    "check-digit": "warning",
    "unproven-suggestion": "warning",
    "from-link": "info",
    "broken-link": "warning",
    "link-suggests": "info",
    "wrong-character": "warning",
    "several-homes": "info",
    "other-work": "error",
    "compare-work": "warning",
    "found-by-title": "info",
    "found-by-identifier": "info",
}
"""Codes beyond the contract's, whose list may grow."""


@pytest.mark.clause("B2")
def test_every_code_of_the_contract_has_its_severity() -> None:
    expected = {code: severity for severity, codes in CONTRACT.items() for code in codes.split()}
    assert {code: str(entry.severity) for code, entry in CATALOGUE.items()} == expected | OURS


@pytest.mark.parametrize("code", sorted(CATALOGUE))
def test_every_sentence_is_whole_without_any_detail(code: str) -> None:
    told = make_problem(code)
    assert told.message[0].isupper() or not told.message[0].isalpha()
    assert told.message.endswith(".")
    assert "{" not in told.message
    assert CATALOGUE[code].advice.endswith(".")


def test_every_problem_has_a_short_name_of_its_own_for_people() -> None:
    titles = [entry.title for entry in CATALOGUE.values()]
    assert len({title.casefold() for title in titles}) == len(titles)
    assert all(0 < len(title) <= 40 and title not in CATALOGUE for title in titles)


def test_a_character_of_the_users_that_begins_a_sentence_keeps_its_case() -> None:
    assert make_problem("unescaped-non-ascii", characters="é", escaped="%C3%A9").message.startswith("é is not an ASCII")
    assert make_problem("tracking-parameter", characters="utm_source=x").message.startswith("utm_source=x was added")


@pytest.mark.parametrize("code", sorted(set(CATALOGUE) - OF_RECORDS - OF_OTHERS - OF_CELLS - set(_WITHOUT_EXAMPLE)))
def test_every_example_has_its_problem_when_it_is_read(code: str) -> None:
    assert code in {one.code for one in read(CATALOGUE[code].example).problems}


@pytest.mark.parametrize("code", sorted(OF_CELLS))
def test_the_example_of_a_cell_s_problem_has_it_when_text_and_hyperlink_are_read(code: str) -> None:
    shown, link = CATALOGUE[code].example.split(" → ")
    assert [one.code for one in read(shown, link).problems] == [code]


@pytest.mark.clause("S7")
def test_only_what_no_page_can_show_has_no_example() -> None:
    assert [code for code, entry in CATALOGUE.items() if not entry.example] == list(_WITHOUT_EXAMPLE)
    assert [one.code for one in read("10.5555/" + "x" * LONGEST_TEXT).problems] == ["too-long"]


@pytest.mark.parametrize("code", sorted(OF_RECORDS))
def test_the_example_of_a_record_s_problem_is_a_plain_name_without_another(code: str) -> None:
    reading = read(CATALOGUE[code].example)
    assert (str(reading.doi), reading.problems) == (CATALOGUE[code].example, ())


def _merged(code: str, *characters: str) -> str:
    [said] = merge_by_code(
        [(code, make_problem(code, characters=each, escaped="%C3%A9").message) for each in characters]
    )
    return said


def test_several_marks_of_one_problem_are_one_sentence_in_the_plural() -> None:
    assert _merged("unescaped-non-ascii", "é", "à").startswith("é, à are not ASCII characters. In a URL, write them as")
    assert _merged("unescaped-non-ascii", "é", "é").startswith("é is not an ASCII character. In a URL, write it as")


@pytest.mark.parametrize("code", [code for code, entry in CATALOGUE.items() if entry.several])
def test_the_sentence_for_several_has_the_details_of_the_one(code: str) -> None:
    entry = CATALOGUE[code]
    assert {f"{{{name}}}" in entry.several for name in entry.details} == {True}


@pytest.mark.parametrize("code", ["unescaped-hash", "unescaped-question-mark", "unescaped-space"])
def test_a_cut_link_to_a_registered_name_gives_no_advice_beside_the_next_step(code: str) -> None:
    said = describe_as_registered(make_problem(code)).message
    assert make_problem(code).message.startswith(said[:-1])
    assert not any(word in said for word in ("write", "Remove", "If "))


@pytest.mark.parametrize("code", [code for code, entry in CATALOGUE.items() if entry.registered])
def test_the_sentence_of_a_registered_name_has_its_details(code: str) -> None:
    assert "{" not in describe_as_registered(make_problem(code)).message
