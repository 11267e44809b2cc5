"""The numbers of rows, as a spreadsheet shows them: header, titles and empty rows count."""

import io

import pytest
import xlsxwriter

from resolver.sheets.input.table import read_numbered_table
from tests.sheets.reader import SheetReader


def numbered(reader: SheetReader, content: str | bytes) -> list[tuple[int, str]]:
    found = reader(content)
    return [(number, found.layout.get_cell(cells)) for number, cells in read_numbered_table(found.path, found.layout)]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("doi,t\n10.1000/1,A\n10.1000/2,B\n", [(2, "10.1000/1"), (3, "10.1000/2")]),
        ("10.1000/1\n10.1000/2\n", [(1, "10.1000/1"), (2, "10.1000/2")]),
        ('doi,t\n10.1000/1,"A\n\nB"\n10.1000/2,B\n', [(2, "10.1000/1"), (3, "10.1000/2")]),
        ("\n\ndoi,t\n10.1000/1,A\n\n,\n10.1000/2,B\n", [(4, "10.1000/1"), (5, ""), (6, ""), (7, "10.1000/2")]),
        ("Loans\n\nid,doi\na,10.1000/1\nb,10.1000/2\n", [(4, "10.1000/1"), (5, "10.1000/2")]),
        ("sep=;\ndoi;t\n10.1000/1;A\n", [(2, "10.1000/1")]),
    ],
)
def test_the_rows_of_a_text(reader: SheetReader, content: str, expected: list[tuple[int, str]]):
    assert numbered(reader, content) == expected


def workbook() -> bytes:
    out = io.BytesIO()
    with xlsxwriter.Workbook(out) as book:
        sheet = book.add_worksheet()
        for row, cells in {2: ["Loans"], 4: ["id", "DOI"], 5: ["a", "10.1000/1"], 8: ["b", "10.1000/2"]}.items():
            sheet.write_row(row, 0, cells)
    return out.getvalue()


def test_the_rows_of_a_workbook_with_gaps(reader: SheetReader):
    assert numbered(reader, workbook()) == [(6, "10.1000/1"), (7, ""), (8, ""), (9, "10.1000/2")]
