"""Every statement of the source documents is held by clauses with tests, or does not apply, and says why."""

import pytest

from tests.conformance.clauses import CLAUSES
from tests.conformance.statements import DOCUMENTS, HOLDS, NOT_HERE, STATEMENTS, Statement, section
from tests.conformance.table import PAGE, is_there, told

TEXT = PAGE.read_text(encoding="utf-8")
HELD = told(TEXT)


def test_the_statements_are_numbered_and_none_is_there_twice():
    assert [one.number for one in STATEMENTS] == list(range(1, len(STATEMENTS) + 1))
    assert len({one.words for one in STATEMENTS}) == len(STATEMENTS)


def test_every_place_is_in_a_document_and_every_document_has_its_statements():
    assert {source.split()[0] for one in STATEMENTS for source in one.sources} == set(DOCUMENTS)


def test_every_statement_holds_or_says_why_it_does_not_apply():
    assert not {
        one.number: one.result(HELD) for one in STATEMENTS if not one.result(HELD).startswith((HOLDS, NOT_HERE))
    }
    assert all(one.reason for one in STATEMENTS if not one.clauses)


def test_what_holds_a_statement_is_a_clause_or_a_test_that_is_there():
    """A misspelt clause would be taken for a test."""
    assert not [test for one in STATEMENTS for test in one.tests if "::" not in test or not is_there(test)]


def test_the_page_shows_the_statements():
    assert "\n".join(section(HELD)) in TEXT, "run `make clauses`"


@pytest.mark.parametrize(
    ("held", "result"),
    [
        ({"S1": {"t": True}, "S2": {"u": True, "v": True}}, "holds"),
        ({"S1": {"t": True}, "S2": {"u": True, "v": False}}, "FAILS"),
        ({"S1": {"t": True}, "S2": {}}, "no test yet: S2, u"),
        ({"S1": {"t": True}, "S2": {"v": True}}, "no test yet: u"),
    ],
)
def test_a_statement_holds_when_all_that_it_names_holds(held: dict[str, dict[str, bool]], result: str):
    assert Statement(1, ("RD 1",), "words", ("S1", "S2"), ("u",), "").result(held) == result


def test_the_clauses_that_no_statement_names_are_known():
    """They follow from a statement, or are in the Handbook alone."""
    named = {clause for one in STATEMENTS for clause in one.clauses}
    assert set(CLAUSES) - named == {
        "R5",  # names of agencies are open text: the list of statement 45 grows
        "P16",  # what is chosen by chance is not for others to keep
        "L6",  # XML of strangers expands nothing
        "B2",  # what is told of each entry of a list
    }
