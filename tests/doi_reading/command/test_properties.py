"""A property of each correction of a file."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from doi_reading.command.file_text import FileText, RefusedFile
from doi_reading.command.findings import find_in_file
from doi_reading.command.formats import FORMATS
from tests.doi_reading.strategies import PROPERTY

OLD, LINK = "http://dx.doi.org/10.1000/182", "https://doi.org/10.1000/182"
PIECES = [
    OLD,
    LINK,
    "https://doi.org/10.1002/1<2>3",
    "https://doi.org/10.1000/a[1]",
    "dx.doi.org/",
    "https://doi.org/",
    "doi:",
    "doi: ",
    "10.1000/a-",
    "10.1000/ab",
    "\n",
    " ",
    ",",
    ";",
    "\t",
    '"',
    "'",
    "<",
    ">",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "},",
    "doi = {",
    "%3C",
    "DO  - ",
    "UR  - ",
    "ER  - ",
    "<p>",
    '<a href="',
    "&amp;",
    "\u00fc",
    "\u3092",
    "\u2020",
    "#x",
    "?a=b",
    ".",
    "-",
    "_",
    "\\",
    "/",
    "see",
]


@pytest.mark.parametrize("suffix", sorted(set(FORMATS) - {".json"}))
@PROPERTY
@given(st.lists(st.sampled_from(PIECES), max_size=14).map("".join))
def test_a_corrected_file_has_the_same_dois_and_its_corrections_are_done(suffix: str, text: str) -> None:
    found = find_in_file(FileText(text), f"a{suffix}")
    try:
        corrected = found.correct()
    except RefusedFile:  # rare: it stays as it is
        return
    again = find_in_file(FileText(corrected), f"a{suffix}")
    assert (again.names, again.edits) == (found.names, [])
