"""Workbooks of many programs (see workbooks/README.md): nothing but the accepted cell changes."""

import io
import re
import warnings
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from python_calamine import CalamineError, CalamineWorkbook

from resolver.sheets.errors import NeedsChoice
from resolver.sheets.input.layout import Layout
from resolver.sheets.input.layout_detection import detect_table_layout
from resolver.sheets.input.table import read_numbered_table
from tests.sheets.original.rewritten import RewrittenXlsx, edit

FOLDER = Path(__file__).with_name("workbooks")
WORKBOOKS = sorted(path for path in FOLDER.glob("*/*") if path.suffix in (".xlsx", ".xlsm"))
NAME = "10.5555/changed"
_CELL = re.compile(rb"<(\w+:)?c(?=[\s/>])[^>]*?(?:/>|>.*?</(?:\w+:)?c>)", re.DOTALL)


def find_layout(path: Path) -> Layout:
    """The layout that the portal finds, else that by the first column with text."""
    try:
        return detect_table_layout(path)
    except NeedsChoice:
        for column in range(1, 13):
            layout = detect_table_layout(path, f"column {column}")
            if any(layout.get_cell(row).strip() for _, row in read_numbered_table(path, layout)):
                return layout
        raise


def change_one(path: Path, content: bytes) -> RewrittenXlsx:
    """The workbook with another name in the first cell that has no formula."""
    path.write_bytes(content)
    layout = find_layout(path)
    cells = [(number, layout.get_cell(row)) for number, row in read_numbered_table(path, layout)]
    tried = (RewrittenXlsx(path, content, [edit(row, NAME, was=str(cell))], layout) for row, cell in cells if cell)
    return next(found for found in tried if not found.left)


def read_by_calamine(content: bytes) -> dict[tuple[str, int, int], object]:
    """Each value; a sheet that calamine refuses has none."""
    found: dict[tuple[str, int, int], object] = {}
    book = CalamineWorkbook.from_filelike(io.BytesIO(content))
    for name in book.sheet_names:
        try:
            rows = book.get_sheet_by_name(name).to_python(skip_empty_area=False)
        except CalamineError as error:
            found[name, -1, -1] = str(error)
            continue
        found |= {(name, row, column): value for row, cells in enumerate(rows) for column, value in enumerate(cells)}
    return found


def read_by_openpyxl(content: bytes) -> Iterator[tuple[tuple[str, str], Any]]:
    """Value, style and hyperlink of each cell."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        book = openpyxl.load_workbook(io.BytesIO(content), rich_text=True)
    for sheet in book.worksheets:
        for row in sheet.iter_rows():
            for cell in row:
                link = cell.hyperlink.target if cell.hyperlink else None
                # A formula of several cells is an object.
                value = repr(getattr(cell.value, "__dict__", None) or cell.value)
                yield (sheet.title, cell.coordinate), (value, cell.style_id, cell.number_format, link)


def find_differences(was: dict[Any, Any], now: dict[Any, Any]) -> list[Any]:
    """The places with another value."""
    assert was.keys() == now.keys()
    return [key for key, value in was.items() if repr(value) != repr(now[key])]


def test_there_are_workbooks_enough() -> None:
    assert len(WORKBOOKS) > 120


@pytest.mark.usefixtures("any_cell")
@pytest.mark.parametrize("source", WORKBOOKS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_one_accepted_cell_is_all_that_changes(source: Path, tmp_path: Path) -> None:
    path, content = tmp_path / source.name, source.read_bytes()
    path.write_bytes(content)
    assert RewrittenXlsx(path, content, [], find_layout(path)).content == content

    found = change_one(path, content)
    (part,) = found.changed_members
    was, now = (zipfile.ZipFile(io.BytesIO(each)).read(part) for each in (content, found.content))
    assert _CELL.sub(b"", was) == _CELL.sub(b"", now)
    cells = zip(_CELL.finditer(was), _CELL.finditer(now), strict=True)
    ((_, changed),) = [(old[0], new[0]) for old, new in cells if old[0] != new[0]]
    assert NAME.encode() in changed

    ((sheet, row, column),) = find_differences(read_by_calamine(content), after := read_by_calamine(found.content))
    assert NAME in str(after[sheet, row, column])


@pytest.mark.usefixtures("any_cell")
@pytest.mark.slow
@pytest.mark.parametrize("source", WORKBOOKS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_openpyxl_reads_the_same_values_styles_and_links_but_for_that_cell(source: Path, tmp_path: Path) -> None:
    content = source.read_bytes()
    try:
        before = dict(read_by_openpyxl(content))
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        pytest.skip(f"openpyxl can't read it: {error}"[:100])
    if not before:
        pytest.skip("openpyxl finds no cells, as in strict OOXML")
    after = dict(read_by_openpyxl(change_one(tmp_path / source.name, content).content))
    (place,) = find_differences(before, after)
    assert NAME in after[place][0]
    assert before[place][1:] == after[place][1:]
