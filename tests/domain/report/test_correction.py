"""What goes back into a catalogue, by the outcome, the problems and the decision of a row."""

import pytest

from resolver.domain.report.correction import PERSONAL, Correction, find_correction, find_proposal

NAME, OTHER = "10.1000/182", "10.17487/RFC3651"


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        # outcome, problems, the rest; correction, corrected DOI
        (("resolved", ""), ("unchanged", NAME)),
        (("registered", ""), ("unchanged", NAME)),
        (("no-url", ""), ("unchanged", NAME)),
        (("no-values", ""), ("unchanged", NAME)),
        (("resolved", "old-resolver surrounding-text publisher-url wrapped"), ("unchanged", NAME)),
        (("resolved", "trailing-punctuation trailing-slash look-alike"), ("unchanged", NAME)),
        (("resolved", "double-encoded"), ("unchanged", NAME)),
        (("resolved", "alias", {"alias_of": OTHER}), ("main-doi", OTHER)),
        (("resolved", "alias several-dois", {"alias_of": OTHER}), ("review", "")),
        (("no-url", "alias", {"alias_of": OTHER}), ("review", "")),  # the main name isn't registered
        (("resolved", "alias", {"alias_of": "20.500/x"}), ("review", "")),  # it is no DOI
        (("resolved", "alias", {"alias_of": "10.1000"}), ("review", "")),  # it is only a prefix
        (("no-values", "alias", {"alias_of": OTHER}), ("main-doi", OTHER)),
        (("resolved", "unescaped-comma"), ("review", "")),
        (("no-url", "alias-loop"), ("review", "")),
        (("resolved", "unescaped-hash"), ("review", "")),
        (("resolved", "unescaped-question-mark"), ("review", "")),
        (("resolved", "unescaped-space"), ("review", "")),
        (("resolved", "inner-space surrounding-text"), ("review", "")),
        (("registered", "leftover"), ("review", "")),
        (("resolved", "glued-dois"), ("review", "")),
        (("resolved", "deleted"), ("review", "")),
        (("resolved", "several-dois"), ("review", "")),
        (("resolved", "unsafe-url"), ("review", "")),
        (("resolved", "link-differs"), ("review", "")),
        (("not-found", "", {"suggestion": OTHER}), ("suggested", OTHER)),
        (("invalid", "no-doi", {"suggestion": OTHER}), ("suggested", OTHER)),
        (("not-found", "unescaped-hash", {"suggestion": OTHER}), ("suggested", OTHER)),
        (("not-found", "", {"suggestion": OTHER, "doubtful": True}), ("review", "")),
        (("not-found", "several-dois", {"suggestion": OTHER}), ("review", "")),
        (("not-found", "glued-dois", {"suggestion": OTHER}), ("review", "")),
        (("not-found", "link-differs", {"suggestion": OTHER}), ("review", "")),
        (("not-found", "unproven-suggestion", {"suggestion": OTHER}), ("review", "")),
        (("invalid", "no-doi unproven-suggestion", {"suggestion": OTHER}), ("review", "")),
        (("not-found", "other-not-registered", {"suggestion": OTHER}), ("review", "")),
        (("not-found", "cut-short", {"suggestion": OTHER}), ("review", "")),
        (("resolved", "cut-short"), ("review", "")),
        (("not-found", ""), ("not-registered", "")),
        (("not-found", "several-dois"), ("not-registered", "")),
        (("invalid", "no-doi"), ("no-doi", "")),
        (("invalid", "missing-suffix"), ("no-doi", "")),
        (("proxy-error", ""), ("unchecked", "")),
        (("unreachable", "unescaped-hash"), ("unchecked", "")),
        (("", ""), ("unchecked", "")),
        (("not-found", "", {"decision": "accepted", "decided_doi": OTHER}), ("accepted", OTHER)),
        (("resolved", "several-dois", {"decision": "accepted", "decided_doi": NAME}), ("accepted", NAME)),
        (("invalid", "no-doi", {"decision": "edited", "decided_doi": OTHER}), ("edited", OTHER)),
        (("not-found", "", {"suggestion": OTHER, "decision": "rejected"}), ("rejected", "")),
    ],
    ids=lambda value: " ".join(map(str, value)) if isinstance(value, tuple) else None,
)
def test_a_row_has_one_correction_and_a_doi_only_where_it_is_certain_or_decided(
    row: tuple[str, str] | tuple[str, str, dict[str, str]], expected: tuple[str, str]
) -> None:
    outcome, problems, *rest = row
    options = rest[0] if rest else {}
    assert find_correction(outcome, NAME, problems.split(), **options) == (Correction(expected[0]), expected[1])  # type: ignore[arg-type]  # the options of a case


def test_every_value_of_correction_that_has_a_doi_is_one_of_five() -> None:
    assert set(Correction) - {"unchanged", "suggested", "main-doi", "accepted", "edited"} == {
        "rejected", "review", "not-registered", "no-doi", "unchecked",
    }  # fmt: skip
    assert {"accepted", "edited", "rejected"} == PERSONAL


@pytest.mark.parametrize(
    ("known", "proposal"),
    [
        ({}, NAME),
        ({"alias_of": OTHER}, OTHER),
        ({"also_registered": ["10.1000/182#789"]}, "10.1000/182#789"),
        ({"alias_of": OTHER, "also_registered": ["10.1000/182#789"]}, "10.1000/182#789"),
        ({"suggestion": OTHER, "also_registered": ["10.1000/9"]}, OTHER),
    ],
)
def test_the_proposal_is_the_suggestion_then_the_whole_name_then_the_main_doi(
    known: dict[str, str], proposal: str
) -> None:
    assert find_proposal(NAME, **known) == proposal  # type: ignore[arg-type]  # the options of a case
