"""Whole numbers in what strangers send."""

import pytest

from resolver.domain.foreign_text import parse_whole_number


@pytest.mark.parametrize(
    ("text", "number"),
    [("0", 0), ("7", 7), ("007", 7), ("99", 99), ("100", 99), ("1000", 99), ("9" * 5000, 99), ("0" * 5000 + "8", 8)],
    ids=lambda value: str(value)[:10],
)
def test_digits_give_their_number_and_beyond_the_most_the_most(text: str, number: int) -> None:
    assert parse_whole_number(text, 99) == number


@pytest.mark.parametrize("text", ["", " 1", "1 ", "+1", "-1", "1_0", "1.0", "²", "٣", "１", "x", "\x00"])
def test_anything_else_is_no_number(text: str) -> None:
    assert parse_whole_number(text, 99) is None
