"""What a person sees of a file before it is checked: its first rows, and the sheets of a workbook."""

from itertools import islice
from pathlib import Path
from typing import Unpack

from resolver.sheets.input.file_kind import read_sheet_names
from resolver.sheets.input.layout import Layout
from resolver.sheets.input.layout_choices import NO_OPTIONS, NOTHING_CHOSEN, LayoutChoices, LayoutOptions
from resolver.sheets.input.layout_detection import LOOK_BYTES, LOOK_CHARACTERS, LOOK_LINKED, MOST_SHARED
from resolver.sheets.input.open import OperatorBounds, read_trimmed_rows
from resolver.sheets.workbook.rows import FileBounds

MOST_SHEETS = 200


def preview_rows(
    path: Path | str, layout: Layout, count: int, **given: Unpack[OperatorBounds]
) -> list[tuple[int, list[str]]]:
    """Return the first `count` data rows with their numbers, or fewer if they are long, by a layout of
    `detect_layout_from_start`. No more is read than that has read, so nothing is refused here that it
    hasn't refused."""
    bounds = FileBounds(**given, shared=MOST_SHARED, patience=LOOK_BYTES, linked=LOOK_LINKED)
    found: list[tuple[int, list[str]]] = []
    room = LOOK_CHARACTERS
    for _, number, row in islice(read_trimmed_rows(Path(path), layout, bounds), int(layout.has_header), None):
        found.append((number, row))
        room -= sum(map(len, row))
        if len(found) >= count or room < 0:
            break
    return found


def read_choices(path: Path | str, options: LayoutOptions, **given: Unpack[OperatorBounds]) -> LayoutChoices:
    """Return what a program's options mean for this file. Raises NeedsChoice for what the file hasn't, UnreadableFile
    for a file that can't be read."""
    if options == NO_OPTIONS:
        return NOTHING_CHOSEN
    return options.build_choices(preview_sheet_names(path, **given))


def preview_sheet_names(path: Path | str, **given: Unpack[OperatorBounds]) -> list[str]:
    """Return the names of the visible sheets of a workbook, in order; of an ODS those at its beginning; none of a
    text."""
    return read_sheet_names(Path(path), FileBounds(**given, patience=LOOK_BYTES))[:MOST_SHEETS]
