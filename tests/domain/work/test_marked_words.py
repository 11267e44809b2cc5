"""Which words of a text are marked because another doesn't have them."""

import pytest

from resolver.domain.work.titles import mark_other_words


def marked(text: str, other: str) -> str:
    return "".join(f"[{piece.text}]" if piece.differs else piece.text for piece in mark_other_words(text, other))


@pytest.mark.parametrize(
    ("text", "other", "shown"),
    [
        ("Off-diagonal book Ramsey numbers", "Off-diagonal Ramsey numbers", "Off-diagonal [book] Ramsey numbers"),
        ("Off-diagonal Ramsey numbers", "Off-diagonal book Ramsey numbers", "Off-diagonal Ramsey numbers"),
        ("Colour, in <i>Über</i>-soils", "COLOR in Uber soils", "Colour, in <i>Über</i>-soils"),
        ("Off diagonal", "off-diagonal", "Off diagonal"),
        ("Off-diagonal", "off diagonal", "Off-diagonal"),
        ("Multi-agent systems", "Single agent systems", "[Multi-agent] systems"),
        ("two new  words", "words", "[two new]  words"),
        ("— : —", "x", "— : —"),
        ("", "x", ""),
        ("alone", "", "[alone]"),
    ],
)
def test_words_that_the_other_text_lacks_are_marked(text: str, other: str, shown: str) -> None:
    assert marked(text, other) == shown


def test_the_pieces_of_a_huge_text_are_the_text_and_its_end_is_not_looked_at() -> None:
    text = "a b " * 100_000
    pieces = mark_other_words(text, "b " * 100_000)
    assert "".join(piece.text for piece in pieces) == text
    assert len(pieces) <= 2002
