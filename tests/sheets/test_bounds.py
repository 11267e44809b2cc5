"""Bounds: told with their figure and the line; a text too long to be read as a DOI is its row's fault alone."""

import csv
import gzip
from collections.abc import Iterator
from pathlib import Path

import pytest
import xlsxwriter

from tests.sheets.made import ods, ods_row, strings, xlsx
from tests.sheets.reader import Reader


@pytest.fixture
def limit_of_the_process() -> Iterator[None]:
    before = csv.field_size_limit()
    yield
    csv.field_size_limit(before)


def test_more_rows_than_allowed_are_refused(reader: Reader):
    error = reader.refused("doi\n" + "10.1000/1\n" * 4, max_rows=3)
    assert (error.line, "3 rows" in error.reason) == (5, True)
    assert reader("doi\n" + "10.1000/1\n" * 3, max_rows=3).layout.total == 3


def test_more_empty_rows_than_rows_are_allowed_are_refused(reader: Reader):
    error = reader.refused("doi\n10.1000/1\n" + "\n" * 4, max_rows=3)
    assert (error.line, "More than the 3 rows allowed are empty" in error.reason) == (6, True)


@pytest.mark.parametrize("kind", ["csv", "xlsx"])
@pytest.mark.parametrize("row", [["x" * 11, "10.1000/1"], ["x", "10.1000/" + "x" * 3]])
def test_a_cell_beyond_the_bound_of_all_columns_refuses_the_file(
    reader: Reader, tmp_path: Path, kind: str, row: list[str]
):
    error = reader.refused(_table(tmp_path, kind, [["note", "doi"], ["x", "10.1000/1"], row]), max_field=10)
    assert (error.line, "the 10 characters allowed" in error.reason) == (3, True)


def test_cells_at_the_bound_are_rows_however_many_they_are(reader: Reader):
    assert reader("note,doi\n" + ",".join(["x" * 9, "10.1000/1", "y" * 9, "z" * 9]), max_field=9).layout.total == 1


def test_what_is_too_long_to_be_read_as_a_doi_is_no_fault_of_the_file(reader: Reader):
    long = "10.1000/" + "x" * 20_000
    assert reader(f"doi,n\n10.1000/1,1\n{long},2\n10.1000/3,3\n").dois == ["10.1000/1", long, "10.1000/3"]


@pytest.mark.usefixtures("limit_of_the_process")
def test_a_cell_longer_than_the_csv_reader_takes_by_itself_is_read_where_it_is_allowed(reader: Reader):
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
def test_a_text_of_a_workbook_that_does_not_end_is_refused_with_its_line(reader: Reader, kind: str):
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


def test_a_gzip_bomb_is_refused_with_the_figure(reader: Reader):
    packed = gzip.compress(b"doi\n" + b"10.1000/1\n" * 1_000_000)
    assert len(packed) < 30_000
    assert "more than the 9,000,000 bytes allowed" in reader.refused(packed, max_expanded=9_000_000).reason


def test_what_unpacks_to_no_more_than_allowed_is_read(reader: Reader):
    content = b"doi\n10.1000/1\n"
    assert reader(gzip.compress(content), max_expanded=len(content)).layout.total == 1
    assert "allowed" in reader.refused(gzip.compress(content), max_expanded=len(content) - 1).reason


def test_text_that_is_not_packed_is_bounded_by_the_bytes_of_the_upload_alone(reader: Reader):
    assert reader(b"doi\n10.1000/1\n", max_expanded=1).layout.total == 1
