"""Numbers, dates and yes or no of a workbook come back as such; text stays text, and so does all of a text file."""

import datetime
import io
import zipfile
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from openpyxl.utils.datetime import CALENDAR_MAC_1904

from resolver.models.fields import JsonTextField
from resolver.services.result_files.result_row import ResultRow
from resolver.sheets.input.layout_detection import detect_table_layout
from resolver.sheets.output.csv_and_jsonl import generate_csv, generate_jsonl
from resolver.sheets.output.xlsx import generate_xlsx
from resolver.sheets.workbook.typed_cell import Cell, decode_row, decode_row_texts, encode_row, get_link
from tests.sheets.made_workbooks import ods, ods_cell, ods_row, xlsx
from tests.sheets.reader import read_table
from tests.sheets.result_tables import make_table

MOMENT = datetime.datetime(2020, 1, 2, 3, 4, 5)  # noqa: DTZ001  (spreadsheets know no time zones)
DAY = datetime.datetime(2020, 1, 2)  # noqa: DTZ001  (likewise)


class Through:
    """A workbook read, stored, and written as results: the cells of its first row."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "upload"

    def rows(self, content: bytes) -> list[list[Any]]:
        self.path.write_bytes(content)
        field = JsonTextField()
        layout = detect_table_layout(self.path)
        kept = [field.get_prep_value(encode_row(row, layout.column)) for row in read_table(self.path, layout)]
        self.header = layout.header
        return [field.from_db_value(text, None, None) for text in kept]

    def __call__(self, content: bytes) -> list[Any]:
        back = [ResultRow(decode_row(row)) for row in self.rows(content)]
        self.written = b"".join(generate_xlsx(make_table(self.header, back)))
        sheet = openpyxl.load_workbook(io.BytesIO(self.written))["Results"]
        return list(sheet[2])


@pytest.fixture
def through(tmp_path: Path) -> Through:
    return Through(tmp_path)


def book(*cells: object, formats: dict[str, str] | None = None, **options: Any) -> bytes:
    made = openpyxl.Workbook()
    made.epoch = options.get("epoch", made.epoch)
    made.active.append(["doi", *("abcdefghij"[: len(cells) - 1])])
    made.active.append(list(cells))
    for place, code in (formats or {}).items():
        made.active[place].number_format = code
    buffer = io.BytesIO()
    made.save(buffer)
    return buffer.getvalue()


def test_numbers_dates_and_yes_or_no_come_back_with_value_and_format(through: Through):
    content = book(
        "10.1000/1", 1.5, DAY, MOMENT, datetime.time(3, 4), datetime.timedelta(hours=30), 0.125, True,
        formats={"C2": "dd.mm.yyyy", "G2": "0.0%"},
    )  # fmt: skip
    before = openpyxl.load_workbook(io.BytesIO(content)).active[2]
    after = through(content)[: len(before)]
    assert [(cell.value, cell.number_format, cell.data_type) for cell in after] == [
        (cell.value, cell.number_format, cell.data_type) for cell in before
    ]


@pytest.mark.parametrize("text", ["007", "1e5", "9783161484100", "12345678901234567890", "2020-01-02", "TRUE", "-5"])
def test_what_is_text_stays_text_however_much_it_looks_like_a_number(through: Through, text: str):
    cell = through(book("10.1000/1", text))[1]
    assert (cell.value, cell.data_type) == (text, "s")


@pytest.mark.parametrize("number", ["0.30000000000000004", "12345678901234567", "1E-7", "-0.5", "1e22"])
def test_a_number_keeps_every_digit_that_the_file_has(through: Through, number: str):
    cells = '<c t="inlineStr"><is><t>{}</t></is></c>'.format
    through(xlsx(f"<row>{cells('doi')}{cells('n')}</row><row>{cells('10.1000/1')}<c><v>{number}</v></c></row>"))
    with zipfile.ZipFile(io.BytesIO(through.written)) as parts:
        assert f"<v>{number}</v>" in parts.read("xl/worksheets/sheet1.xml").decode()


@pytest.mark.parametrize("value", ["", "abc", "NaN", "inf", "1_0", "0x1", "1&lt;2", "1e400", "9" * 500])
def test_what_is_no_number_in_the_cell_of_one_is_never_written_as_one(through: Through, value: str):
    cells = '<c t="inlineStr"><is><t>{}</t></is></c>'.format
    content = xlsx(f"<row>{cells('doi')}{cells('n')}</row><row>{cells('10.1000/1')}<c><v>{value}</v></c></row>")
    assert through(content)[1].data_type == "s" or not value


def test_days_counted_from_1904_are_the_same_days(through: Through):
    cell = through(book("10.1000/1", DAY, epoch=CALENDAR_MAC_1904))[1]
    assert (cell.value, cell.is_date) == (DAY, True)


def test_an_opendocument_sheet_has_its_values_too(through: Through):
    row = ods_row(
        "10.1000/1",
        ods_cell("<text:p>1,50 €</text:p>", "currency", value="1.5"),
        ods_cell("<text:p>02.01.20</text:p>", "date", date_value="2020-01-02"),
        ods_cell(kind="date", date_value="2020-01-02T03:04:05"),
        ods_cell(kind="time", time_value="PT30H00M00S"),
        ods_cell(kind="percentage", value="0.125"),
        ods_cell(kind="boolean", boolean_value="true"),
        ods_cell("<text:p>007</text:p>"),
        ods_cell(kind="date", date_value="1850-01-02"),
    )
    found = through(ods(ods_row("doi", *"abcdefgh") + row))[:9]
    assert [cell.value for cell in found] == [
        "10.1000/1", 1.5, DAY, MOMENT, datetime.timedelta(hours=30), 0.125, True, "007", "1850-01-02"
    ]  # fmt: skip
    assert found[5].number_format == "0.00%"


def test_csv_and_json_lines_have_the_texts_alone(through: Through):
    content = book("10.1000/1", 1.5, DAY, True, formats={"C2": "dd.mm.yyyy"})
    kept = through.rows(content)
    (as_text,) = map(decode_row_texts, kept)
    assert (as_text, {type(cell) for cell in as_text}) == (["10.1000/1", "1.5", "2020-01-02", "TRUE"], {str})
    for written in (generate_csv, generate_jsonl):
        typed = b"".join(written(make_table(through.header, [ResultRow(decode_row(row)) for row in kept])))
        assert typed == b"".join(written(make_table(through.header, [ResultRow(as_text)])))


def test_a_cell_that_would_be_run_is_made_harmless_and_a_negative_number_is_no_such_cell(through: Through):
    harmless, number = through(book("10.1000/1", "'=1+1", -5))[1:3]
    assert (harmless.value, number.value) == ("'=1+1", -5)
    (out,) = openpyxl.load_workbook(
        io.BytesIO(b"".join(generate_xlsx(make_table(["a"], [ResultRow([Cell.of("=1+1", link="https://doi.org/")])]))))
    )["Results"]["A2":"A2"]
    assert out[0].value == "'=1+1"


def test_a_column_of_dates_is_as_wide_as_they_need(through: Through):
    through(book("10.1000/1", DAY, "x"))
    widths = openpyxl.load_workbook(io.BytesIO(through.written))["Results"].column_dimensions
    assert (widths["B"].width, "C" in widths) == (20, False)


def test_a_number_format_cannot_write_anything_else_into_the_workbook(through: Through):
    code = '0"</x>"&amp;\n' + "0"
    cell = through(book("10.1000/1", 5, formats={"B2": '0"<&>"'}))[1]
    assert (cell.value, cell.number_format) == (5, '0"<&>"')
    odd = [ResultRow([Cell.of("1", "1", code), Cell.of("2", "2", "0" * 300), Cell.of("3", "3", "")])]
    (row,) = openpyxl.load_workbook(io.BytesIO(b"".join(generate_xlsx(make_table(["a", "b", "c"], odd)))))["Results"][
        "A2":"C2"
    ]
    assert [(one.value, one.number_format) for one in row[1:]] == [(2, "General"), (3, "General")]


def test_more_formats_than_any_workbook_needs_are_shown_plainly():
    cells = [Cell.of("2020-01-02", "43832", f'yyyy"{n}"') for n in range(1_000)]
    book = openpyxl.load_workbook(
        io.BytesIO(b"".join(generate_xlsx(make_table(["a"], [ResultRow([cell]) for cell in cells]))))
    )
    sheet = book["Results"]
    assert {sheet.cell(row, 1).value for row in range(2, 1_002)} == {DAY}
    assert (sheet["A2"].number_format, sheet["A1001"].is_date) == ('yyyy"0"', True)


_CELLS = st.lists(
    st.one_of(
        st.text(),
        st.builds(Cell.of, st.text()),
        st.builds(Cell.of, st.text(), st.one_of(st.none(), st.booleans(), st.text()), st.integers(0, 99), st.text()),
    )
)


@given(_CELLS)
def test_what_is_stored_comes_back(cells: list[str]):
    field = JsonTextField()
    kept = field.from_db_value(field.get_prep_value(encode_row(cells, 1)), None, None)
    assert decode_row_texts(kept) == decode_row(kept) == cells
    for place, (before, after) in enumerate(zip(cells, decode_row(kept), strict=True)):
        if isinstance(before, Cell) and before.value is not None:
            assert isinstance(after, Cell)
            assert (after.value, after.number_format) == (before.value, before.number_format)
        assert get_link(after) == (get_link(before) if place == 1 else "")


def test_a_row_of_texts_is_stored_as_it_ever_was():
    assert encode_row(["10.1000/1", ""], 0) == ["10.1000/1", ""]
    cells = [Cell.of("1", "1"), Cell.of("1.0", "1"), Cell.of("T", value=True), Cell.of("x", link="y")]
    assert encode_row(cells, 0) == [["1"], ["1.0", "1"], ["T", True], "x"]
