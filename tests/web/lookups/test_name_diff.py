"""What was changed to come from what was given to the suggestion."""

import pytest

from resolver.web.lookups.name_diff import compare_names
from resolver.web.wording.highlight import split_at_problems
from resolver.web.wording.text_filters import render_diff, render_stretches


def shown(given: str, other: str) -> tuple[list[tuple[str, str]], tuple[str, ...]]:
    found = compare_names(given, other)
    assert found
    parts = [(part.kind, "".join(glyph.label or glyph.text for glyph in part.glyphs)) for part in found.parts]
    return parts, found.words


@pytest.mark.parametrize(
    ("given", "other", "parts", "words"),
    [
        ("10.1/ab.", "10.1/ab", [("", "10.1/ab"), ("del", ".")], "We removed “.”."),
        ("10.1/a", "10.1/a#b", [("", "10.1/a"), ("ins", "#b")], "We added “#b”."),
        ("10.1/a\u200bb", "10.1/ab", [("", "10.1/a"), ("del", "U+200B"), ("", "b")],
         "We removed an invisible character (zero width space)."),
        ("10.1/a b", "10.1/ab", [("", "10.1/a"), ("del", "␣"), ("", "b")], "We removed the space."),
        ("10.1/a1O0", "10.1/a100", [("", "10.1/a1"), ("del", "O"), ("ins", "0"), ("", "0")],
         "We changed the letter O to a zero."),
    ],
)  # fmt: skip
def test_each_change_is_marked_and_said(given: str, other: str, parts: list[tuple[str, str]], words: str):
    assert shown(given, other) == (parts, (words,))


@pytest.mark.clause("S11")
def test_equal_changes_are_said_once():
    parts, words = shown("10.1/a–b–c", "10.1/a-b-c")
    assert [kind for kind, _ in parts] == ["", "del", "ins", "", "del", "ins", ""]
    assert words == ("We changed “–” (en dash) to “-”.",)


@pytest.mark.parametrize("other", ["10.1/ab", "10.9876/else.where", "10.1/ab" + "x" * 400])
def test_what_is_the_same_or_another_name_or_too_long_is_not_compared(other: str):
    assert compare_names("10.1/ab", other) is None


def test_what_a_stranger_wrote_is_escaped_where_it_is_compared_and_marked():
    found = compare_names("10.1000/<b>&a", "10.1000/<b>&c")
    assert found
    assert render_diff(found.parts) == (
        '10.1000/&lt;b&gt;&amp;<del><span class="vh">removed: </span>a<span class="vh"> </span></del>'
        '<ins><span class="vh">added: </span>c<span class="vh"> </span></ins>'
    )
    fault = {"severity": "error", "start": 8, "end": 11}
    assert render_stretches(split_at_problems("10.1000/<b>", [fault])) == (
        '10.1000/<mark class="error">&lt;b&gt;<sup><span class="vh">problem </span>1</sup></mark>'
    )
