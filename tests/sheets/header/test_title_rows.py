"""Titles above the table: the header below them is found, and they are no rows of the list."""

from pathlib import Path

import pytest
import xlsxwriter

from resolver.sheets.header.title_rows import MAX_TITLE_ROWS
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


@pytest.mark.parametrize("titles", [1, 2, 5, MAX_TITLE_ROWS])
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


def test_more_lines_than_ten_above_a_header_without_a_telling_name_stay_rows(reader: SheetReader):
    found = reader("Loans\n" * (MAX_TITLE_ROWS + 1) + "Ref,Link,Name\n" + "a,10.1000/1,A\n" * 5)
    assert (found.layout.header_row, found.layout.total) == (0, MAX_TITLE_ROWS + 6)


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


ROWS = "".join(f"T{n},10.60055/k.{n},https://p.example.org/{n}\n" for n in range(4))


@pytest.mark.parametrize("header", ["Title,DOI,URL", "Titel,DOI-Link,Adresse", "name,Article DOI,url", "TI,DO,UR"])
@pytest.mark.parametrize(
    "above",
    [
        "Run by,library,2026-11-01\n",
        "Work,Work,Access\n",
        "Report: E-book DOIs\n\n",
        "Filters: Year = 2020,Type = Book,Status = Active\n",
        "Library,Report,Date\n",
        "Institution,Example University,Berlin\nPeriod,2026-01-01,2026-10-31\n",
        "Exported,from,Alma\n\n",
        "A,,C\n",
        "1,2,3\n",
        "a,b,c,d,e\n",
        "DOI list,x,y\n",
        "DOI,,\n",
        "A1,B1,C1\nA2,B2,C2\nA3,B3,C3\n",
        "a;b;c\n",
    ],
)
def test_titles_may_be_as_wide_as_the_header_that_stands_above_the_dois(reader: SheetReader, above: str, header: str):
    found = reader(f"{above}{header}\n{ROWS}")
    assert found.layout.header[:3] == tuple(header.split(","))
    assert (found.layout.header_row, found.layout.total) == (above.count("\n") + 1, 4)
    assert found.dois == [f"10.60055/k.{n}" for n in range(4)]


@pytest.mark.parametrize("titles", [11, 50, 190])
@pytest.mark.parametrize("line", ["Meta", "Meta,,", "Meta,more,2026"])
@pytest.mark.parametrize("column", [None, "DOI", "url"])
def test_a_header_above_dois_is_found_far_below(reader: SheetReader, titles: int, line: str, column: str | None):
    found = reader(f"{line}\n" * titles + "Title,DOI,URL\n" + ROWS, column)
    assert (found.layout.header, found.layout.header_row) == (("Title", "DOI", "URL"), titles + 1)
    assert found.layout.column == (2 if column == "url" else 1)


@pytest.mark.parametrize("above", ["Meta\n" * 12, "Key,value\n" * 12, "Run by,library,2026\n"])
def test_a_named_header_without_a_doi_in_the_first_rows_is_found_too(reader: SheetReader, above: str):
    found = reader(f"{above}Title,DOI,URL\n" + "Journal,,https://p.example.org/\n" * 300 + ROWS)
    assert (found.layout.column_name, found.layout.total) == ("DOI", 304)


def test_an_entry_that_says_doi_is_no_header_of_a_plain_list(reader: SheetReader):
    assert reader("PMID 1\nsee DOI\n10.1000/1\n").layout.total == 3


@pytest.mark.parametrize(("names", "rows"), [(";", ","), ("\t", ","), (",", ";"), (",", "\t"), ("|", ","), (";", "\t")])
@pytest.mark.parametrize("above", ["", "My list\n\n"])
@pytest.mark.parametrize("column", [None, "DOI"])
def test_the_header_may_have_another_separator_than_its_rows(
    reader: SheetReader, names: str, rows: str, above: str, column: str | None
):
    found = reader(f"{above}Title,DOI,URL\n".replace(",", names) + ROWS.replace(",", rows), column)
    assert (found.layout.header, found.layout.delimiter) == (("Title", "DOI", "URL"), rows)
    assert found.dois == [f"10.60055/k.{n}" for n in range(4)]


def test_a_column_that_is_not_there_is_refused_with_the_setting_for_a_header_further_down(reader: SheetReader):
    assert "header_row" in reader.refused("Report,x\nTitle,Link\nA,10.1000/1\n", "DOI").reason


def test_many_rows_full_of_names_take_no_long_time(reader: SheetReader):
    assert reader((",".join(["DOI"] * 300) + "\n") * 150 + "x,10.1000/1\n", "DOI").layout.header_row == 0
