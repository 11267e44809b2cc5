"""Records without a DOI: in a list that searches for DOIs each is a row, in all other lists nothing changes."""

import dataclasses
from pathlib import Path

import pytest

from resolver.domain.work.row_work import RowWork
from resolver.sheets.errors import UnreadableFile
from resolver.sheets.file_findings import SheetFindings
from resolver.sheets.input.layout import Layout
from resolver.sheets.input.layout_choices import LayoutChoices
from resolver.sheets.input.layout_detection import detect_layout_from_start, detect_table_layout
from resolver.sheets.input.place_rows import HEADER, describe_place, describe_row_work
from resolver.sheets.input.table import read_numbered_table
from tests.sheets.bibliographic import made_files
from tests.sheets.reader import read_table

BIB = b"""@article{a, title = {First}, author = {Doe, Jane}, year = 2001}
@article{b, title = {Second}, doi = {10.1000/2}, url = {https://doi.org/10.1000/2}}
@article{c, title = {open
@article{d, title = {Fourth}, doi = {}}
@article{e, title = {Fifth}, doi = {10.1000/5}}
"""
WITHOUT = {
    "ris": (b"TY  - JOUR\nTI  - A\nER  - \n", "DO", "yes"),
    "nbib": (b"PMID- 1\nTI  - A\n", "LID", "yes"),
    "enw": (b"%0 Book\n%T A\n", "R", "yes"),
    "bibtex": (b"@book{a, title = {A}}\n", "doi", "yes"),
    "csl-json": (b'[{"id": "a", "type": "book", "title": "A"}]', "DOI", "yes"),
    "json": (b'[{"key": "a", "name": "A"}]', "DOI", "no"),
    "endnote-xml": (b"<xml><records><record/></records></xml>", "electronic-resource-num", "no"),
    "marc": (made_files.make_marc([(b"001", b"a"), (b"245", b"10\x1faA")]), "024$a", "no"),
    "marcxml": (
        b'<collection xmlns="http://www.loc.gov/MARC21/slim"><record><datafield tag="200" ind1=" " ind2=" ">'
        b'<subfield code="a">A</subfield></datafield></record></collection>',
        "017$a",
        "no",
    ),
    "mrk": (b"=LDR  00000nam a2200000 a 4500\n=245  10$aA\n", "024$a", "no"),
}  # fmt: skip
SEARCH = LayoutChoices(all_records=True)


def write(folder: Path, data: bytes) -> Path:
    path = folder / "upload"
    path.write_bytes(data)
    return path


def list_rows(folder: Path, data: bytes) -> tuple[Layout, list[list[str]]]:
    """Return the layout and the rows of a list that searches."""
    path = write(folder, data)
    layout = detect_table_layout(path, choices=SEARCH)
    return layout, list(read_table(path, Layout.from_json(layout.to_json())))


def test_each_record_without_a_doi_is_a_row_in_the_order_of_the_file(tmp_path: Path) -> None:
    layout, rows = list_rows(tmp_path, BIB)
    assert [row[:3] for row in rows] == [
        ["a", "doi", ""],
        ["b", "doi", "10.1000/2"],
        ["b", "url", "https://doi.org/10.1000/2"],
        ["3", "", ""],
        ["d", "doi", ""],
        ["e", "doi", "10.1000/5"],
    ]
    assert (layout.total, layout.without_doi, layout.all_records) == (6, (2, 5), True)
    assert describe_row_work(rows[0]) == RowWork("First", ("Doe, Jane",), "2001")
    assert describe_place(rows[0]) == {"record": "a", "field": "doi", "writable": True, "reason": None}
    assert layout.get_cell(rows[0]) == ""


def test_without_a_search_they_have_no_row(tmp_path: Path) -> None:
    path = write(tmp_path, BIB)
    layout = detect_table_layout(path)
    assert [row[0] for row in read_table(path, layout)] == ["b", "b", "3", "e"]
    assert (layout.total, layout.without_doi, layout.all_records) == (4, (2, 5), False)


@pytest.mark.parametrize("kind", WITHOUT)
def test_the_row_says_which_field_the_doi_goes_into_and_whether_it_can(kind: str, tmp_path: Path) -> None:
    data, field, writable = WITHOUT[kind]
    layout, [row] = list_rows(tmp_path, data)
    values = dict(zip(HEADER, row, strict=True))
    assert (layout.kind, values["field"], values["value"], values["writable"]) == (kind, field, "", writable)
    assert ("CSV" in values["reason"]) == (writable == "no")


@pytest.mark.parametrize("kind", WITHOUT)
def test_a_file_without_any_doi_is_refused_unless_it_is_searched_for(kind: str, tmp_path: Path) -> None:
    path = write(tmp_path, WITHOUT[kind][0])
    for detect in (detect_table_layout, detect_layout_from_start):
        assert detect(path, choices=SEARCH).total == 1
        with pytest.raises(UnreadableFile):
            detect(path)


def test_a_file_without_a_record_is_refused_also_then(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile):
        detect_table_layout(write(tmp_path, b"TY  - JOUR\n".replace(b"TY", b"@comment{TY") + b"}"), choices=SEARCH)


def test_a_search_that_is_chosen_later_counts_the_rows(tmp_path: Path) -> None:
    path = write(tmp_path, BIB)
    plain, searching = detect_table_layout(path), detect_table_layout(path, choices=SEARCH)
    assert plain.with_all_records() == searching
    assert searching.with_all_records() == searching
    table = detect_table_layout(write(tmp_path, b"doi,title\n10.1000/1,A\n,B\n"))
    assert table.with_all_records() == table


def test_a_doi_in_a_field_that_is_not_read_is_not_added_again(tmp_path: Path) -> None:
    choices = dataclasses.replace(SEARCH, fields=("url",))
    path = write(tmp_path, BIB)
    rows = list(read_table(path, detect_table_layout(path, choices=choices)))
    assert [(row[0], row[1], row[6]) for row in rows] == [
        ("a", "doi", "yes"),
        ("b", "url", "yes"),
        ("3", "", "no"),
        ("d", "doi", "yes"),
        ("e", "doi", "no"),
    ]


def test_the_first_place_of_each_row_is_that_of_its_record(tmp_path: Path) -> None:
    info, path = SheetFindings(), write(tmp_path, BIB)
    layout = detect_table_layout(path, choices=SEARCH)
    assert [info.first_place for _ in read_numbered_table(path, layout, info)] == [1, 2, 2, 4, 5, 6]


def test_a_long_file_of_records_without_a_doi_is_read_from_its_start(tmp_path: Path) -> None:
    path = write(tmp_path, b"TY  - JOUR\nTI  - A\nER  - \n" * 30_000)
    layout = detect_layout_from_start(path, choices=SEARCH)
    assert (layout.complete, layout.total >= 10_000) == (False, True)
    assert sum(1 for _ in read_table(path, layout)) == 30_000


def test_rows_without_a_doi_count_for_the_bound_on_rows(tmp_path: Path) -> None:
    path = write(tmp_path, b"TY  - JOUR\nTI  - A\nER  - \n" * 11)
    with pytest.raises(UnreadableFile, match="10 rows"):
        detect_table_layout(path, choices=SEARCH, max_rows=10)
