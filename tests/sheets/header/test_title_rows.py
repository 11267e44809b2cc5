"""Titles above the table: the header below them is found, and they are no rows of the list."""

from pathlib import Path

import pytest
import xlsxwriter

from resolver.sheets.header.title_rows import MOST_TITLES
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
def test_the_header_below_a_title_is_found_whatever_the_kind_of_file(
    reader: SheetReader, tmp_path: Path, kind: str, column: str | None
):
    found = reader(_made(tmp_path, kind, TITLED), column)
    assert (found.layout.has_header, found.layout.header_row, found.layout.header) == (True, 3, ("id", "DOI", "cites"))
    assert found.dois == ["10.1000/1", "10.1000/2"]


@pytest.mark.parametrize("kind", ["csv", "padded", "xlsx"])
def test_another_column_may_be_named_too(reader: SheetReader, tmp_path: Path, kind: str):
    assert reader(_made(tmp_path, kind, TITLED), "cites").dois == ["", "10.1000/3"]


@pytest.mark.parametrize("titles", [1, 2, 5, MOST_TITLES])
@pytest.mark.parametrize("header", ["id,DOI,title", "Ref,Link,Name"])
@pytest.mark.parametrize("between", ["", "\n"])
def test_up_to_ten_lines_of_titles_stand_above_a_header(reader: SheetReader, titles: int, header: str, between: str):
    lines = "".join(f"Report, part {'x' * (n + 1)}\n{between}" if n else f"Loans\n{between}" for n in range(titles))
    rows = "".join(f"{n},10.1000/{n},A\n" for n in range(9))
    found = reader(f"{lines}{header}\n{rows}")
    expected = header.startswith("id") or titles == 1
    assert (found.layout.header == tuple(header.split(","))) is expected
    if expected:
        assert found.layout.header_row == titles * (2 if between else 1) + 1
        assert found.dois == [f"10.1000/{n}" for n in range(9)]


def test_more_lines_than_ten_stay_rows(reader: SheetReader):
    found = reader("Loans\n" * (MOST_TITLES + 1) + "id,DOI,title\n" + "a,10.1000/1,A\n" * 5)
    assert (found.layout.header_row, found.layout.total) == (0, MOST_TITLES + 6)


def test_a_title_above_a_list_of_one_column_is_no_row(reader: SheetReader):
    found = reader("My reading list\n\nDOI\n10.1000/1\nnothing\n")
    assert (found.layout.header, found.layout.header_row) == (("DOI",), 3)
    assert found.dois == ["10.1000/1", "nothing"]


@pytest.mark.parametrize(
    "text",
    [
        "10.1000/9\nid,DOI,title\na,10.1000/1,A\nb,10.1000/2,B\n",
        "cites 10.1000/9,,\nid,DOI,title\na,10.1000/1,A\nb,10.1000/2,B\n",
    ],
)
def test_no_row_with_a_doi_is_taken_for_a_title(reader: SheetReader, text: str):
    found = reader(text)
    assert (found.layout.header_row, found.layout.total) == (0, 4)


def test_records_above_the_first_doi_are_no_titles(reader: SheetReader):
    found = reader("id,title,link\na,A,\nb,B,none\nc,C,10.1000/1\nd,D,10.1000/2\n")
    assert (found.layout.header, found.layout.total) == (("id", "title", "link"), 4)


def test_references_in_lines_stay_a_list(reader: SheetReader):
    text = "References\nSmith, A book\nJones, doi:10.1000/1\nMiller, doi:10.1000/2\n"
    assert reader(text).layout.delimiter == ""


@pytest.mark.parametrize("rows", ["a,b\nDOI,x\nx,10.1000/1\n", "a,\nx,10.1000/1\nDOI,10.1000/2\n"])
def test_a_cell_of_the_table_names_no_column(reader: SheetReader, rows: str):
    assert "no column “DOI”" in reader.refused(rows, "DOI").reason


def test_a_name_over_the_first_column_alone_is_still_a_header(reader: SheetReader):
    found = reader("Title,\nA,10.1000/1\nB,10.1000/2\n")
    assert (found.layout.header, found.dois) == (("Title", ""), ["10.1000/1", "10.1000/2"])
