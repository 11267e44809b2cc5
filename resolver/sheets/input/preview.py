"""What a person is shown of a file before it is checked: its first rows, and the sheets of a workbook."""

from itertools import islice
from pathlib import Path
from typing import Unpack

from resolver.sheets.input.layout import NO_OPTIONS, NOTHING_CHOSEN, Choices, Layout, Options
from resolver.sheets.input.open import ReadingBounds, rows_without_empty_ends, workbook_sheets
from resolver.sheets.input.read import LOOK_BYTES, LOOK_CHARACTERS, LOOK_LINKED, MOST_SHARED
from resolver.sheets.workbook.rows import FileBounds

MOST_SHEETS = 200


def first_rows(path: Path | str, layout: Layout, count: int, **given: Unpack[ReadingBounds]) -> list[list[str]]:
    """The first `count` data rows, or fewer where they are long, each with what cells it has, by a layout of
    `detect_from_start`. No more is read than it has read, so nothing is refused here that was not refused there."""
    bounds = FileBounds(**given, shared=MOST_SHARED, patience=LOOK_BYTES, linked=LOOK_LINKED)
    found: list[list[str]] = []
    room = LOOK_CHARACTERS
    for _, row in islice(rows_without_empty_ends(Path(path), layout, bounds), int(layout.has_header), None):
        found.append(row)
        room -= sum(map(len, row))
        if len(found) >= count or room < 0:
            break
    return found


def choices_from_options(path: Path | str, options: Options, **given: Unpack[ReadingBounds]) -> Choices:
    """What a program's options choose for this file, by the bounds of `detect_from_start`. Raises NeedsChoice for
    what the file has not, UnreadableFile for a file that cannot be read."""
    if options == NO_OPTIONS:
        return NOTHING_CHOSEN
    return options.choices(sheet_names(path, **given))


def sheet_names(path: Path | str, **given: Unpack[ReadingBounds]) -> list[str]:
    """The names of the sheets of a workbook that can be chosen, in order: those that are shown. Of an ODS as far as
    they are found in a moment. None of a text."""
    bounds = FileBounds(**given, patience=LOOK_BYTES)
    return workbook_sheets(Path(path), bounds)[:MOST_SHEETS]
