"""The readings of a file that a person waits for, each in a process with bounds: its layout, its sheets, its first
rows."""

from dataclasses import asdict, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Unpack

from resolver.sheets.bounded_process.call import BOUNDS, call_bounded
from resolver.sheets.input.layout import Layout
from resolver.sheets.input.layout_choices import NOTHING_CHOSEN, LayoutChoices
from resolver.sheets.input.layout_detection import detect_layout_from_start
from resolver.sheets.input.open import OperatorBounds
from resolver.sheets.input.preview import preview_rows, preview_sheet_names
from resolver.sheets.workbook.stored_row import decode_row
from resolver.sheets.workbook.typed_cell import Cell


def detect_layout_apart(
    path: Path, column: str | None, choices: LayoutChoices, **given: Unpack[OperatorBounds]
) -> Layout:
    """As `detect_layout_from_start`."""
    return Layout.from_json(_call("detect_here", path, given, column=column, choices=asdict(choices)))


def preview_sheet_names_apart(path: Path, **given: Unpack[OperatorBounds]) -> list[str]:
    """As `preview_sheet_names`."""
    return list(_call("list_sheets_here", path, given))


def preview_rows_apart(
    path: Path, layout: Layout, count: int, **given: Unpack[OperatorBounds]
) -> list[tuple[int, list[str]]]:
    """As `preview_rows`."""
    rows = _call("preview_here", path, given, layout=layout.to_json(), count=count)
    return [(number, decode_row(cells)) for number, cells in rows]


def _call(function: str, path: Path, given: OperatorBounds, **arguments: Any) -> Any:
    """Call one of the functions below, with a text for the path."""
    bounds = replace(
        BOUNDS, size=max(BOUNDS.size, given.get("max_expanded", 0))
    )  # what is unpacked is on disk for a while
    return call_bounded(f"{__name__}:{function}", {"path": str(path), **arguments, **given}, bounds=bounds)


def detect_here(
    path: str, column: str | None, choices: dict[str, Any], **given: Unpack[OperatorBounds]
) -> dict[str, Any]:
    """Return the layout as JSON values, and take the choices as such."""
    fields = choices.pop("fields")
    chosen = LayoutChoices(**choices, fields=None if fields is None else tuple(fields))
    return detect_layout_from_start(path, column, choices=chosen, **given).to_json()


def list_sheets_here(path: str, **given: Unpack[OperatorBounds]) -> list[str]:
    """Return the names of the sheets."""
    return preview_sheet_names(path, **given)


def preview_here(
    path: str, layout: dict[str, Any], count: int, **given: Unpack[OperatorBounds]
) -> list[tuple[int, list[Any]]]:
    """Return the rows as JSON values, their cells as `decode_row` takes them, and take the layout as such."""
    return [
        (number, [list(cell.parts) if isinstance(cell, Cell) else str(cell) for cell in cells])
        for number, cells in preview_rows(path, Layout.from_json(layout), count, **given)
    ]


def warm_up() -> None:
    """Read a small table: what Python does at the first time only, such as to compile patterns, is done then."""
    with TemporaryDirectory() as folder:
        path = Path(folder, "list")
        path.write_bytes(b"doi,title\n" + b"10.5555/first,First\n" * 2)
        layout = detect_here(str(path), None, asdict(NOTHING_CHOSEN))
        preview_here(str(path), layout, 1)
