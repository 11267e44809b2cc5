"""A field for names keeps what is no DOI: another identifier, or a link."""

import pytest

from tests.sheets.bibliographic.written import left_out, places, written

NAME = "10.1000/abc"


def make_fields(value: str) -> list[tuple[str, bytes]]:
    return [
        ("ris", f"TY  - JOUR\nDO  - {value}\nER  - \n".encode()),
        ("bibtex", f"@article{{x, doi = {{{value}}}}}\n".encode()),
    ]


@pytest.mark.parametrize(
    "value",
    [
        "arXiv:2001.00001; 10.1000/abc",
        "10.1000/abc; PMID: 31986264",
        "10.1000/abc, ISBN 978-3-16-148410-0",
        "10.1000/abc https://publisher.example.org/full.pdf",
        "10.1000/abc (accessed 2024, PMID 31986264)",
        "10.1000/abc 5",
        "PMID: 31986264",
        "Smith (2020) A long title",
    ],
)
def test_a_value_with_another_identifier_stays_and_is_told(value: str) -> None:
    for kind, data in make_fields(value):
        assert written(kind, data, {1: NAME}) == data
        assert len(left_out(kind, data, {1: NAME})) == 1


@pytest.mark.parametrize(
    "value",
    ["see 10.1000/abc", "10.1000/abc (accessed 12 March 2024)", "10.1000/ abc", "10,1000/abc", "n/a", "10.1000/abc."],
)
def test_a_damaged_value_becomes_the_name(value: str) -> None:
    for kind, data in make_fields(value):
        assert written(kind, data, {1: NAME}) == data.replace(value.encode(), NAME.encode())


def test_a_number_before_the_doi_of_pubmed_stays() -> None:
    data = b"PMID- 1\nLID - Suppl 10.1 10.1000/abc [doi]\nTI  - A title\n"
    [place] = places("nbib", data)
    assert "There is other text beside" in str(place.reason)
    assert written("nbib", data, {1: NAME}) == data


def test_a_link_keeps_a_parameter_beside_one_that_measures_visits() -> None:
    data = b"TY  - JOUR\nUR  - https://doi.org/10.1000/abc?utm_source=x&id=2\nER  - \n"
    assert written("ris", data, {1: NAME}) == data
    assert written("ris", data.replace(b"&id=2", b""), {1: NAME}) == data.replace(b"?utm_source=x&id=2", b"")
