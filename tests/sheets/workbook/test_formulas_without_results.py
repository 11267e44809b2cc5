"""Formulas that a program wrote into a workbook, and no spreadsheet has worked out: told, where the DOIs are meant."""

import io

import openpyxl
import pytest

from tests.sheets.made_workbooks import ods, ods_cell, ods_row, xlsx
from tests.sheets.reader import SheetReader

LINK = '=HYPERLINK("https://doi.org/"&C2,C2)'  # one that says all by itself is read, see test_hyperlinks.py
TOLD = "formulas without results"


def _written(*rows: list[object]) -> bytes:
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("rows", "line"),
    [
        ([["id", "doi"], [1, LINK], [2, LINK]], 2),
        ([["id", "link"], [1, LINK], [2, LINK]], 2),
        ([["doi"], [LINK]], 2),
        ([[LINK], [LINK]], 1),
        ([["id", "doi"], [1, "10.1000/1"], [2, LINK], [3, LINK]], 3),
    ],
)
def test_formulas_in_the_place_of_dois_refuse_the_file_with_what_helps(
    reader: SheetReader, rows: list[list[object]], line: int
):
    error = reader.refused(_written(*rows))
    assert (error.line, TOLD in error.reason, "save it" in error.reason) == (line, True, True)


def test_so_do_those_of_an_opendocument_sheet(reader: SheetReader):
    cell = '<table:table-cell table:formula="of:=HYPERLINK()"/>'
    assert TOLD in reader.refused(ods(ods_row("id", "doi") + ods_row("1", cell) + ods_row("2", cell))).reason


def test_formulas_beside_the_dois_or_below_them_refuse_nothing(reader: SheetReader):
    found = reader(_written(["doi", "n"], ["10.1000/1", "=1+1"], ["10.1000/2", "=1+2"], ["=COUNTA(A2:A3)"]))
    assert found.dois == ["10.1000/1", "10.1000/2"]


def test_a_result_that_is_an_empty_text_is_a_result(reader: SheetReader):
    name = '<c t="str"><v>{}</v></c>'.format
    empty = '<c t="str"><f>IF(B2,B2,"")</f><v></v></c>'
    assert reader(xlsx(f"<row>{name('doi')}{name('n')}</row>" + f"<row>{empty}{name('A')}</row>" * 2)).dois == ["", ""]
    empty = ods_cell(kind="string", string_value="").replace(" office", ' table:formula="of:=A1" office', 1)
    assert reader(ods(ods_row("doi", "n") + ods_row(empty, "A") * 2)).dois == ["", ""]


def test_a_sheet_of_formulas_alone_does_not_speak_for_the_next_one(reader: SheetReader):
    book = openpyxl.Workbook()
    for row in range(1, 4):
        book.active.cell(row, 1, LINK)
    listed = book.create_sheet("List")
    listed.append(["t", "doi"])
    listed.append(["A", "10.1000/1"])
    buffer = io.BytesIO()
    book.save(buffer)
    found = reader(buffer.getvalue(), "t")
    assert (found.layout.sheet, found.dois) == ("List", ["A"])
