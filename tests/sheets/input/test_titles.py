"""A title above the table: its rows stay rows, and the column is found by what stands below it."""

from pathlib import Path

import pytest
import xlsxwriter

from tests.sheets.reader import SheetReader

TITLED = [
    ["Report of the library"],
    [],
    ["id", "DOI", "cites"],
    ["a", "10.1000/1", ""],
    ["b", "10.1000/2", "10.1000/3"],
]


def _made(folder: Path, kind: str, rows: list[list[str]]) -> bytes:
    if kind == "csv":
        return "".join(",".join(row) + "\n" for row in rows).encode()
    if kind == "padded":
        return "".join(",".join(row + [""] * (len(rows[-1]) - len(row))) + "\n" for row in rows).encode()
    with xlsxwriter.Workbook(folder / "made.xlsx") as book:
        sheet = book.add_worksheet()
        for number, row in enumerate(rows):
            sheet.write_row(number, 0, row)
    return (folder / "made.xlsx").read_bytes()


@pytest.mark.parametrize("kind", ["csv", "padded", "xlsx"])
@pytest.mark.parametrize("column", [None, "DOI", "doi", "column 2"])
def test_the_rows_of_a_title_stay_rows_whatever_the_kind_of_file(
    reader: SheetReader, tmp_path: Path, kind: str, column: str | None
):
    found = reader(_made(tmp_path, kind, TITLED), column)
    assert (found.layout.has_header, found.dois) == (False, ["", "", "DOI", "10.1000/1", "10.1000/2"])


@pytest.mark.parametrize("kind", ["padded", "xlsx"])
def test_another_column_may_be_named_too(reader: SheetReader, tmp_path: Path, kind: str):
    assert reader(_made(tmp_path, kind, TITLED), "cites").dois[2:] == ["cites", "", "10.1000/3"]


@pytest.mark.parametrize("rows", ["a,b\nDOI,x\nx,10.1000/1\n", "a,\nx,10.1000/1\nDOI,10.1000/2\n"])
def test_a_cell_of_the_table_names_no_column(reader: SheetReader, rows: str):
    assert "no column “DOI”" in reader.refused(rows, "DOI").reason


def test_a_name_over_the_first_column_alone_is_still_a_header(reader: SheetReader):
    found = reader("Title,\nA,10.1000/1\nB,10.1000/2\n")
    assert (found.layout.header, found.dois) == (("Title", ""), ["10.1000/1", "10.1000/2"])
