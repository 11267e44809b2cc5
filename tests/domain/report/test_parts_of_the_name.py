"""What looks like damage and is a part of a registered name, and what surely follows one."""

import pytest

from doi_reading import CATALOGUE, fold, read
from resolver.domain.handle.answers import MissingHandle, Resolution
from resolver.domain.report.correction import Correction, find_correction
from resolver.domain.report.judge import ProxyAnswers, judge
from resolver.domain.report.report import weigh_codes
from resolver.domain.report.triage import RowGroup, find_row_group
from tests.domain.report.test_whole_names import FOUND

ABSENT = Resolution(MissingHandle())
SICI = "10.1002/1531-8249(200010)48:4<671::AID-ANA17>3.3.CO;2-#"


def correction(text: str, *registered: str) -> Correction:
    """The correction where the name as read is registered, and only these others."""
    reading = read(text)
    exists = {fold(one.doi): one.doi in registered for one in reading.longer_names}
    report = judge(reading, ProxyAnswers(FOUND, exists=exists))
    codes = [one.code for one in report.problems]
    return find_correction(report.outcome, str(reading.doi), codes, text=text).correction


@pytest.mark.clause("E1", "E12", "U7")
@pytest.mark.parametrize(
    ("text", "code"),
    [
        (f"doi:{SICI}", "unescaped-hash"),
        ("doi:10.5555/a?b", "unescaped-question-mark"),
        ("10.5555/100%", "unescaped-percent"),
        ("10.5555/a%b", "unescaped-percent"),
        ("doi:10.5555/a%b", "unescaped-percent"),
    ],
)
def test_a_sign_of_the_registered_name_keeps_its_code_and_needs_no_review(text: str, code: str) -> None:
    assert correction(text) == (Correction.CLEANED if text.lower().startswith("doi:") else Correction.UNCHANGED)
    report = judge(read(text), ProxyAnswers(FOUND))
    [found] = [one for one in report.problems if one.code == code]
    assert found.severity == "warning"
    assert found.message == CATALOGUE[code].registered
    assert text[found.start : found.end] in "#?%"
    weighed = weigh_codes(report.outcome, [one.code for one in report.problems], text, str(read(text).doi))
    assert find_row_group(report.outcome, weighed) == RowGroup.TIDIER
    missing = judge(read(text), ProxyAnswers(ABSENT)).problems
    assert [one.severity for one in missing if one.code == code] == ["error"]


@pytest.mark.parametrize("text", ["https://doi.org/10.5555/100%", "https://doi.org/10.5555/50%off"])
def test_in_an_address_it_is_an_error(text: str) -> None:
    assert correction(text) == Correction.REVIEW
    [found] = judge(read(text), ProxyAnswers(FOUND)).problems
    assert (found.code, found.severity) == ("unescaped-percent", "error")


@pytest.mark.parametrize("text", ["https://doi.org/10.5555/100#1", "https://doi.org/10.5555/a%23b#b"])
def test_a_fragment_that_the_name_does_not_hold_needs_review(text: str) -> None:
    assert correction(text) == Correction.REVIEW


@pytest.mark.parametrize(
    "text", [r"10.1108\/00242531311328159", r'{"doi":"10.1108\/00242531311328159"}', "10.1364=2Foe.25.8"]
)
def test_an_escape_of_the_slash_needs_no_review(text: str) -> None:
    assert correction(text) == Correction.CLEANED


@pytest.mark.parametrize(
    "text",
    [
        "10.1371/journal.pone.0012345 OA",
        "https://doi.org/10.1080/13648470.2024.2378727 open access",
        "10.1061/(ASCE)1084-0699(1999)4:2(135) OA",
        "10.2307/3642861 [12]",
        "see 10.2307/3642861[12]",
        "12\t10.1159/000509556\t2019\tSpringer",
        "024 7_ $a10.1098/rspb.2017.0262$2doi",
        "10.58079/vbrl (see there)",
        "see 10.18710/ABCDEF: the data",
        "10.1103/rkgr-psrt (2025)",
        "10.1002/ece3.101 . Next",
    ],
)
def test_words_a_footnote_a_cell_and_a_subfield_behind_a_name_are_other_text(text: str) -> None:
    assert correction(text) == Correction.CLEANED


@pytest.mark.parametrize(
    "text",
    [
        "10.1093/molbev OA",
        "10.1136/gutjnl-2015- abc",
        "10.1371/journal.pone.0012345 t001",
        "10.1371/journal.pone.0012345 1",
        "10.1093/molbev\tmsu300",
        "10.1002/1097-0258 abc",
        "10.1038/nature-abcd (2025)12",
        "doi:10.1515/9783110214307 .fm, see there",
    ],
)
def test_a_journal_a_number_and_a_part_of_a_book_may_go_on(text: str) -> None:
    assert correction(text) == Correction.REVIEW


def test_words_go_on_if_the_longer_name_is_registered() -> None:
    assert correction("10.5555/abc123 OA", "10.5555/abc123OA") == Correction.REVIEW


def test_dots_for_a_missing_end_are_not_to_be_removed() -> None:
    codes = [one.code for one in judge(read("10.1002/ece3.101..."), ProxyAnswers()).problems]
    assert "cut-short" in codes
    assert "trailing-punctuation" not in codes


@pytest.mark.parametrize("behind", ["a" * 10_000 + "1", "ab " * 3_000 + "1", " " * 9_000 + "a1"])
def test_long_words_behind_a_registered_name_are_judged_at_once(behind: str) -> None:
    assert correction(f"10.5555/abc12 {behind}"[:10_000]) in Correction


def test_a_soft_line_end_may_be_inside_the_name() -> None:
    assert correction("10.5555/abc12=\nab") == Correction.REVIEW
