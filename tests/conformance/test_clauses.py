"""The table of clauses can't drift from the clauses, nor from the tests that name them."""

from collections.abc import Iterator

import pytest

from tests.conformance.clauses import CLAUSES, IN_THE_CODE, NOT_HERE, SECTIONS
from tests.conformance.table import HOLDS, PAGE, is_there, page, rows, told, without_parameters

TEXT = PAGE.read_text(encoding="utf-8")


def marks(items: list[pytest.Item]) -> Iterator[tuple[str, str]]:
    """Each clause with each of the tests that say to hold it."""
    for item in items:
        for name, clause in item.user_properties:
            if name == "clause":
                yield str(clause), without_parameters(item.nodeid)


def test_the_page_shows_every_clause_in_its_own_words():
    assert {row[0]: row[1] for row in rows(TEXT)} == CLAUSES


def test_every_clause_has_a_section():
    assert {clause[0] for clause in CLAUSES} == set(SECTIONS)
    assert set(NOT_HERE) | set(IN_THE_CODE) <= set(CLAUSES)


def test_every_clause_has_a_test_and_all_of_them_held():
    assert not {row[0]: row[3] for row in rows(TEXT) if not row[3].startswith(HOLDS)}


def test_every_test_that_the_page_names_is_there():
    assert not [test for tests in told(TEXT).values() for test in tests if not is_there(test)], "run `make clauses`"


def test_the_page_names_the_tests_of_this_run_under_the_clauses_that_they_hold(request: pytest.FixtureRequest):
    """A run of the whole suite compares the whole page."""
    here = {without_parameters(item.nodeid) for item in request.session.items}
    shown = {(clause, test) for clause, tests in told(TEXT).items() for test in tests if test in here}
    assert shown == set(marks(request.session.items)), "run `make clauses`"


def test_a_page_is_read_as_it_was_written():
    tests = {clause: {f"tests/{clause}.py::test_it": clause != "A1"} for clause in CLAUSES}
    assert told(page(tests)) == tests
    assert told(page({})) == {clause: {} for clause in CLAUSES}
