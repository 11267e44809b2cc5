"""What changed between two findings: a table. "Could not ask" is never a change."""

from dataclasses import replace

import pytest

from resolver.domain.report.change import (
    Aspect,
    Change,
    Finding,
    find_change,
    find_differing_aspects,
)
from resolver.domain.report.outcome import Outcome
from resolver.domain.report.suggestion import split_common_ends

GOOD = Finding("resolved", ("https://a.example/1",), "Crossref")
DELETED = replace(GOOD, urls=("https://www.crossref.org/_deleted-doi",), nowhere=True)
QUICK = Finding("registered", agency="Crossref")
GONE = Finding("not-found")
EMPTY = Finding("no-values", agency="Crossref")
NO_URL = Finding("no-url", agency="Crossref")
NO_NAME = Finding("invalid")
SILENT = Finding("unreachable")
UNASKED = Finding("")
WITH_OTHER = replace(GOOD, others=(("10.1/b", "resolved"),))

TABLE = [
    (GOOD, GOOD, Change.UNCHANGED),
    (GOOD, GONE, Change.BROKEN),
    (GOOD, NO_URL, Change.BROKEN),
    (GOOD, EMPTY, Change.BROKEN),
    (GOOD, DELETED, Change.BROKEN),
    (GONE, GOOD, Change.WORKING),
    (NO_URL, GOOD, Change.WORKING),
    (DELETED, GOOD, Change.WORKING),
    (GOOD, replace(GOOD, urls=("https://b.example/1",)), Change.ADDRESS),
    (GOOD, replace(GOOD, urls=("https://b.example/1",), agency="DataCite"), Change.ADDRESS),
    (GOOD, replace(GOOD, agency="DataCite"), Change.AGENCY),
    (GOOD, replace(GOOD, agency=""), Change.AGENCY),
    (GOOD, replace(GOOD, agency="", incomplete=True), Change.UNCHANGED),
    (replace(GOOD, incomplete=True), replace(GOOD, agency="DataCite"), Change.AGENCY),
    (GOOD, replace(GOOD, alias_of="10.1/new"), Change.OTHERWISE),
    (GONE, NO_URL, Change.OTHERWISE),
    (NO_URL, EMPTY, Change.OTHERWISE),
    (GONE, replace(GONE, suggestion="10.1/a"), Change.OTHERWISE),
    (replace(GONE, incomplete=True), replace(GONE, suggestion="10.1/a"), Change.UNCHANGED),
    (NO_NAME, NO_NAME, Change.UNCHANGED),
    (WITH_OTHER, replace(WITH_OTHER, others=(("10.1/b", "not-found"),)), Change.OTHERWISE),
    (WITH_OTHER, replace(WITH_OTHER, others=(("10.1/b", "unreachable"),)), Change.UNCHANGED),
    (GOOD, SILENT, Change.UNANSWERED),
    (SILENT, GONE, Change.UNANSWERED),
    (SILENT, SILENT, Change.UNANSWERED),
    (UNASKED, GOOD, Change.UNANSWERED),
    (GOOD, None, Change.ONLY_BEFORE),
    (None, GONE, Change.ONLY_AFTER),
    # A quick check asked for no record: it can tell existence and agency, and nothing else has changed.
    (QUICK, GOOD, Change.UNCHANGED),
    (QUICK, NO_URL, Change.UNCHANGED),
    (QUICK, GONE, Change.BROKEN),
    (GONE, QUICK, Change.WORKING),
    (QUICK, replace(GOOD, agency="DataCite"), Change.AGENCY),
]


@pytest.mark.parametrize(("before", "after", "expected"), TABLE)
def test_the_change_between_two_findings(before: Finding | None, after: Finding | None, expected: Change) -> None:
    assert find_change(before, after) is expected


def test_every_kind_of_change_stands_in_the_table() -> None:
    assert {kind for _, _, kind in TABLE} == set(Change)


@pytest.mark.parametrize("outcome", Outcome)
def test_every_outcome_has_a_standing_and_none_changes_into_itself(outcome: Outcome) -> None:
    found = Finding(str(outcome))
    unanswered = outcome in {"proxy-error", "unreachable"}
    assert find_change(found, found) is (Change.UNANSWERED if unanswered else Change.UNCHANGED)


def test_all_that_differs_is_told_and_not_only_what_the_kind_says() -> None:
    moved = replace(GOOD, urls=("https://b.example/1",), agency="DataCite")
    assert find_differing_aspects(GOOD, moved) == {Aspect.ADDRESS, Aspect.AGENCY}
    assert not find_differing_aspects(GOOD, SILENT)


@pytest.mark.parametrize(
    ("one", "other", "parts"),
    [
        ("http://a.example/x", "https://a.example/x", ("http", "", "s", "://a.example/x")),
        ("https://a.example/1", "https://b.example/1", ("https://", "a", "b", ".example/1")),
        ("same", "same", ("same", "", "", "")),
        ("aa", "aaa", ("aa", "", "a", "")),
        ("", "new", ("", "", "new", "")),
    ],
)
def test_what_two_addresses_share_is_parted_from_what_they_do_not(
    one: str, other: str, parts: tuple[str, str, str, str]
) -> None:
    assert split_common_ends(one, other) == parts
    start, was, is_now, end = parts
    assert (start + was + end, start + is_now + end) == (one, other)


def test_a_changed_class_counts_only_if_both_were_compared() -> None:
    same, other = replace(GOOD, target="same"), replace(GOOD, target="other-host")
    assert find_differing_aspects(other, same) == {Aspect.TARGET}
    assert find_change(other, same) is Change.OTHERWISE
    assert find_differing_aspects(GOOD, same) == frozenset()
    assert find_differing_aspects(other, SILENT) == frozenset()


def test_an_address_that_leads_nowhere_is_broken_and_leads_nowhere_until_its_doi_can_be_checked() -> None:
    nowhere = replace(GOOD, nowhere=True)
    unasked = replace(GOOD, incomplete=True)
    assert find_change(GOOD, nowhere) is Change.BROKEN
    assert find_change(unasked, nowhere) is Change.BROKEN
    assert find_change(nowhere, GOOD) is Change.WORKING
    assert find_change(nowhere, unasked) is Change.UNCHANGED
    assert find_differing_aspects(nowhere, unasked) == frozenset()
