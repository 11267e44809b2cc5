"""Problems are marked where they are, and what cannot be seen is named."""

from dataclasses import asdict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from doi_reading import read
from resolver.web.wording.highlight import name_characters, number_problems, split_at_problems, to_glyphs


def problem(start: int, end: int, severity: str = "error") -> dict[str, object]:
    return {"code": "x", "severity": severity, "message": "", "start": start, "end": end}


def shown(text: str, *problems: dict[str, object]) -> list[tuple[str, str, tuple[int, ...]]]:
    return [
        ("".join(g.label or g.text for g in s.glyphs), s.severity, s.numbers) for s in split_at_problems(text, problems)
    ]


def test_a_problem_is_marked_in_place():
    assert shown("10.1/a#b", problem(6, 8)) == [("10.1/a", "", ()), ("#b", "error", (1,))]


def test_a_problem_of_the_record_marks_nothing():
    assert shown("10.1/a", problem(0, 0)) == [("10.1/a", "", ())]


def test_where_problems_overlap_the_worst_severity_wins_and_each_is_numbered_where_it_ends():
    found = shown("abcdef", problem(0, 4, "info"), problem(2, 6, "warning"))
    assert found == [("ab", "info", ()), ("cd", "warning", (1,)), ("ef", "warning", (2,))]


def test_a_space_inside_a_longer_stretch_at_fault_is_left_alone():
    assert shown("a; b c", problem(3, 6)) == [("a; ", "", ()), ("b c", "error", (1,))]


def test_spaces_are_shown_at_the_ends_and_where_they_are_at_fault():
    assert shown(" a b c ", problem(2, 3)) == [
        ("␣", "", ()), ("a", "", ()), ("␣", "error", (1,)), ("b c", "", ()), ("␣", "", ()),
    ]  # fmt: skip


@pytest.mark.parametrize("blank", [" ", "    "])
def test_a_text_of_spaces_alone_is_shown(blank: str):
    assert "".join(label for label, _, _ in shown(blank)) == "␣" * len(blank)


@pytest.mark.clause("S2")
@pytest.mark.parametrize(
    ("character", "label"),
    [
        ("\u200b", "U+200B"),
        ("\u202e", "U+202E"),
        ("\x00", "U+0000"),
        ("\n", "U+000A"),
        ("\u00a0", "U+00A0"),
        ("\ud800", "U+D800"),
        ("\ue000", "U+E000"),
        ("\U000e0041", "U+E0041"),
        ("\u2028", "U+2028"),
    ],
)
def test_what_cannot_be_seen_is_shown_by_its_code_point(character: str, label: str):
    assert [g.label or g.text for g in to_glyphs(f"a{character}b")] == ["a", label, "b"]


@pytest.mark.clause("S11")
def test_characters_that_the_eye_cannot_tell_apart_are_named():
    assert name_characters("\u2013") == "en dash"
    assert name_characters("\u200b\u200b,") == "zero width space"
    assert name_characters("\t") == "tab"
    assert (name_characters("#7"), name_characters(""), name_characters("\u2013" * 4)) == ("", "", "")


def test_letters_of_any_script_are_left_alone():
    assert [g.text for g in to_glyphs("10.1/Áрוב北é")] == ["10.1/Áрוב北é"]


def test_a_long_text_is_cut():
    assert sum(len(label) for label, _, _ in shown("x" * 100_000, problem(99_000, 99_001))) == 4000


@given(
    st.text(max_size=40),
    st.lists(
        st.tuples(st.integers(0, 50), st.integers(0, 50), st.sampled_from(["error", "warning", "info"])), max_size=5
    ),
)
def test_nothing_of_the_text_is_lost_or_doubled(text: str, spans: list[tuple[int, int, str]]):
    stretches = split_at_problems(text, [problem(*span) for span in spans])
    assert sum(len(g.text) if g.text else 1 for s in stretches for g in s.glyphs) == len(text)


@pytest.mark.clause("S11")
def test_equal_problems_share_a_number_and_are_told_once_with_their_places():
    dash = {"code": "look-alike", "severity": "warning", "message": "a dash"}
    other = {"code": "x", "severity": "error", "message": "z", "start": 2, "end": 3}
    numbered, told = number_problems("a–z–", [{**dash, "start": 1, "end": 2}, other, {**dash, "start": 3, "end": 4}])
    assert [(each["number"], each["places"], each["named"]) for each in told] == [(1, 2, "en dash"), (2, 1, "")]
    assert [stretch.numbers for stretch in split_at_problems("a–z–", numbered)] == [(), (1,), (2,), (1,)]


def test_problems_of_one_code_are_one_with_the_details_of_all():
    text = "http://doi.org/10.5555/é-à-é-ü-ö-ß-å"
    numbered, told = number_problems(text, [asdict(one) for one in read(text).problems])
    assert {each["code"]: (each["places"], each["marked"]) for each in told} == {
        "unescaped-non-ascii": (7, True),
        "old-resolver": (1, True),
    }
    letters = next(each for each in told if each["code"] == "unescaped-non-ascii")
    assert letters["message"].startswith("é, à, ü, ö, ß, … are not ASCII characters.")
    assert {each["number"] for each in numbered if each["code"] == "unescaped-non-ascii"} == {letters["number"]}


def test_a_line_break_has_its_sign_and_breaks_the_line():
    assert shown("a\nb") == [("a↵b", "", ())]
    assert "".join(glyph.text for glyph in split_at_problems("a\nb", [])[0].glyphs) == "a\nb"
