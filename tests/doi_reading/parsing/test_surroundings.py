"""What stands around the names of a text is told where it stands, and no more than that."""

import pytest

from doi_reading import read


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
    spans = [(one.start, one.end) for one in read(text).problems if one.code == "surrounding-text"]
    assert [text[start:end] for start, end in spans] == around


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("See doi:10.17147/asui..", "10.17147/asui."),
        ("in 10.21637/gt.2011.2.05., and", "10.21637/gt.2011.2.05."),
    ],
)
def test_a_name_that_ends_in_a_full_stop_is_offered_without_the_sign_of_the_sentence(text: str, name: str) -> None:
    assert read(text).candidates[0].doi == name


@pytest.mark.parametrize("text", ["10.5194/acp-10-1-2010, 2010", "https://doi.org/10.5194/acp-10-1-2010; 2010a."])
def test_a_year_after_a_comma_or_a_semicolon_is_other_text(text: str) -> None:
    reading = read(text)
    assert (str(reading.doi), {one.code for one in reading.problems}) == ("10.5194/acp-10-1-2010", {"surrounding-text"})
