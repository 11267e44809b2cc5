"""XLSX out: sheets of strings that a spreadsheet takes as they are, streamed, split where a sheet is full."""

import io
from collections.abc import Iterator

import openpyxl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from python_calamine import CalamineWorkbook

from doi_reading import CATALOGUE
from resolver.services.result_files.columns import RESULT_COLUMNS
from resolver.services.result_files.result_row import ResultRow
from resolver.sheets.output.csv_and_jsonl import escape_formula
from resolver.sheets.output.legend import CONTINUED
from resolver.sheets.output.xlsx import TooManyColumns, generate_xlsx
from tests.sheets.result_tables import make_table


def opened(blocks: Iterator[bytes]) -> openpyxl.Workbook:
    return openpyxl.load_workbook(io.BytesIO(b"".join(blocks)))


def test_a_workbook_holds_strings_only():
    cells = ["007", "1e5", "https://example.org", "2020-01-02", "'=1+1"]
    sheet = opened(generate_xlsx(make_table(list("abcde"), [ResultRow(cells)])))["Results"]
    found = [cell for cell in sheet[2] if cell.value is not None]
    assert [cell.value for cell in found] == cells
    assert {cell.data_type for cell in found} == {"s"}
    assert not any(cell.hyperlink for cell in found)


def test_a_workbook_takes_what_xml_cannot_hold():
    blocks = generate_xlsx(make_table(["a", "b"], [ResultRow(["x\ud800\uffff\x00\x0b", "_x0041_"])]))
    with CalamineWorkbook.from_filelike(io.BytesIO(b"".join(blocks))) as book:
        row = book.get_sheet_by_name("Results").to_python()[1]
    assert row[:2] == ["x\ufffd\ufffd\x00\x0b", "_x0041_"]


def test_a_cell_too_long_for_a_sheet_is_cut_and_says_so():
    value = opened(generate_xlsx(make_table(["a"], [ResultRow(["𝄞" * 20_000])])))["Results"]["A2"].value
    assert len(value.encode("utf-16-le")) // 2 <= 32_767
    assert value.endswith("[cut: the cell has 20,000 characters; CSV and JSON lines hold all of it]")


def test_the_legend_explains_every_column_outcome_and_problem():
    book = opened(generate_xlsx(make_table(["a"], [])))
    assert book.sheetnames == ["Results", "Legend"]
    values = [row[1] for row in book["Legend"].iter_rows(min_row=2, values_only=True)]
    assert values[: len(RESULT_COLUMNS)] == [column.name for column in RESULT_COLUMNS]
    assert {*CATALOGUE, "resolved", "unreachable"} <= set(values)
    meanings = [row[2] for row in book["Legend"].iter_rows(min_row=2, values_only=True)]
    assert not [meaning for meaning in meanings if "{" in meaning], "the name of a detail is nothing to a reader"
    assert not [meaning for meaning in meanings if "character still works" in meaning]


def test_the_legend_names_a_column_as_the_sheet_does():
    book = opened(generate_xlsx(make_table(["doi"], [])))
    assert next(row[1] for row in book["Legend"].iter_rows(min_row=2, values_only=True)) == "doi_2"


def test_rows_that_a_sheet_cannot_hold_go_on_in_the_next_below_the_same_header():
    rows = [ResultRow([f"row {number}"], doi=f"10.1/{number}") for number in range(1, 8)]
    book = opened(generate_xlsx(make_table(["a"], rows), sheet_rows=4))
    assert book.sheetnames == ["Results", "Results 2", "Results 3", "Legend"]
    sheets = [[cells[:2] for cells in book[name].iter_rows(values_only=True)] for name in book.sheetnames[:3]]
    assert [sheet[0] for sheet in sheets] == [("a", "doi")] * 3
    assert [len(sheet) for sheet in sheets] == [4, 4, 2]
    assert [cells for sheet in sheets for cells in sheet[1:]] == [(row.cells[0], row.doi) for row in rows]
    told = [cells for cells in book["Legend"].iter_rows(values_only=True) if cells[0] == "sheet"]
    assert told == [("sheet", "Results 2", CONTINUED), ("sheet", "Results 3", CONTINUED)]


@pytest.mark.parametrize(("rows", "sheets"), [(0, 1), (1, 1), (3, 1), (4, 2), (6, 2), (7, 3)])
def test_a_full_sheet_is_followed_by_another_only_where_rows_are_left(rows: int, sheets: int):
    book = opened(generate_xlsx(make_table(["a"], [ResultRow(["x"])] * rows), sheet_rows=4))
    assert len(book.sheetnames) == sheets + 1
    assert sum(book[name].max_row - 1 for name in book.sheetnames[:-1]) == rows


def test_a_sheet_ends_before_its_xml_is_too_long_for_a_zip_archive():
    book = opened(generate_xlsx(make_table(["a"], [ResultRow(["x" * 1000])] * 1000), sheet_bytes=200_000))
    assert len(book.sheetnames) == 7
    assert sum(book[name].max_row - 1 for name in book.sheetnames[:-1]) == 1000


def test_more_columns_than_a_sheet_holds_are_refused_before_a_row_is_read():
    def unread() -> Iterator[ResultRow]:
        raise AssertionError
        yield

    with pytest.raises(TooManyColumns, match="Download the CSV"):
        generate_xlsx(make_table([""] * 16_375, unread()))


def test_the_workbook_is_given_in_blocks_while_its_rows_are_read():
    read = []

    def rows() -> Iterator[ResultRow]:
        for number in range(5000):
            read.append(number)
            yield ResultRow([f"{number} {'x' * 100}"])

    blocks = generate_xlsx(make_table(["a"], rows()))
    assert next(blocks)
    assert len(read) < 1000
    assert max(map(len, blocks)) < 100_000
    assert len(read) == 5000


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\ufffe\uffff"), max_size=40)))
def test_a_workbook_gives_back_every_cell(cells: list[str]):
    names = [str(number) for number, _ in enumerate(cells)]
    with CalamineWorkbook.from_filelike(
        io.BytesIO(b"".join(generate_xlsx(make_table(names, [ResultRow(cells, doi="x")]))))
    ) as book:
        row = book.get_sheet_by_name("Results").to_python()[1]
    assert row == [*map(escape_formula, cells), "x", *[""] * (len(row) - len(cells) - 1)]


def test_the_header_row_stays_in_sight_and_columns_beyond_z_have_their_letters():
    names = [f"name {number}" for number in range(1000)]
    sheet = opened(generate_xlsx(make_table(names, [ResultRow(names)])))["Results"]
    assert sheet.freeze_panes == "A2"
    assert (sheet["Z2"].value, sheet["AA2"].value, sheet["ALL2"].value) == ("name 25", "name 26", "name 999")
