"""Which sheet of a workbook is read: the first one with a DOI in its column, for every way in."""

from pathlib import Path
from typing import Any

import pytest
import xlsxwriter

from resolver.sheets.input.layout_choices import LayoutChoices
from resolver.sheets.input.layout_detection import detect_layout_from_start
from tests.sheets.reader import SheetReader

TITLES = [["Title", "DOI"], *([f"T{n}", f"10.60055/k.{n}"] for n in range(4))]
FIRST = {
    "a column": [["Made by the vendor"], ["See sheet 2"]],
    "two columns": [["Version", "2026"], ["Made", "by us"]],
    "names and no DOI": [["Title", "DOI"], ["A", ""]],
    "a heading": [["Report"]],
    "nothing": [],
}


def _make(folder: Path, **sheets: list[list[str]]) -> bytes:
    with xlsxwriter.Workbook(folder / "made.xlsx") as book:
        for name, rows in sheets.items():
            sheet = book.add_worksheet(name)
            for number, row in enumerate(rows):
                sheet.write_row(number, 0, row)
    return (folder / "made.xlsx").read_bytes()


@pytest.mark.parametrize("first", FIRST)
@pytest.mark.parametrize("column", [None, "DOI"])
@pytest.mark.parametrize("between", [0, 1, 7])
def test_a_sheet_without_dois_is_passed_over(
    reader: SheetReader, tmp_path: Path, first: str, column: str | None, between: int
):
    others: dict[str, Any] = {f"Info {n}": FIRST["two columns"] for n in range(between)}
    found = reader(_make(tmp_path, ReadMe=FIRST[first], **others, Titles=TITLES), column)
    assert (found.layout.sheet, found.layout.column_name) == ("Titles", "DOI")
    assert found.dois == [f"10.60055/k.{n}" for n in range(4)]


def test_the_first_sheet_with_dois_is_read_and_not_the_one_with_more(reader: SheetReader, tmp_path: Path):
    assert reader(_make(tmp_path, One=TITLES[:2], Two=TITLES)).layout.sheet == "One"


def test_a_workbook_without_dois_is_read_from_its_first_sheet(reader: SheetReader, tmp_path: Path):
    assert reader(_make(tmp_path, ReadMe=FIRST["a column"], More=FIRST["a column"])).layout.sheet == "ReadMe"


def test_a_chosen_sheet_is_read_whatever_it_has(tmp_path: Path):
    path = tmp_path / "made.xlsx"
    _make(tmp_path, ReadMe=FIRST["a column"], Titles=TITLES)
    assert detect_layout_from_start(path, choices=LayoutChoices(sheet=0)).sheet == "ReadMe"


def test_a_column_that_no_sheet_has_is_refused(reader: SheetReader, tmp_path: Path):
    refused = reader.refused(_make(tmp_path, ReadMe=FIRST["two columns"], Titles=TITLES), "Lost")
    assert "no column “Lost”" in refused.reason
