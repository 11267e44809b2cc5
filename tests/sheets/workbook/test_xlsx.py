"""XLSX in: the first sheet, cells as a person sees them, bounded."""

import contextlib
import datetime
import io
import re
import zipfile
from pathlib import Path

import openpyxl
import pytest
from openpyxl.utils.datetime import CALENDAR_MAC_1904
from python_calamine import CalamineWorkbook

from resolver.sheets.errors import UnreadableFile
from resolver.sheets.workbook.numbers_and_dates import format_cell_number
from tests.sheets.made_workbooks import archive, strings, xlsx
from tests.sheets.reader import SheetReader

MOMENT = datetime.datetime(2020, 1, 2, 3, 4, 5)  # noqa: DTZ001  (Excel knows no time zones)


def workbook(rows: list[list[object]], **cells: object) -> bytes:
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    for place, value in cells.items():
        book.active[place] = value
    book.create_sheet("Other").append(["10.1000/other"])
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


def test_cells_are_the_text_that_a_person_sees(reader: SheetReader):
    found = reader(
        workbook(
            [
                ["doi", "n", "x", "day", "at", "yes"],
                ["10.1000/1", 1.0, 0.1, datetime.date(2020, 1, 2), MOMENT, True],
            ]
        )
    )
    assert found.layout.kind == "xlsx"
    assert found.rows == [["10.1000/1", "1", "0.1", "2020-01-02", "2020-01-02 03:04:05", "TRUE"]]


def test_empty_rows_between_stay_and_empty_columns_keep_their_place(reader: SheetReader):
    found = reader(workbook([["id", None, "doi"], [1, None, "10.1000/1"], [], [2, None, "10.1000/2"], ["  "], []]))
    assert found.rows == [["1", "", "10.1000/1"], ["", "", ""], ["2", "", "10.1000/2"]]


def test_two_cells_far_apart_are_refused_and_fill_no_memory(reader: SheetReader):
    error = reader.refused(workbook([["10.1000/1"]], XFD1048576="x"))
    assert (error.line, "2,000 cells" in error.reason) == (1_048_576, True)


def test_a_workbook_that_unpacks_to_too_much_is_refused(reader: SheetReader):
    content = io.BytesIO(workbook([["10.1000/1"]]))
    with zipfile.ZipFile(content, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/big", bytes(9_000_000))
    reason = reader.refused(content.getvalue(), max_expanded=9_000_000).reason
    assert re.search(r"has 9,0\d\d,\d\d\d bytes, more than the 9,000,000 allowed", reason)


def test_one_long_text_in_a_million_cells_is_refused(reader: SheetReader):
    cells = '<row><c t="s"><v>0</v></c></row>' + '<row><c t="s"><v>1</v></c></row>' * 200
    content = xlsx(cells, xl__sharedStrings=strings("<t>doi</t>", f"<t>{'a' * 30_000}</t>"))
    error = reader.refused(content, max_expanded=5_000_000)
    assert (error.line, "5,000,000 characters" in error.reason) == (168, True)


def test_a_workbook_with_no_rows_is_refused(reader: SheetReader):
    assert "no rows" in reader.refused(xlsx()).reason


def test_a_damaged_workbook_is_refused(reader: SheetReader):
    content = workbook([["doi"], ["10.1000/1"]])
    assert "damaged" in reader.refused(content[: len(content) // 2]).reason


@pytest.mark.slow
def test_a_workbook_with_any_byte_changed_is_read_or_refused(reader: SheetReader):
    content = workbook([["doi"], ["10.1000/1"]])
    for place in range(0, len(content), 23):
        damaged = bytearray(content)
        damaged[place] ^= 0xFF
        with contextlib.suppress(UnreadableFile):
            reader(bytes(damaged))


def test_what_an_independent_reader_finds_is_found(reader: SheetReader, tmp_path: Path):
    rows = [["doi", "t", "n"], *[[f"10.1000/{n}", f" Ünï <{n}>\n", n / 7] for n in range(500)]]
    (tmp_path / "made.xlsx").write_bytes(workbook(rows))
    theirs = list(CalamineWorkbook.from_path(tmp_path / "made.xlsx").get_sheet_by_index(0).iter_rows())
    ours = reader((tmp_path / "made.xlsx").read_bytes())
    assert [row[:2] for row in ours.rows] == [row[:2] for row in theirs[1:]]
    assert [float(row[2]) for row in ours.rows] == pytest.approx([row[2] for row in theirs[1:]])


@pytest.mark.parametrize(
    ("code", "number", "text"),
    [
        ("yyyy-mm-dd", 45_000, "2023-03-15"),
        ("[$-409]d-mmm-yy;@", 45_000, "2023-03-15"),
        ("yyyy-mm-dd", 59, "1900-02-28"),
        ("yyyy-mm-dd", 61, "1900-03-01"),
        ("h:mm", 0.25, "06:00:00"),
        ("[h]:mm", 1.25, "30:00:00"),
        ("yyyy-mm-dd hh:mm", 43_831.5, "2020-01-01 12:00:00"),
        ('"day" 0', 45_000, "45000"),
        ("[Red]0.00", 0.1, "0.1"),
        ("0.0%", 0.125, "0.125"),
        ('0.00 "EUR"', 12.5, "12.5"),
        ("0.0000", 10.1, "10.1"),
        ("General", 0.1 + 0.2, "0.3"),
        ("yyyy", 9e15, "9000000000000000"),
        ("General", 1234567890123456, "1234567890123456"),
        ("0", -9912345678900034, "-9912345678900034"),
        ("General", 1e21, "1e+21"),
        ("yyyy", -1, "-1"),
    ],
)
def test_a_number_is_a_date_where_its_format_says_so(reader: SheetReader, code: str, number: float, text: str):
    book = openpyxl.Workbook()
    book.active.append(["doi", "n"])
    book.active.append(["10.1000/1", number])
    book.active["B2"].number_format = code
    buffer = io.BytesIO()
    book.save(buffer)
    assert reader(buffer.getvalue()).rows == [["10.1000/1", text]]


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ("991234567890003456", "991234567890003456"),
        ("9.9123456789000346E+17", "991234567890003460"),
        ("-0", "0"),
        ("2.9999999999999999", "3"),
        ("0e999999999", "0"),
        ("1e-999999999", "0"),
        ("1e999999999", "1e999999999"),
    ],
)
def test_a_whole_number_has_all_the_digits_that_the_file_holds(written: str, text: str) -> None:
    assert format_cell_number(written, None, from_1904=False) == text


def test_a_workbook_of_an_old_macintosh_counts_its_days_from_1904(reader: SheetReader):
    book = openpyxl.Workbook()
    book.epoch = CALENDAR_MAC_1904
    book.active.append(["doi", "day"])
    book.active.append(["10.1000/1", datetime.date(2020, 1, 2)])
    buffer = io.BytesIO()
    book.save(buffer)
    assert reader(buffer.getvalue()).rows == [["10.1000/1", "2020-01-02"]]


def test_texts_that_the_sheet_names_out_of_order_are_found(reader: SheetReader):
    texts = [f"10.1000/{'x' * (n % 50)}{n}" for n in range(3_000)]
    cells = "".join(f'<row><c t="s"><v>{n * 7 % 3_000}</v></c></row>' for n in range(3_000))
    found = reader(xlsx(cells, xl__sharedStrings=strings(*(f"<t>{text}</t>" for text in texts))))
    assert found.dois == [texts[n * 7 % 3_000] for n in range(3_000)]


def test_an_archive_of_countless_parts_is_refused_before_they_are_listed(reader: SheetReader):
    parts = {f"xl/{'x' * 200}{n}": "" for n in range(17_000)}
    assert "list of parts" in reader.refused(archive({"[Content_Types].xml": "", **parts})).reason
