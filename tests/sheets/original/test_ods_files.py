"""Real OpenDocument workbooks come back with one cell changed, and every other byte as it was."""

import io
import zipfile
from collections.abc import Iterator
from os.path import commonprefix
from pathlib import Path
from typing import Any

import pytest
from python_calamine import CalamineWorkbook

from tests.sheets.original.written_ods import OdsRewriter, edit, get_content, read_rows

FILES = sorted((Path(__file__).parent / "ods_files").glob("*.ods"))
NAME = "10.1000/xyz.123"
IN_FORMULA = "formula"


def test_there_are_at_least_thirty() -> None:
    assert len(FILES) >= 30


@pytest.mark.usefixtures("any_cell")
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_real_workbook_differs_in_the_changed_cell_alone(path: Path, rewriter: OdsRewriter) -> None:
    content = path.read_bytes()
    assert rewriter(content, []) == content
    before, theirs = read_rows(path), read_as_calamine(path)
    changed = 0
    for row, column, text in find_cells(before):
        new = rewriter(content, [edit(row, text, NAME)], column=column)
        if rewriter.left:
            assert IN_FORMULA in rewriter.reasons[0]
            assert new == content
            continue
        changed += 1
        rewriter.path.write_bytes(new)
        assert set_cell(before[row], column, NAME) == set_cell(read_rows(rewriter.path)[row], column, NAME)
        assert NAME in read_rows(rewriter.path)[row][column]
        assert {**read_rows(rewriter.path), row: []} == {**before, row: []}
        assert differ_in_one_cell(theirs, read_as_calamine(rewriter.path), row, column)
        assert get_other_members(new) == get_other_members(content)
        assert measure_difference(get_content(content), get_content(new)) < 1_000  # a repeated row becomes three
    assert changed


def find_cells(rows: dict[int, list[str]]) -> Iterator[tuple[int, int, str]]:
    """The first and the last cell with text of some rows, and the empty one behind them."""
    for number, row in list(rows.items())[:3] + list(rows.items())[-1:]:
        texts = [column for column, text in enumerate(row) if text]
        for column in {texts[0], texts[-1]}:
            yield number, column, row[column]
        yield number, len(row), ""


def set_cell(row: list[str], column: int, text: str) -> list[str]:
    row = row + [""] * (column + 1 - len(row))
    return [*row[:column], text, *row[column + 1 :]]


def read_as_calamine(path: Path) -> dict[str, list[list[Any]]]:
    """All sheets, as an independent reader sees them."""
    book = CalamineWorkbook.from_path(path)
    return {name: book.get_sheet_by_name(name).to_python(skip_empty_area=False) for name in book.sheet_names}


def differ_in_one_cell(
    before: dict[str, list[list[Any]]], after: dict[str, list[list[Any]]], row: int, column: int
) -> bool:
    different = [name for name in before if before[name] != after[name]]
    if len(different) != 1 or before.keys() != after.keys():
        return False
    old, new = (flatten(sheet[different[0]]) for sheet in (before, after))
    return {place for place in {*old, *new} if old.get(place) != new.get(place)} == {(row - 1, column)}


def flatten(sheet: list[list[Any]]) -> dict[tuple[int, int], Any]:
    return {(x, y): cell for x, row in enumerate(sheet) for y, cell in enumerate(row) if cell != ""}


def get_other_members(workbook: bytes) -> list[tuple[str, bytes, tuple[int, ...]]]:
    with zipfile.ZipFile(io.BytesIO(workbook)) as archive:
        assert archive.testzip() is None
        listed = [one for one in archive.infolist() if one.filename != "content.xml"]
        return [(one.filename, archive.read(one), (one.CRC, one.compress_size, *one.date_time)) for one in listed]


def measure_difference(old: str, new: str) -> int:
    """The characters between what both begin and end with."""
    before = len(commonprefix([old, new]))  # noqa: RUF071  (texts, not paths)
    after = len(commonprefix([old[before:][::-1], new[before:][::-1]]))  # noqa: RUF071
    return max(len(old), len(new)) - before - after
