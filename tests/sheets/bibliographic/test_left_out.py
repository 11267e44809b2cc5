"""Names that a file can't hold: they are told, and the record stays as it is."""

import pytest

from tests.sheets.bibliographic import made_files
from tests.sheets.bibliographic.written import left_out, written

DOI = (b"024", b"7 \x1fa10.1000/182\x1f2doi")
FULL_RECORD = made_files.make_marc(
    [(b"001", b"id1"), DOI, *[(b"500", b"  \x1fa" + b"x" * 9_000)] * 11, (b"500", b"  \x1fa" + b"x" * 600)]
)


@pytest.mark.parametrize(
    ("kind", "data", "name", "record", "why"),
    [
        ("marc", made_files.make_marc([DOI], coding=b" "), "10.1000/ü", "1", "MARC-8"),
        (
            "marc",
            made_files.make_marc([(DOI[0], DOI[1] + b"\x1fx" + b"x" * 9_960)]),
            "10.1000/" + "y" * 100,
            "1",
            "9,999",
        ),
        ("marc", FULL_RECORD, "10.1000/" + "y" * 900, "id1", "99,999"),
        ("bibtex", b"@book{key, doi = {10.1000/182}}", "10.1000/a{b", "key", "braces"),
        ("bibtex", b'@book{key, doi = "10.1000/182"}', '10.1000/a"b', "key", "quotation mark"),
        ("bibtex", b'@book{key, doi = a # "10.1000/182"}', "10.1000/1", "key", "#"),
        ("marcxml", made_files.MARCXML.encode(), "10.1000/\x01", "id1", "U+0001"),
        ("ris", "TY  - JOUR\nDO  - 10.1000/ü\n".encode("cp1252"), "10.1000/č", "1", "č"),
    ],
)
def test_it_is_told_with_its_place_and_the_reason(kind: str, data: bytes, name: str, record: str, why: str) -> None:
    [left] = left_out(kind, data, {1: name})
    assert (left.number, left.record, left.name) == (1, record, name)
    assert why in str(left.reason)
    assert written(kind, data, {1: name}) == data


def test_what_fits_is_written_and_not_told() -> None:
    assert left_out("marc", made_files.MARC, {1: "10.5555/new", 2: "10.1000/182"}) == []
