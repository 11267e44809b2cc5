"""ODS in: the first table, cells as a person sees them."""

import contextlib
from pathlib import Path

import pytest
from python_calamine import CalamineWorkbook

from resolver.sheets.errors import UnreadableFile
from tests.sheets.made_workbooks import ods, ods_cell, ods_row
from tests.sheets.reader import SheetReader


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        (ods_cell("<text:p>1,234.50</text:p>", "float", value="1234.5"), "1234.5"),
        (ods_cell("<text:p>2.00</text:p>", "currency", value="2"), "2"),
        (ods_cell("<text:p>50 %</text:p>", "percentage", value="0.5"), "0.5"),
        (ods_cell("<text:p>2 Jan</text:p>", "date", date_value="2020-01-02"), "2020-01-02"),
        (ods_cell("<text:p>x</text:p>", "date", date_value="2020-01-02T03:04:05"), "2020-01-02 03:04:05"),
        (ods_cell("<text:p>26:00</text:p>", "time", time_value="PT26H00M00S"), "26:00:00"),
        (ods_cell("<text:p>WAHR</text:p>", "boolean", boolean_value="true"), "TRUE"),
        (ods_cell("<text:p>#N/A</text:p>", string_value=""), "#N/A"),
    ],
)
def test_cells_are_the_text_that_a_person_sees(reader: SheetReader, cell: str, text: str):
    found = reader(ods(ods_row("doi", "x") + ods_row("10.1000/1", cell)))
    assert (found.layout.kind, found.rows) == ("ods", [["10.1000/1", text]])


def test_what_an_independent_reader_finds_is_found(reader: SheetReader, tmp_path: Path):
    rows = ods_row("doi", "t") + "".join(ods_row(f"10.1000/{n}", f"Ünï {n}") for n in range(500))
    (tmp_path / "made.ods").write_bytes(ods(rows))
    theirs = list(CalamineWorkbook.from_path(tmp_path / "made.ods").get_sheet_by_index(0).iter_rows())
    assert reader(ods(rows)).rows == theirs[1:]


def test_more_bytes_than_allowed_are_refused_with_the_figures(reader: SheetReader):
    content = ods(ods_row("doi") + ods_row("10.1000/1") * 10_000)
    assert "bytes, more than the 500,000 allowed" in reader.refused(content, max_expanded=500_000).reason


def test_a_workbook_with_any_byte_changed_is_read_or_refused(reader: SheetReader):
    content = ods(ods_row("doi") + ods_row("10.1000/1"))
    for place in range(0, len(content), 7):
        damaged = bytearray(content)
        damaged[place] ^= 0xFF
        with contextlib.suppress(UnreadableFile):
            reader(bytes(damaged))
