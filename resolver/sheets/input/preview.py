"""What a person sees of a file before it is checked: its layout, its first rows and the sheets of a workbook. The
`…_bounded` functions read it in a process with bounds."""

from collections.abc import Callable
from dataclasses import asdict, replace
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Unpack

from resolver.sheets.bounded_process.call import BOUNDS, call_bounded
from resolver.sheets.file_findings import MAX_LISTED_SHEETS
from resolver.sheets.input.file_kind import read_sheet_names
from resolver.sheets.input.layout import Layout
from resolver.sheets.input.layout_choices import NO_OPTIONS, NOTHING_CHOSEN, LayoutChoices, LayoutOptions
from resolver.sheets.input.layout_detection import (
    LOOK_BYTES,
    LOOK_CHARACTERS,
    LOOK_LINKED,
    LOOK_SHARED,
    detect_layout_from_start,
)
from resolver.sheets.input.table import OperatorBounds, read_trimmed_rows
from resolver.sheets.workbook.rows import FileBounds
from resolver.sheets.workbook.typed_cell import Cell, decode_row


def preview_rows(
    path: Path, layout: Layout, count: int, **given: Unpack[OperatorBounds]
) -> list[tuple[int, list[str]]]:
    """Return the first `count` data rows with their numbers, or fewer if they are long, by a layout of
    `detect_layout_from_start`. It has read and accepted all that is read here."""
    bounds = FileBounds(**given, shared=LOOK_SHARED, patience=LOOK_BYTES, linked=LOOK_LINKED)
    found: list[tuple[int, list[str]]] = []
    room = LOOK_CHARACTERS
    for _, number, row in islice(read_trimmed_rows(path, layout, bounds), int(layout.has_header), None):
        found.append((number, row))
        room -= sum(map(len, row))
        if len(found) >= count or room < 0:
            break
    return found


def read_choices(path: Path, options: LayoutOptions, **given: Unpack[OperatorBounds]) -> LayoutChoices:
    """Return what a program's options mean for this file. Raises NeedsChoice for what the file hasn't, UnreadableFile
    for a file that can't be read."""
    if options == NO_OPTIONS:
        return NOTHING_CHOSEN
    return options.build_choices(preview_sheet_names(path, **given))


def preview_sheet_names(path: Path | str, **given: Unpack[OperatorBounds]) -> list[str]:
    """Return the names of a workbook's visible sheets, in order; of an ODS those at its beginning; none of a text."""
    return read_sheet_names(Path(path), FileBounds(**given, patience=LOOK_BYTES))[:MAX_LISTED_SHEETS]


def detect_layout_bounded(
    path: Path, column: str | None, choices: LayoutChoices, **given: Unpack[OperatorBounds]
) -> Layout:
    """Return the layout of `detect_layout_from_start`."""
    return Layout.from_json(_call(detect_as_json, path, given, column=column, choices=asdict(choices)))


def preview_sheet_names_bounded(path: Path, **given: Unpack[OperatorBounds]) -> list[str]:
    """Return the names of `preview_sheet_names`."""
    return list(_call(preview_sheet_names, path, given))


def preview_rows_bounded(
    path: Path, layout: Layout, count: int, **given: Unpack[OperatorBounds]
) -> list[tuple[int, list[str]]]:
    """Return the rows of `preview_rows`."""
    rows = _call(preview_as_json, path, given, layout=layout.to_json(), count=count)
    return [(number, decode_row(cells)) for number, cells in rows]


def _call(function: Callable[..., Any], path: Path, given: OperatorBounds, **arguments: Any) -> Any:
    size = max(BOUNDS.size, given.get("max_expanded", 0))  # the unpacked file is on disk for a while
    return call_bounded(function, {"path": str(path), **arguments, **given}, bounds=replace(BOUNDS, size=size))


def detect_as_json(
    path: str, column: str | None, choices: dict[str, Any], **given: Unpack[OperatorBounds]
) -> dict[str, Any]:
    """Return the layout as JSON values, and take the choices as such."""
    fields = choices.pop("fields")
    chosen = LayoutChoices(**choices, fields=None if fields is None else tuple(fields))
    return detect_layout_from_start(Path(path), column, choices=chosen, **given).to_json()


def preview_as_json(
    path: str, layout: dict[str, Any], count: int, **given: Unpack[OperatorBounds]
) -> list[tuple[int, list[Any]]]:
    """Return the rows as JSON values, their cells as `decode_row` takes them, and take the layout as such."""
    return [
        (number, [list(cell.parts) if isinstance(cell, Cell) else str(cell) for cell in cells])
        for number, cells in preview_rows(Path(path), Layout.from_json(layout), count, **given)
    ]


def warm_up() -> None:
    """Read a small table, so that later readings find all patterns compiled."""
    with TemporaryDirectory() as folder:
        path = Path(folder, "list")
        path.write_bytes(b"doi,title\n" + b"10.5555/first,First\n" * 2)
        layout = detect_as_json(str(path), None, asdict(NOTHING_CHOSEN))
        preview_as_json(str(path), layout, 1)
