"""What stands around the names of a text is told where it stands, and no more than that."""

import pytest

from resolver.domain.parsing.parse import read_input


@pytest.mark.parametrize(
    ("text", "around"),
    [
        ("see 10.1000/1 and 10.1000/2 here", ["see", "and", "here"]),
        ("see: 10.1000/1", ["see:"]),
        ("10.1000/1 and then 10.1000/2", ["and then"]),
        ("10.1000/1, 10.1000/2", []),
        ("10.1000/1; 10.1000/2 (2011)", ["(2011)"]),
    ],
)
def test_each_piece_around_a_name_is_marked(text: str, around: list[str]) -> None:
    spans = [(one.start, one.end) for one in read_input(text).problems if one.code == "surrounding-text"]
    assert [text[start:end] for start, end in spans] == around
