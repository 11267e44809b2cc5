"""Identifiers that are joined without white space are separated where both are whole."""

import time

import pytest

from doi_reading import LONGEST_TEXT, read, read_all

FIRST, SECOND = "10.1371/journal.pone.0147776", "10.1007/978-3-031-33333-4_12"
OTHERS = (
    "9783161484100", "978-3-16-148410-0", "0-306-40615-2", "PMC1234567", "PMID:12345678", "0317-8471", "ISSN:0317-8471",
    "urn:nbn:de:101:1-201102033592", "hdl:2027/mdp.1", "ark:/12148/btv1b8449691v", "arXiv:2101.00001",
    "0000-0002-1825-0097", "https://www.jstor.org/stable/123", "https://pubmed.ncbi.nlm.nih.gov/12345678/",
)  # fmt: skip


@pytest.mark.parametrize("separator", ["||", "|", ";", ";;", "|||"])
@pytest.mark.parametrize("first", ["", "https://doi.org/", "doi:", "https://onlinelibrary.wiley.com/doi/"])
@pytest.mark.parametrize("second", ["", "https://doi.org/", "doi:", "http://dx.doi.org/"])
def test_two_dois_are_two_and_can_be_split(separator: str, first: str, second: str) -> None:
    text = f"{first}{FIRST}{separator}{second}{SECOND}"
    reading = read(text)
    assert (str(reading.doi), reading.others) == (FIRST, (SECOND,))
    assert "several-dois" in {one.code for one in reading.problems}
    assert [one.input for one in read_all(text)] == [f"{first}{FIRST}", f"{second}{SECOND}"]


@pytest.mark.parametrize("separator", ["||", "|", ";"])
@pytest.mark.parametrize("other", OTHERS)
@pytest.mark.parametrize("link", ["", "https://doi.org/"])
def test_another_identifier_beside_a_doi_is_other_text(separator: str, other: str, link: str) -> None:
    for text in (f"{link}{FIRST}{separator}{other}", f"{other}{separator}{link}{FIRST}"):
        reading = read(text)
        assert (str(reading.doi), reading.others, reading.form) == (FIRST, (), "text"), text
        assert [one.code for one in reading.problems] == ["surrounding-text"], text


@pytest.mark.parametrize(
    "name",
    [
        "10.1002/(SICI)1099-1409(199908/10)3:6/7<672::AID-JPP192>3.0.CO;2-8",
        "10.1000/abc;1",
        "10.1000/abc;2-8",
        "10.1000/abc|smith",
        "10.1000/abc|12345678",
        "10.1000/abc;12345678",
        "10.1000/abc;978-3-16-148410-1",
        "10.1000/abc|b|c",
    ],
)
def test_what_is_no_whole_identifier_is_a_part_of_the_name(name: str) -> None:
    assert str(read(name).doi) == name


@pytest.mark.parametrize("piece", [";978", "|0-", ";urn:a", "|https://a/", ";pm", "|10.1/", ";10.1000/a", "|isbn 9"])
def test_many_separators_are_looked_at_once(piece: str) -> None:
    text = ("10.1000/a" + piece * LONGEST_TEXT)[:LONGEST_TEXT]
    before = time.process_time()
    read(text)
    assert time.process_time() - before < 0.5
