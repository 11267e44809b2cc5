"""Rows as they are stored, in JSON. A cell is its text, or a list of its text and of what else it holds."""

from collections.abc import Iterable, Sequence
from typing import Any

from resolver.sheets.workbook.typed_cell import ALL_PARTS, Cell


def encode_row(cells: Iterable[str], read: int) -> list[Any]:
    """Return a row as it is stored: with the hyperlink only of the cell at index `read`, in the DOI column."""
    return [
        cell if type(cell) is str else _encode_cell(cell, with_link=place == read) for place, cell in enumerate(cells)
    ]


def _encode_cell(cell: str, *, with_link: bool) -> Any:
    if not isinstance(cell, Cell) or (cell.value is None and not (with_link and cell.link)):
        return str(cell)
    if cell.link and not with_link:
        return Cell.of(str(cell), cell.value, cell.number_format).parts
    return cell.parts


def decode_row(row: Iterable[Any]) -> list[str]:
    """Return the row of which `encode_row` made this."""
    return [cell if type(cell) is str else _decode_cell(cell) for cell in row]


def decode_row_texts(row: Iterable[Any]) -> list[str]:
    """Return only the texts of a stored row, in a tenth of the time."""
    return [cell if type(cell) is str else cell[0] for cell in row]


def find_linked_cell(row: Iterable[Any]) -> Cell | None:
    """Return the cell of a stored row that has a hyperlink: only that of the DOI column keeps it."""
    return next((_decode_cell(cell) for cell in row if type(cell) is list and len(cell) == ALL_PARTS), None)


def _decode_cell(parts: Sequence[Any]) -> Cell:
    cell = Cell(parts[0])
    cell.parts = parts
    return cell
