"""What a finding asks of its reader, as a table."""

import pytest

from doi_reading import CATALOGUE, Severity
from resolver.domain.report.correction import REVIEWED, Correction, find_correction
from resolver.domain.report.outcome import Outcome
from resolver.domain.report.triage import (
    BELONGS,
    UNTIDY,
    RowGroup,
    find_row_group,
    is_working,
    needs_review,
)


@pytest.mark.parametrize(
    ("outcome", "problems", "expected"),
    [
        ("", "", "not-asked"),
        ("resolved", "", "fine"),
        ("registered", "", "fine"),
        ("resolved", "trailing-punctuation look-alike unescaped-slash", "fine"),
        ("resolved", "several-homes", "fine"),
        ("resolved", "trailing-punctuation html-entity", "tidier"),
        ("registered", "old-resolver alias", "tidier"),
        ("resolved", "double-encoded", "tidier"),
        ("resolved", "trailing-slash", "tidier"),
        ("resolved", "double-encoded inner-space", "needs-work"),
        ("resolved", "leftover", "needs-work"),
        ("resolved", "several-dois other-not-registered", "needs-work"),
        ("no-url", "old-resolver", "needs-work"),
        ("unreachable", "old-resolver", "could-not-ask"),
        ("resolved", "unescaped-hash", "needs-work"),
        ("registered", "old-resolver unescaped-hash", "needs-work"),
        ("resolved", "broken-utf8", "needs-work"),
        ("resolved", "deleted", "needs-work"),
        ("resolved", "unsafe-url", "needs-work"),
        ("resolved", "several-dois", "needs-work"),
        ("no-url", "alias-loop", "needs-work"),
        ("no-values", "", "needs-work"),
        ("not-found", "", "needs-work"),
        ("invalid", "no-doi", "needs-work"),
        ("invalid", "empty", "empty"),
        ("proxy-error", "unescaped-hash", "could-not-ask"),
        ("unreachable", "", "could-not-ask"),
    ],
)
def test_each_finding_is_in_one_group(outcome: str, problems: str, expected: str) -> None:
    assert find_row_group(outcome, problems.split()) == expected


@pytest.mark.parametrize("outcome", [Outcome.RESOLVED, Outcome.REGISTERED])
def test_no_error_of_the_catalogue_is_fine(outcome: str) -> None:
    errors = {code for code, entry in CATALOGUE.items() if entry.severity is Severity.ERROR}
    assert {code for code in errors if find_row_group(outcome, [code]) != RowGroup.NEEDS_WORK} == {"double-encoded"}


def test_every_code_has_its_place_in_the_table() -> None:
    assert sorted([*REVIEWED, *UNTIDY, *BELONGS]) == sorted(CATALOGUE)


def test_a_row_that_a_person_must_look_at_needs_attention() -> None:
    for code in CATALOGUE:
        found = find_correction("resolved", "10.1000/182", [code], text="10.1000/182").correction
        assert (found == Correction.REVIEW) == (find_row_group("resolved", [code]) == RowGroup.NEEDS_WORK), code


def test_only_what_is_registered_is_doubtful() -> None:
    assert [outcome for outcome in Outcome if needs_review(outcome, ["unescaped-hash"])] == ["resolved", "registered"]


def test_whether_a_doi_works_is_no_matter_of_the_text_in_which_it_stands() -> None:
    assert [outcome for outcome in Outcome if is_working(outcome, nowhere=False)] == ["resolved", "registered"]
    assert not is_working(Outcome.RESOLVED, nowhere=True)
