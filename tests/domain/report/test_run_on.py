"""Text that ran on after a name shows only when the name without it is registered: then it is `leftover`."""

import pytest

from doi_reading import fold, read
from resolver.domain.handle.answers import MissingHandle, Resolution, WhichRaAnswer
from resolver.domain.report.judge import ProxyAnswers, judge

NAME = "10.1016/j.cell.2010.01.001"


def problems(text: str, *registered: str) -> list[tuple[str, str]]:
    """The codes and the characters at fault where only these names are registered."""
    reading = read(text)
    exists = {fold(one.doi): one.doi in registered for one in reading.candidates}
    report = judge(reading, ProxyAnswers(Resolution(MissingHandle()), exists=exists))
    return [(one.code, text[one.start : one.end]) for one in report.problems]


@pytest.mark.parametrize("tail", ["Smith", "Müller", "中文", "v2", "//x"])
@pytest.mark.parametrize("before", ["", "https://doi.org/"])
def test_text_after_the_suggestion_is_left_over(before: str, tail: str) -> None:
    assert ("leftover", tail) in problems(f"{before}{NAME}{tail}", NAME)


@pytest.mark.parametrize("tail", ["Smith", "Müller"])
def test_without_a_suggestion_nothing_is_said_of_it(tail: str) -> None:
    assert problems(NAME + tail) == []


@pytest.mark.parametrize(
    ("text", "registered"),
    [
        ("10.1093/nar/gkx111-\n8", ("10.1093/nar/gkx111", "10.1093/nar/gkx1118")),
        ("10.1093/nar/gkx111-\n8", ("10.1093/nar/gkx111",)),
        ("10.1093/nar/gkx111<br>8", ("10.1093/nar/gkx111",)),
        ("10.1002/ece3.101<br/>4", ("10.1002/ece3.101",)),
    ],
)
def test_a_suggestion_that_may_be_a_cut_of_the_doi_that_was_meant_is_unproven(
    text: str, registered: tuple[str, ...]
) -> None:
    assert "unproven-suggestion" in {code for code, _ in problems(text, *registered)}


def test_two_registered_names_that_differ_in_a_digit_like_a_letter_are_rivals() -> None:
    text, both = "10.4049/jimmuno1.1400915", ("10.4049/jimmunol.1400915", "10.4049/jimmunoi.1400915")
    assert "unproven-suggestion" in {code for code, _ in problems(text, *both)}
    assert "unproven-suggestion" not in {code for code, _ in problems(text, both[0])}


def test_a_version_of_the_same_work_is_no_rival() -> None:
    text, both = "10.1101/2020.01.01.123456v2.full.pdf", ("10.1101/2020.01.01.123456", "10.1101/2020.01.01.123456v2")
    assert "unproven-suggestion" not in {code for code, _ in problems(text, *both)}


def test_a_line_break_behind_a_name_of_a_fixed_length_is_its_end() -> None:
    assert "unproven-suggestion" not in {code for code, _ in problems(f"{NAME}</td><td>2010", NAME)}


@pytest.mark.parametrize("text", ["10.1093/nar/gkx111<br>Next", "10.1093/nar/gkx111."])
def test_one_without_a_rival_is_not(text: str) -> None:
    assert "unproven-suggestion" not in {code for code, _ in problems(text, "10.1093/nar/gkx111")}


@pytest.mark.parametrize(
    ("tail", "code"), [(".", "trailing-punctuation"), ("</a>", "leftover"), ("/", "trailing-slash")]
)
def test_what_another_problem_tells_is_told_once(tail: str, code: str) -> None:
    assert problems(NAME + tail, NAME) == [(code, tail)]


@pytest.mark.parametrize("escaped", ["\\/", "\\", "%5C%2F"])
def test_the_escape_of_its_slash_is_other_text_if_the_name_is_registered(escaped: str) -> None:
    assert found_in(f"10.1000{escaped}182") == {"surrounding-text"}


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("10.1107/s1600536811003655/ds2090sup0.html", "leftover"),
        ("10.1108/acmm.12862caa.010.html", "leftover"),
        ("10.5334/10.5334/bha.16106", "repeated-prefix"),
        ("10.1362/10.1362/146934714x14185702841488", "repeated-prefix"),
        ("10.37473/dac/10.1002/jrsm.1540", "glued-dois"),
    ],
)
def test_a_name_that_is_registered_with_what_looks_left_over_has_no_fault(name: str, code: str) -> None:
    assert code in {one.code for one in read(name).problems}
    assert found_in(name) == found_in(f"https://doi.org/{name}") == set()
    assert found_in(f"as in {name} (2011)") == {"surrounding-text"}


def test_the_same_dois_twice_stay_a_repetition() -> None:
    assert found_in("10.1000/182 10.1000/182") == {"repeated-prefix"}


def found_in(text: str) -> set[str]:
    """The codes where the name as read is registered."""
    reading = read(text)
    report = judge(reading, ProxyAnswers(agency=WhichRaAnswer(str(reading.doi), ra="Crossref")), quick=True)
    return {one.code for one in report.problems}
