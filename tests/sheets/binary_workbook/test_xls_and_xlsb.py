"""XLS and XLSB in: the same table that an XLSX gives, whoever wrote them."""

import datetime
import io
from collections.abc import Callable
from pathlib import Path

import openpyxl
import pytest

from resolver.sheets.errors import NeedsChoice
from resolver.sheets.input.layout_choices import LayoutChoices
from resolver.sheets.input.layout_detection import detect_table_layout
from resolver.sheets.input.preview import preview_sheet_names
from resolver.sheets.workbook.typed_cell import Cell
from tests.sheets.binary_workbook.made import Error, Sheet, Styled, xls, xlsb
from tests.sheets.reader import SheetReader, read_table

FILES = Path(__file__).parent / "excel_files"
ALL_ROWS = LayoutChoices(column=0, has_header=False)
NOON = datetime.datetime(2023, 3, 15, 12)  # noqa: DTZ001  (spreadsheets know no time zones)
HEAD = ["doi", "n", "whole", "day", "moment", "time", "length", "share", "yes"]
DOI = "10.1000/(SICI)1097<1::AID-Ü>3.0.CO;2-0"

Made = Callable[..., bytes]


@pytest.fixture(params=[xls, xlsb], ids=["xls", "xlsb"])
def made(request: pytest.FixtureRequest) -> Made:
    maker: Made = request.param
    return maker


def _xlsx() -> bytes:
    book = openpyxl.Workbook()
    book.active.append(HEAD)
    values = [DOI, 1 / 7, 2020, NOON.date(), NOON, datetime.time(6), datetime.timedelta(hours=30), 0.125, True]
    book.active.append(values)
    book.active["H2"].number_format = "0%"
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


def test_cells_are_the_text_that_an_xlsx_gives(reader: SheetReader, made: Made):
    row = [DOI, 1 / 7, 2020, Styled(45000, 1), Styled(45000.5, 2), Styled(0.25, 2), Styled(1.25, 3), Styled(0.125, 4)]
    found = reader(made(Sheet("One", [HEAD, [*row, True]])))
    assert found.layout.kind == ("xls" if made is xls else "xlsb")
    assert found.rows == reader(_xlsx()).rows


def test_numbers_dates_and_yes_and_no_keep_what_they_are(reader: SheetReader, made: Made):
    row = ["10.1000/1", 2020, Styled(45000, 1), Styled(45000.5, 2), Styled(0.25, 2), Styled(1.25, 3), True]
    cells = reader(made(Sheet("One", [HEAD[: len(row)], row]))).rows[0]
    kept = [(cell.value, cell.number_format) for cell in cells if isinstance(cell, Cell)]
    iso, elapsed = r"yyyy\-mm\-dd", 46
    assert kept == [
        ("2020", 0), ("45000", iso), ("45000.5", rf"{iso}\ hh:mm:ss"), ("0.25", 21), ("1.25", elapsed), (True, 0),
    ]  # fmt: skip


def test_rows_and_columns_keep_their_places(reader: SheetReader, made: Made):
    listed = [[], ["", "", "doi"], ["", "", "10.1000/1"], [], ["", "a", "10.1000/2"], ["", "  "]]
    found = reader(made(Sheet("One", listed)))
    assert found.rows == [["", "", "10.1000/1"], ["", "", ""], ["", "a", "10.1000/2"]]
    assert reader.refused(made(Sheet("One", [["doi"], [], ["10.1000/1"], ["x" * 50]])), max_field=40).line == 4


def test_hidden_sheets_are_not_read_and_not_offered(reader: SheetReader, made: Made):
    hidden, empty = Sheet("Hidden", [["doi"], ["10.1000/0"]], state=1), Sheet("Empty", [])
    found = reader(made(hidden, empty, Sheet("Ünï", [["doi"], ["10.1000/1"]]), Sheet("Last", [["10.1000/2"]])))
    assert (found.dois, found.layout.sheet) == (["10.1000/1"], "Ünï")
    assert preview_sheet_names(reader.path) == ["Empty", "Ünï", "Last"]


def test_where_all_sheets_are_hidden_they_are_read(reader: SheetReader, made: Made):
    assert reader(made(Sheet("Hidden", [["doi"], ["10.1000/0"]], state=2))).dois == ["10.1000/0"]


def test_another_sheet_can_be_chosen(reader: SheetReader, made: Made):
    reader(made(*(Sheet(name, [["doi"], [f"10.1000/{name}"]]) for name in "abc")))
    layout = detect_table_layout(reader.path, choices=LayoutChoices(sheet=1))
    assert (layout.sheet, list(read_table(reader.path, layout))) == ("b", [["10.1000/b"]])
    with pytest.raises(NeedsChoice, match="have this sheet"):
        detect_table_layout(reader.path, choices=LayoutChoices(sheet=3))


def test_an_error_is_an_empty_cell(reader: SheetReader, made: Made):
    found = reader(made(Sheet("One", [["doi", "n"], ["10.1000/1", Error()], [Error(), "a"]])))
    assert found.rows == [["10.1000/1", ""], ["", "a"]]


def test_a_sheet_without_rows_is_refused(reader: SheetReader, made: Made):
    assert "no rows" in reader.refused(made(Sheet("One", []))).reason
    assert "no sheet" in reader.refused(made()).reason


def test_a_row_of_more_cells_than_any_table_has_is_refused(reader: SheetReader):
    error = reader.refused(xlsb(Sheet("One", [["doi"], ["10.1000/1", *[""] * 2_000, "x"]])))
    assert (error.line, "2,000 cells" in error.reason) == (2, True)


@pytest.mark.slow
def test_an_xls_of_as_many_rows_as_there_can_be_is_read(reader: SheetReader):
    found = reader(xls(Sheet("One", [["doi"], *([f"10.1000/{number}"] for number in range(65_535))])))
    assert (found.layout.total, found.dois[-1]) == (65_535, "10.1000/65534")


@pytest.mark.parametrize("kind", ["xls", "xlsb"])
def test_what_excel_wrote_is_read(reader: SheetReader, kind: str):
    reader.path.write_bytes((FILES / f"any_sheets.{kind}").read_bytes())
    layout = detect_table_layout(reader.path, choices=ALL_ROWS)
    assert (layout.sheet, preview_sheet_names(reader.path)) == ("Visible", ["Visible"])
    assert list(read_table(reader.path, layout))[:2] == [["1", "2"], ["3", "4"]]


@pytest.mark.parametrize("kind", ["xls", "xlsb"])
def test_days_may_count_from_1904(reader: SheetReader, kind: str):
    reader.path.write_bytes((FILES / f"date_1904.{kind}").read_bytes())
    read = list(read_table(reader.path, detect_table_layout(reader.path, choices=ALL_ROWS)))
    assert [row[0] for row in read] == ["2021-01-01", "2021-01-02", "255:10:10"]


def test_a_workbook_of_excel_95_is_read(reader: SheetReader):
    reader.path.write_bytes((FILES / "excel_95.xls").read_bytes())
    read = list(read_table(reader.path, detect_table_layout(reader.path, choices=ALL_ROWS)))
    assert read[2] == ["foo", "bar", "2014-02-19 14:30:00", "0.3"]


def test_numbers_of_a_chart_take_no_places_of_cells(reader: SheetReader):
    reader.path.write_bytes((FILES / "chart_of_another_sheet.xls").read_bytes())
    layout = detect_table_layout(reader.path, choices=ALL_ROWS)
    assert next(read_table(reader.path, layout))[0] == "HEADER TEXT A1"


def test_a_workbook_with_a_password_is_refused(reader: SheetReader):
    assert reader.refused((FILES / "with_password.xls").read_bytes()).reason.startswith("The workbook has a password.")


def test_a_text_with_a_nul_is_refused_with_its_row(reader: SheetReader):
    error = reader.refused((FILES / "texts_with_nul.xls").read_bytes())
    assert (error.line, "NUL" in error.reason) == (1, True)
