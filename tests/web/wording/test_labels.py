"""The labels of outcomes, and what the problems add to them."""

import pytest
from django.utils.translation import override

from resolver.domain.report.outcome import Outcome
from resolver.web.wording.verdicts import VERDICTS, find_status


@pytest.mark.parametrize(
    ("outcome", "language"),
    [*((outcome, "en") for outcome in Outcome), (Outcome.RESOLVED, "de"), (Outcome.NOT_FOUND, "de")],
)
def test_a_headline_has_the_words_of_the_label_that_tables_show(outcome: Outcome, language: str):
    with override(language):
        label = str(VERDICTS[outcome].word).split("(")[0].replace("'", "’").lower()
        headline = str(VERDICTS[outcome].headline).lower()
        assert [word for word in label.split() if len(word) > 4 and word not in headline] == []


@pytest.mark.parametrize(
    ("outcome", "codes", "expected"),
    [
        ("resolved", "", ("Resolved", "", "✓")),
        ("resolved", "old-resolver", ("Resolved", "needs cleaning up", "~")),
        ("registered", "old-resolver unescaped-hash", ("Registered", "needs attention", "!")),
        ("no-url", "old-resolver", ("No web address", "", "!")),
        ("not-found", "unescaped-hash", ("Not registered", "", "✗")),
        ("unreachable", "deleted", ("Couldn't check (DOI service unreachable)", "", "?")),
        ("", "", ("Not checked", "", "…")),
    ],
)
def test_outcome_and_problems_give_one_status(outcome: str, codes: str, expected: tuple[str, str, str]):
    found = find_status(outcome, codes.split())
    assert (str(found.word).replace("’", "'"), found.attention, found.sign) == expected
