"""XLSX in: the first sheet, cells as a person sees them, bounded before it is loaded."""

import contextlib
import datetime
import io
import zipfile

import openpyxl

from resolver.sheets.reading import UnreadableFile
from tests.sheets.reader import Reader

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


def test_cells_are_the_text_that_a_person_sees(reader: Reader):
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


def test_empty_rows_between_stay_and_empty_columns_keep_their_place(reader: Reader):
    found = reader(workbook([["id", None, "doi"], [1, None, "10.1000/1"], [], [2, None, "10.1000/2"], ["  "], []]))
    assert found.rows == [["1", "", "10.1000/1"], ["", "", ""], ["2", "", "10.1000/2"]]


def test_two_cells_far_apart_are_refused_before_they_fill_the_memory(reader: Reader):
    assert "grid of 1,048,576 rows" in reader.refused(workbook([["10.1000/1"]], XFD1048576="x")).reason


def test_a_workbook_that_unpacks_to_too_much_is_refused(reader: Reader):
    content = io.BytesIO(workbook([["10.1000/1"]]))
    with zipfile.ZipFile(content, "a", zipfile.ZIP_DEFLATED) as archive, archive.open("xl/big", "w") as stream:
        for _ in range(601):
            stream.write(bytes(1_000_000))
    assert "allowed" in reader.refused(content.getvalue()).reason


def test_one_long_text_in_a_million_cells_is_refused(reader: Reader):
    content = workbook([["doi", "abstract"], *[["10.1000/1", "a" * 30_000]] * 20_000])
    assert len(content) < 1_000_000
    assert "600,000,000 allowed" in reader.refused(content).reason


def test_a_workbook_with_no_rows_is_refused(reader: Reader):
    assert "no rows" in reader.refused(workbook([])).reason


def test_a_damaged_workbook_is_refused(reader: Reader):
    content = workbook([["doi"], ["10.1000/1"]])
    assert "damaged" in reader.refused(content[: len(content) // 2]).reason


def test_a_workbook_with_any_byte_changed_is_read_or_refused(reader: Reader):
    content = workbook([["doi"], ["10.1000/1"]])
    for place in range(0, len(content), 23):
        damaged = bytearray(content)
        damaged[place] ^= 0xFF
        with contextlib.suppress(UnreadableFile):
            reader(bytes(damaged))
