"""What the source of a list reads about a row that goes back, and the DOI that we found."""

from types import SimpleNamespace
from typing import Any

import pytest

from resolver.domain.report.source_sentence import build_source_sentence, find_source_doi


def row(outcome: str, *codes: str, **values: Any) -> Any:
    plain = {
        "input": "text",
        "part": 0,
        "doi": "10.1/a",
        "suggestion": "",
        "alias_of": "",
        "also_registered": (),
        "decision": "",
    }
    return SimpleNamespace(**{**plain, "outcome": outcome, "problem_codes": codes, **values})


@pytest.mark.parametrize(
    ("returned", "sentence"),
    [
        (row("not-found"), "This DOI isn't registered. Please send the right one, or register it."),
        (
            row("not-found", decision="rejected"),
            "This DOI isn't registered. Please send the right one, or register it.",
        ),
        (row("invalid", "empty", doi=""), "There is no DOI here. Please send it, if the work has one."),
        (row("invalid", "no-doi", doi=""), "This isn't a DOI. Please send the DOI, if the work has one."),
        (row("invalid", "missing-suffix"), "This is only the beginning of a DOI. Please send the whole DOI."),
        (row("invalid", "white-space"), "This isn't a valid DOI. Please send the right one."),
        (row("no-url"), "This DOI is registered, but its record has no web address. Please add it."),
        (row("no-values"), "This DOI is registered, but its record is empty. Please complete it."),
        (
            row("resolved", "cut-short", "leads-to-itself"),
            "This DOI leads back to itself. Please correct the web address in its record.",
        ),
        (
            row("no-url", "alias-loop"),
            "This DOI is part of a loop of aliases, so its link ends in an error. Please correct its record.",
        ),
        (
            row("resolved", "unescaped-hash", decision="rejected"),
            "This DOI is registered, but it doesn't seem to be the DOI of this work. Please check it.",
        ),
        (row("unreachable", decision="rejected"), "This DOI isn't the right one. Please send the right one."),
    ],
)
def test_the_sentence_says_what_is_wrong_and_what_to_send(returned: Any, sentence: str) -> None:
    assert build_source_sentence(returned) == sentence


def test_of_several_dois_in_a_cell_it_names_the_one_that_is_meant() -> None:
    assert build_source_sentence(row("not-found", part=2)).startswith("10.1/a: This DOI isn't registered.")


@pytest.mark.parametrize(
    ("returned", "found"),
    [
        (row("not-found"), ""),
        (row("no-url"), "10.1/a"),
        (row("no-url", alias_of="10.1/main"), "10.1/a"),
        (row("resolved", "deleted", also_registered=("10.1/a#b",)), "10.1/a#b"),
        (row("not-found", suggestion="10.1/b", decision="rejected"), ""),
    ],
)
def test_the_doi_that_was_probably_meant_is_none_that_a_person_refused(returned: Any, found: str) -> None:
    assert find_source_doi(returned) == found
