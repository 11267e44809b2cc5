"""A text with a suggestion always says what was wrong, and where."""

import pytest

from doi_reading import fold, read
from resolver.domain.handle.answers import MissingHandle, Resolution
from resolver.domain.report.judge import ProxyAnswers, judge
from resolver.domain.report.report import Report, TriedCandidate
from tests.doi_reading.corpus import DAMAGED, cases


def look_at(text: str, registered: str) -> Report:
    """The report where only this name is registered."""
    reading = read(text)
    exists = {fold(one.doi): fold(one.doi) == fold(registered) for one in reading.candidates}
    guesses = () if any(exists.values()) else reading.propose_late_candidates()
    tried = tuple(
        TriedCandidate(one.doi, one.reason, fold(one.doi) == fold(registered), one.doubtful) for one in guesses
    )
    return judge(reading, ProxyAnswers(Resolution(MissingHandle()), exists=exists, guesses=tried))


@pytest.mark.parametrize(
    ("text", "registered", "code", "fault"),
    [
        ("10.1016/j.cell.2011.O2.164", "10.1016/j.cell.2011.02.164", "wrong-character", "O"),
        ("https://doi.org/10.1016/j.cell.2011.O2.164", "10.1016/j.cell.2011.02.164", "wrong-character", "O"),
        ("see 10.1016/j.cell.2011.O2.164, there", "10.1016/j.cell.2011.02.164", "wrong-character", "O"),
        ("10.1093/nar/gKu2O4", "10.1093/nar/gku204", "wrong-character", "O"),
        ("10.3945/?ajcn.114.087551", "10.3945/ajcn.114.087551", "wrong-character", "?"),
        ("10.1007/978-3-030-00000-9__1", "10.1007/978-3-030-00000-9_1", "wrong-character", "_"),
        ("10.1371/journal.pone.012345", "10.1371/journal.pone.0012345", "wrong-character", "1"),
        ("10.1038/s41586-020-26492", "10.1038/s41586-020-2649-2", "wrong-character", "2"),
        ("10.1000/182.pdf", "10.1000/182", "leftover", ".pdf"),
        ("10.1000/182.", "10.1000/182", "trailing-punctuation", "."),
    ],
)
def test_the_problem_has_the_place_in_which_name_and_suggestion_differ(
    text: str, registered: str, code: str, fault: str
) -> None:
    report = look_at(text, registered)
    assert report.suggestion is not None
    assert fold(report.suggestion.doi) == registered.lower()
    found = [one for one in report.problems if one.code == code]
    assert [text[one.start : one.end] for one in found] == [fault]
    if code == "wrong-character":
        assert report.suggestion.doi in found[0].message


def test_no_damaged_text_of_the_corpus_has_a_suggestion_and_no_problem() -> None:
    damaged = [case for case in cases() if case.group == DAMAGED]
    reports = {case.input: look_at(case.input, case.expected) for case in damaged}
    assert sum(report.suggestion is not None for report in reports.values()) > len(damaged) / 3
    assert [text for text, report in reports.items() if report.suggestion and not report.problems] == []


def test_a_registered_name_and_one_without_a_suggestion_have_no_wrong_character() -> None:
    report = look_at("10.1016/j.cell.2011.O2.164", "10.1000/1")
    assert (report.suggestion, report.problems) == (None, ())
