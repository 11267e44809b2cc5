"""What other programs write or leave out, and what is read all the same."""

import pytest

from resolver.sheets.bibliographic.formats import find_format
from tests.sheets.bibliographic import made_files
from tests.sheets.bibliographic.written import places, read, written

DOI = (b"024", b"7 \x1fa10.1000/182\x1f2doi")


def test_a_record_whose_directory_counts_characters_is_read_and_never_written() -> None:
    title = "Müller über Öl".encode()
    whole = made_files.make_marc([(b"245", b"10\x1fa" + title), DOI])
    directory = b"245%04d00000024%04d%05d" % (5 + 14, len(DOI[1]) + 1, 5 + 14)
    wrong = whole[:24] + directory + whole[48:]
    [record] = read("marc", wrong)
    assert (record.work.title, [place.text for place in record.places]) == ("Müller über Öl", ["10.1000/182"])
    assert "directory" in str(record.places[0].reason)
    assert written("marc", wrong, {1: "10.5555/new"}) == wrong


def test_of_fields_that_share_bytes_none_is_written() -> None:
    whole = made_files.make_marc([DOI, (b"856", b"40\x1fux")])
    shared = whole[:36] + b"024" + whole[27:36] + whole[48:]
    found = places("marc", shared)
    assert [place.text for place in found] == ["10.1000/182"] * 2
    assert all(place.reason for place in found)
    assert written("marc", shared, {1: "10.5555/a", 2: "10.5555/b"}) == shared


def test_an_entry_that_was_commented_out_is_none() -> None:
    data = b"%@book{a,\n%  doi = {10.1000/1}\n%}\n% \n@book{b, doi = {10.1000/2}}\n"
    assert [place.text for place in places("bibtex", data)] == ["10.1000/2"]


def test_comments_between_fields_and_a_missing_comma_are_passed_over() -> None:
    data = b"@book{a,\n  title = {T}, % a comment = {x}\n  year = 2001\n  doi = {10.1000/1} % the last\n}"
    [record] = read("bibtex", data)
    assert (record.work.title, record.work.year, record.places[0].text) == ("T", "2001", "10.1000/1")
    assert written("bibtex", data, {1: "10.5555/new"}) == data.replace(b"10.1000/1", b"10.5555/new")


def test_a_record_behind_an_empty_line_needs_no_first_tag() -> None:
    nbib = b"PMID- 1\nLID - 10.1000/1 [doi]\n\nOWN - X\nLID - 10.1000/2 [doi]\n"
    enw = b"%A Doe\n%R 10.1000/1\n\n%A Roe\n%R 10.1000/2\n"
    for kind, data in (("nbib", nbib), ("enw", enw)):
        assert [[place.text for place in record.places] for record in read(kind, data)] == [
            ["10.1000/1"],
            ["10.1000/2"],
        ]


COCHRANE = (
    'Record #1 of 2\nProvider: John Wiley & Sons, Ltd.\nContent: text/plain; charset="UTF-8"\n\n'
    "TY  - JOUR\nAN  - CN-1\nAU  - Smith, J\nTI  - A trial\nYR  - 2010\n%s\nER  - \n\n"
    'Record #2 of 2\nProvider: John Wiley & Sons, Ltd.\nContent: text/plain; charset="UTF-8"\n\n'
    "TY  - JOUR\nAN  - CN-2\nTI  - Another\n"
)


@pytest.mark.parametrize(
    ("line", "field"),
    [
        ("DOI  - 10.1002/14651858.CD000001", "DOI"),
        ("DOI - 10.1002/14651858.CD000001", "DOI"),
        ("DOI: 10.1002/14651858.CD000001", "DOI"),
        ("DO  - 10.1002/14651858.CD000001", "DO"),
        ("L3  - http://dx.doi.org/10.1002/14651858.CD000001", "L3"),
        ("N1  - DOI: 10.1002/14651858.CD000001", "N1"),
    ],
)
def test_the_ris_of_the_cochrane_library_is_read(line: str, field: str) -> None:
    data = (COCHRANE % line).encode()
    form = find_format(data)
    assert form is not None
    assert form.kind == "ris"
    first, second = read("ris", data)
    assert (first.name, first.work.title, first.work.year) == ("CN-1", "A trial", "2010")
    assert (second.name, second.fault) == ("CN-2", None)
    [place] = first.places
    assert (place.field, place.text.removeprefix("http://dx.doi.org/")) == (field, "10.1002/14651858.CD000001")
