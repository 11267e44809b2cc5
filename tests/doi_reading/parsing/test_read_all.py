"""A text with several DOIs, divided: each DOI has a text of its own, and none is lost."""

import pytest

from doi_reading import LONGEST_TEXT, find_parts, read, read_all


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("10.1000/1; 10.1000/2", ["10.1000/1", "10.1000/2"]),
        ("10.1000/1;10.1000/2,10.1000/3", ["10.1000/1", "10.1000/2", "10.1000/3"]),
        ("10.1000/1 and https://doi.org/10.1000/2#x", ["10.1000/1", "https://doi.org/10.1000/2#x"]),
        ("see 10.1000/1 | doi:10.1000/2", ["see 10.1000/1", "doi:10.1000/2"]),
        ("10.1000/1\n10.1000/2\n", ["10.1000/1", "10.1000/2"]),
        ("10.1000/a; 10.1000/A; 10.1000/b", ["10.1000/a", "10.1000/b"]),
        ("10.1000/1; 10.1000/2<br>_12; 10.1000/3", ["10.1000/1", "10.1000/2<br>_12", "10.1000/3"]),
        ("10.1000/1_; 10.1000/2</span>-12", ["10.1000/1_", "10.1000/2</span>-12"]),
        ("10.1000/1", ["10.1000/1"]),
        ("nothing; here", ["nothing; here"]),
        ("", [""]),
    ],
)
def test_each_doi_has_its_part_of_the_text(text: str, parts: list[str]):
    assert [one.input for one in read_all(text)] == parts


def test_the_doi_of_a_hyperlink_has_a_part_too():
    found = read_all("10.1000/1", "https://doi.org/10.1000/2")
    assert [one.input for one in found] == ["10.1000/1", "10.1000/2"]


def test_the_parts_of_a_long_text_are_its_dois():
    text = "; ".join(f"10.1000/{n}" for n in range(700))[:LONGEST_TEXT]
    reading = read(text)
    parts = [one.input for one in read_all(text)]
    assert len(parts) == 1 + len(reading.others)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("10.1000/1||https://doi.org/10.1000/2", ["10.1000/1", "https://doi.org/10.1000/2"]),
        ("http://hdl.handle.net/123/456||10.1000/1", ["10.1000/1"]),
        ("10.1000/1||x||10.1000/1; 10.1000/2", ["10.1000/1", "10.1000/2"]),
        ("x||1O.1000/1", ["1O.1000/1"]),
        ("10.1000/1||10,1000/2", ["10.1000/1", "10,1000/2"]),
        ("10.1000/1||10 1000/2||p. 10-15", ["10.1000/1", "10 1000/2"]),
        ("10.1000/1||10.1000-2", ["10.1000/1", "10.1000-2"]),
        ("10.1000/1||https://doi.org/", ["10.1000/1", "https://doi.org/"]),
        ("||10.1000/1||", ["10.1000/1"]),
        ("http://hdl.handle.net/123/456||x", ["http://hdl.handle.net/123/456||x"]),
        ("||||", ["||||"]),
    ],
)
def test_values_joined_by_two_bars_are_read_one_by_one(text: str, parts: list[str]):
    assert [one.input for one in read_all(text)] == parts


def test_the_doi_of_a_hyperlink_stands_beside_the_values():
    found = read_all("10.1000/1||x", "https://doi.org/10.1000/2")
    assert [str(one.doi) for one in found] == ["10.1000/1", "10.1000/2"]


def test_the_places_of_the_parts_are_in_the_text():
    text = "see 10.1000/1; doi:10.1000/2 || x||10.1000/3 "
    assert [text[start:end] for start, end in find_parts(text)] == [
        "see 10.1000/1",
        "doi:10.1000/2",
        " x",
        "10.1000/3",
    ]
