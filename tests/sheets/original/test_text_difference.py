"""What differs between two texts of a cell, and the format of each difference."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from resolver.sheets.original.text_difference import find_differences
from resolver.sheets.original.xlsx.rich_text import build_string_content

_TEXTS = st.lists(st.sampled_from(["10.1000/181", "10.1000/1", "; ", "see", " ", "a", ""]), max_size=6).map("".join)


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("10.1000/1; x; 10.1000/2", "10.1000/17; x; 10.1000/28", [(9, 9, "7"), (23, 23, "8")]),
        ("see 10.1000/1", "see 10.5000/1", [(7, 8, "5")]),
        ("10.1000/1 2", "10.1000/12", [(9, 10, "")]),
        ("", "a", [(0, 0, "a")]),
        ("a", "a", []),
    ],
)
def test_words_are_compared_one_by_one_if_both_have_as_many(
    old: str, new: str, expected: list[tuple[int, int, str]]
) -> None:
    assert list(find_differences(old, new)) == expected


def test_a_text_between_two_that_change_keeps_its_format() -> None:
    runs = [("", "10.1000/1"), ("<\x01b/>", "; x; "), ("", "10.1000/2")]
    for new in ("10.1000/7; x; 10.1000/8", "10.1000/17; x; 10.1000/28"):
        first, last = new.split("; x; ")
        assert build_string_content("", runs, new) == (
            f'<r><t>{first}</t></r><r><b/><t xml:space="preserve">; x; </t></r><r><t>{last}</t></r>'
        )


@given(st.lists(_TEXTS, min_size=2, max_size=5), _TEXTS)
def test_the_runs_together_are_the_new_text(parts: list[str], new: str) -> None:
    content = build_string_content("", [(f"<\x01{'bi'[at % 2]}/>", part) for at, part in enumerate(parts)], new)
    for tag in ("<r>", "</r>", "<b/>", "<i/>", "<t>", '<t xml:space="preserve">', "</t>"):
        content = content.replace(tag, "")
    assert content == new
