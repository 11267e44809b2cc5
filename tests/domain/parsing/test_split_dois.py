"""A text with several DOIs, divided: each DOI has a text of its own, and none is lost."""

import pytest

from doi_reading.parsing.cell_hyperlink import read_cell_and_hyperlink
from doi_reading.parsing.parse import LONGEST_TEXT, read_input
from doi_reading.parsing.split_dois import split_dois


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
    assert split_dois(read_input(text)) == parts


def test_the_doi_of_a_hyperlink_has_a_part_too():
    reading = read_cell_and_hyperlink("10.1000/1", "https://doi.org/10.1000/2")
    assert split_dois(reading) == ["10.1000/1", "10.1000/2"]


def test_the_parts_of_a_long_text_are_its_dois():
    text = "; ".join(f"10.1000/{n}" for n in range(700))[:LONGEST_TEXT]
    reading = read_input(text)
    parts = split_dois(reading)
    assert len(parts) == 1 + len(reading.others)
