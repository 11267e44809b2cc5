"""Which fields are places of DOIs, and which of them may be written."""

import pytest

from tests.sheets.bibliographic import made_files
from tests.sheets.bibliographic.written import places, read, written

FIELDS = {
    "ris": ["DO", "UR", "DO", "DO", "N1"],
    "nbib": ["LID", "AID", "LID"],
    "enw": ["R", "U", "R"],
    "bibtex": ["doi", "url", "note", "doi", "doi"],
    "csl-json": ["DOI", "URL", "DOI", "note"],
    "json": ["DOI", "DOI", "DOI"],
    "endnote-xml": ["electronic-resource-num", "related-urls", "electronic-resource-num"],
    "marcxml": ["024$a", "856$u", "773$o"],
    "mrk": ["024$a", "856$u", "773$o"],
}


@pytest.mark.parametrize("kind", sorted(FIELDS))
def test_each_format_reads_its_fields(kind: str) -> None:
    assert [place.field for place in places(kind, made_files.TEXTS[kind].encode())] == FIELDS[kind]


def test_marc_21_and_unimarc_read_their_fields() -> None:
    fields = [place.field for place in places("marc", made_files.MARC)]
    assert fields == ["024$a", "856$u", "024$a", "024$z", "773$o", "017$a"]


@pytest.mark.parametrize("kind", sorted(FIELDS))
def test_a_record_tells_which_work_it_is_about(kind: str) -> None:
    record = read(kind, made_files.TEXTS[kind].encode())[0]
    assert record.work.title.lower().replace("{", "").startswith("a ")


@pytest.mark.parametrize(
    ("kind", "data", "why"),
    [
        ("ris", b"TY  - JOUR\nUR  - https://www.sciencedirect.com/doi/10.1000/182\nER  - \n", "publisher"),
        ("bibtex", b'@a{x, doi = pre # "/182"}', "#"),
        ("marc", made_files.make_marc([(b"024", b"7 \x1fz10.1000/182\x1f2doi")]), "cancelled"),
    ],
)
def test_what_can_not_be_written_says_why_and_stays(kind: str, data: bytes, why: str) -> None:
    [place] = places(kind, data)
    assert why in str(place.reason)
    assert written(kind, data, {1: "10.5555/new"}) == data


@pytest.mark.parametrize(
    ("kind", "data", "name", "new"),
    [
        (
            "ris",
            b"TY  - JOUR\nUR  - http://dx.doi.org/10.1000/182\nER  - \n",
            "10.1000/a#b",
            b"https://doi.org/10.1000/a%23b",
        ),
        ("ris", b"TY  - JOUR\nUR  - doi:10.1000/182.\nER  - \n", "10.1000/182", b"UR  - doi:10.1000/182\n"),
        ("bibtex", b"@a{x, doi = {10.1000/a\\_b.}}", "10.1000/a_b", b"{10.1000/a\\_b}"),
        ("bibtex", b"@a{x, doi = {10.1000/a{\\_}b.}}", "10.1000/a_b", b"{10.1000/a{\\_}b}"),
        ("csl-json", b'[{"DOI": "10.1000/1"}]', '10.1000/a"b', b'"10.1000/a\\"b"'),
        ("marcxml", made_files.MARCXML.encode(), "10.1000/a&b", b">\x2010.1000/a&amp;b <"),
        ("mrk", made_files.MRK.encode(), "10.1000/c$d", b"$a10.1000/c{dollar}d$2doi"),
    ],
)
def test_a_name_is_written_as_the_field_and_the_format_need_it(kind: str, data: bytes, name: str, new: bytes) -> None:
    assert new in written(kind, data, {1: name})
