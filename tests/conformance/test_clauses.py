"""The table of clauses can't drift from the clauses, nor name tests that are gone."""

import re

from tests.conformance.clauses import CLAUSES, LATER, SECTIONS
from tests.conformance.table import PAGE


def rows() -> list[list[str]]:
    cells = (line.strip("| ").split(" | ") for line in PAGE.read_text(encoding="utf-8").splitlines())
    return [row for row in cells if re.fullmatch(r"[A-Z]\d+", row[0])]


def test_the_page_shows_every_clause_in_its_own_words():
    assert {row[0]: row[1] for row in rows()} == CLAUSES


def test_every_clause_has_a_section_and_only_clauses_wait_for_later():
    assert {clause[0] for clause in CLAUSES} == set(SECTIONS)
    assert set(LATER) <= set(CLAUSES)


def test_every_test_that_the_page_names_is_there():
    tests = {test for row in rows() for test in re.findall(r"`([^`]+)`", row[2])}
    gone = []
    for test in tests:
        file, _, function = test.partition("::")
        path = PAGE.parents[1] / "tests" / file
        if not path.exists() or f"def {function.rpartition('::')[2]}(" not in path.read_text(encoding="utf-8"):
            gone.append(test)
    assert not gone, "run `make clauses`"
