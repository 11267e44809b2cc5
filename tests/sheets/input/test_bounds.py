"""Bounds: told with their figure and the line; a text too long to be read as a DOI is its row's fault alone."""

import csv
import gzip
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import xlsxwriter

from resolver.sheets.errors import UnreadableFile
from resolver.sheets.input.layout_detection import detect_layout_from_start
from tests.sheets.made_workbooks import ods, ods_cell, ods_row, relations, sheet, strings, xlsx
from tests.sheets.reader import SheetReader


@pytest.fixture
def limit_of_the_process() -> Iterator[None]:
    before = csv.field_size_limit()
    yield
    csv.field_size_limit(before)


def test_more_rows_than_allowed_are_refused(reader: SheetReader):
    error = reader.refused("doi\n" + "10.1000/1\n" * 4, max_rows=3)
    assert (error.line, "3 rows" in error.reason) == (5, True)
    assert reader("doi\n" + "10.1000/1\n" * 3, max_rows=3).layout.total == 3


def test_more_empty_rows_than_rows_are_allowed_are_refused(reader: SheetReader):
    error = reader.refused("doi\n10.1000/1\n" + "\n" * 4, max_rows=3)
    assert (error.line, "more than 3 empty rows" in error.reason) == (6, True)


@pytest.mark.parametrize("kind", ["csv", "xlsx"])
@pytest.mark.parametrize("row", [["x" * 11, "10.1000/1"], ["x", "10.1000/" + "x" * 3]])
def test_a_cell_beyond_the_bound_of_all_columns_refuses_the_file(
    reader: SheetReader, tmp_path: Path, kind: str, row: list[str]
):
    error = reader.refused(_table(tmp_path, kind, [["note", "doi"], ["x", "10.1000/1"], row]), max_field=10)
    assert (error.line, "the 10 characters allowed" in error.reason) == (3, True)


def test_cells_at_the_bound_are_rows_however_many_they_are(reader: SheetReader):
    assert reader("note,doi\n" + ",".join(["x" * 9, "10.1000/1", "y" * 9, "z" * 9]), max_field=9).layout.total == 1


def test_what_is_too_long_to_be_read_as_a_doi_is_no_fault_of_the_file(reader: SheetReader):
    long = "10.1000/" + "x" * 20_000
    assert reader(f"doi,n\n10.1000/1,1\n{long},2\n10.1000/3,3\n").dois == ["10.1000/1", long, "10.1000/3"]


@pytest.mark.slow
@pytest.mark.usefixtures("limit_of_the_process")
def test_a_cell_longer_than_the_csv_reader_takes_by_itself_is_read_where_it_is_allowed(reader: SheetReader):
    note = "x" * 1_500_000
    assert reader(f"note,doi\n{note},10.1000/1\n", max_field=2_000_000).dois == ["10.1000/1"]
    assert reader.refused(f"note,doi\n{note},10.1000/1\n").line == 2


def _table(folder: Path, kind: str, rows: list[list[str]]) -> bytes:
    if kind == "csv":
        return "".join(",".join(row) + "\n" for row in rows).encode()
    with xlsxwriter.Workbook(folder / "made.xlsx") as book:
        sheet = book.add_worksheet()
        for number, row in enumerate(rows):
            sheet.write_row(number, 0, row)
    return (folder / "made.xlsx").read_bytes()


@pytest.mark.parametrize("kind", ["shared", "inline", "ods"])
def test_a_text_of_a_workbook_that_does_not_end_is_refused_with_its_line(reader: SheetReader, kind: str):
    long = "x" * 3_000_000
    rows = '<row><c t="s"><v>0</v></c></row>' + '<row><c t="s"><v>1</v></c></row>'
    made = {
        "shared": lambda: xlsx(
            rows, xl__sharedStrings=strings("<t>doi</t>", f"<r><t>{long}</t></r><r><t>{long}</t></r>")
        ),
        "inline": lambda: xlsx(f'<row/><row><c t="inlineStr"><is><t>{long}</t></is></c></row>'),
        "ods": lambda: ods(ods_row("doi") + ods_row(long)),
    }
    error = reader.refused(made[kind]())
    assert (error.line, "1,000,000 characters" in error.reason) == (2, True)


def test_what_unpacks_to_no_more_than_allowed_is_read(reader: SheetReader):
    content = b"doi\n10.1000/1\n"
    assert reader(gzip.compress(content), max_expanded=len(content)).layout.total == 1
    assert "allowed" in reader.refused(gzip.compress(content), max_expanded=len(content) - 1).reason


def test_text_that_is_not_packed_is_bounded_by_the_bytes_of_the_upload_alone(reader: SheetReader):
    assert reader(b"doi\n10.1000/1\n", max_expanded=1).layout.total == 1


def test_many_sheets_that_are_one_and_the_same_are_looked_at_once(reader: SheetReader):
    began = time.process_time()
    listed = '<sheet r:id="rId1"/>' * 5_000
    book = f'<workbook xmlns:r="r"><sheets>{listed}</sheets></workbook>'
    assert "no rows" in reader.refused(xlsx("<row/>" * 60_000, book=book)).reason
    assert time.process_time() - began < 20  # seconds; each look at it takes a tenth


def test_a_look_ends_after_some_bytes_of_sheets_without_rows_however_many_these_are(reader: SheetReader):
    empty = sheet(f"<!--{'x' * 1_000}-->" * 1_000)
    sheets = {f"xl__s{number}": empty for number in range(12)}
    book = "".join(f'<sheet r:id="i{number}"/>' for number in range(12))
    related = relations(**{f"i{number}": f"worksheet s{number}.xml" for number in range(12)})
    made = xlsx(book=f'<workbook xmlns:r="r"><sheets>{book}</sheets></workbook>', rels=related, **sheets)
    reader.path.write_bytes(made)
    with pytest.raises(UnreadableFile, match="does not begin within 8,388,608 bytes"):
        detect_layout_from_start(reader.path)


@pytest.mark.parametrize("cell", ["<c/>", '<c r="A3"/>', '<c r="XFD3"/>'])
def test_a_row_of_empty_cells_without_end_is_refused(reader: SheetReader, cell: str):
    table = '<row r="1"><c t="str"><v>doi</v></c></row><row r="2"><c t="str"><v>10.1000/1</v></c></row>'
    assert reader(xlsx(f'{table}<row r="3">{cell * 16_384}</row>')).dois == ["10.1000/1"]
    error = reader.refused(xlsx(f'{table}<row r="3">{cell * 16_385}</row>'))
    assert (error.line, "more than 16,384 cells" in error.reason) == (3, True)


def test_a_row_of_empty_cells_without_end_is_refused_in_an_ods_too(reader: SheetReader):
    row = f"<table:table-row>{'<table:table-cell/>' * 16_385}</table:table-row>"
    error = reader.refused(ods(ods_row("doi") + ods_row("10.1000/1") + row))
    assert (error.line, "more than 16,384 cells" in error.reason) == (3, True)


def test_rows_of_many_cells_that_are_repeated_without_end_are_refused(reader: SheetReader):
    cell = ods_cell("<text:p>x</text:p>", number_columns_repeated=2_000)
    row = f'<table:table-row table:number-rows-repeated="999999">{cell}</table:table-row>'
    error = reader.refused(ods(ods_row("doi") + row), "doi", max_expanded=10_000_000)
    assert (error.line, "10,000,000 characters" in error.reason) == (1_001, True)


@pytest.mark.slow
def test_a_refusal_names_columns_by_the_beginning_of_what_they_are_called(reader: SheetReader):
    names = ",".join("n" * 900_000 for _ in range(4))
    reason = reader.refused(f"{names}\n1,2,3,4\n").reason
    assert f"“{'n' * 80}…”" in reason
    assert len(reason) < 1_000
