"""The headline of a result, by its outcome and its problems."""

import pytest
from django.utils.translation import override

from doi_reading import CATALOGUE
from resolver.domain.report.outcome import Outcome
from resolver.domain.report.triage import RowGroup, find_row_group
from resolver.web.wording.verdicts import VERDICTS, combine_verdicts, find_status, find_verdict


def test_a_space_at_the_slash_is_not_called_a_missing_suffix():
    problems = [{"code": "inner-space", "severity": "warning"}]
    found = find_verdict("invalid", problems)
    assert found.headline == "Not a DOI: a space divides it"
    assert found.sentence == "Remove the space: a link made from this text doesn’t work."


@pytest.mark.parametrize(
    ("outcome", "code", "severity", "headline", "tone"),
    [
        ("resolved", "old-resolver", "info", "Resolved: registered, with a web address", "tidy"),
        ("resolved", "double-encoded", "error", "Registered, but it looks encoded twice", "tidy"),
        ("resolved", "inner-space", "warning", "Registered, but it needs attention", "warn"),
        ("resolved", "trailing-punctuation", "warning", "Resolved: registered, with a web address", "good"),
        ("resolved", "unescaped-hash", "error", "Registered, but your link is broken", "warn"),
        ("resolved", "deleted", "warning", "Registered, but its link opens a page for deleted DOIs", "warn"),
        ("no-url", "alias-loop", "error", "Registered, but its aliases form a loop", "warn"),
        ("invalid", "short-doi", "warning", "A shortDOI, not a DOI", "bad"),
        ("invalid", "missing-suffix", "error", "Only a prefix, not a DOI", "bad"),
        ("invalid", "no-doi", "error", "No DOI in this text", "bad"),
        ("not-found", "unescaped-hash", "error", "Not registered", "bad"),
        ("unreachable", "unescaped-hash", "error", "Couldn’t check: no answer from the DOI service", "unknown"),
    ],
)
def test_a_problem_makes_the_headline_more_exact(outcome: str, code: str, severity: str, headline: str, tone: str):
    found = find_verdict(outcome, [{"code": code, "severity": severity}])
    assert (found.headline, found.tone) == (headline, tone)
    assert found.word == VERDICTS[outcome].word


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
    ("outcome", "headline"), [("resolved", "Works, but should be written differently"), ("registered", "Registered")]
)
def test_only_where_its_record_was_seen_a_doi_is_said_to_work(outcome: str, headline: str):
    found = find_verdict(outcome, [{"code": "old-resolver", "severity": "info"}], rewritten=True)
    assert (found.headline, found.tone) == (headline, "tidy")
    assert ("works" in found.sentence) == (outcome == "resolved")


def test_a_record_whose_only_addresses_are_no_web_addresses_is_not_praised():
    found = find_verdict("resolved", [], addresses_are_safe=False)
    assert (found.headline, found.tone) == ("Registered, but without a safe web address", "warn")


@pytest.mark.parametrize(
    ("outcomes", "headline", "tone"),
    [
        (["resolved"], "Resolved: registered, with a web address", "good"),
        (["resolved", "registered"], "All 2 DOIs are registered", "warn"),
        (["resolved", "not-found"], "1 of 2 DOIs is registered", "bad"),
        (["no-url", "resolved", "not-found"], "2 of 3 DOIs are registered", "bad"),
        (["no-url", "resolved"], "All 2 DOIs are registered", "warn"),
        (["not-found", "invalid"], "None of the 2 DOIs is registered", "bad"),
        (["resolved", "unreachable"], "1 of 2 DOIs registered, 1 couldn’t be checked", "unknown"),
        (["unreachable", "proxy-error"], "Couldn’t check: no answer from the DOI service", "unknown"),
    ],
)
def test_several_dois_have_one_verdict_in_the_worst_tone(outcomes: list[str], headline: str, tone: str):
    found = combine_verdicts(find_verdict(outcomes[0], []), outcomes)
    assert (found.headline, found.tone) == (headline, tone)
    assert (VERDICTS[outcomes[0]].sign == found.sign) == (VERDICTS[outcomes[0]].tone == tone)


def test_what_needs_attention_is_green_in_no_tag_and_under_no_headline():
    for outcome in Outcome:
        for code, entry in CATALOGUE.items():
            if find_row_group(outcome, [code]) != RowGroup.NEEDS_WORK:
                continue
            assert find_status(outcome, [code]).tone != "good", (outcome, code)
            shown = find_verdict(outcome, [{"code": code, "severity": str(entry.severity)}])
            several = code in ("several-dois", "other-not-registered")
            found = combine_verdicts(shown, [outcome, "resolved"] if several else [outcome])
            assert found.tone != "good", (outcome, code)


@pytest.mark.parametrize(
    ("outcome", "codes", "expected"),
    [
        ("resolved", "", ("Resolved", "", "✓")),
        ("resolved", "old-resolver", ("Resolved", "could be tidier", "~")),
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
