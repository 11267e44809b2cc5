"""A cell of a workbook: its text, and beside it a number, a yes/no value or a hyperlink. A stored row is JSON, with a
text or a list of parts for each cell."""

from collections.abc import Iterable, Sequence
from typing import Any

# The numbers of formats that are built into spreadsheets (ECMA-376 part 1, 18.8.30); any other is its code.
GENERAL, PERCENT, TIME, DATE_AND_TIME, ELAPSED = 0, 10, 21, 22, 46
DAY, MOMENT = r"yyyy\-mm\-dd", r"yyyy\-mm\-dd\ hh:mm:ss"
ALL_PARTS = 4


class Cell(str):
    """The text of a cell that holds more. It is made by `Cell.of`, or from its stored `parts`: text, value, number
    format and hyperlink. (A million of them are made, and a constructor would take twice the time.)"""

    __slots__ = ("parts",)

    parts: Sequence[Any]

    @classmethod
    def of(
        cls, text: str, value: str | bool | None = None, number_format: int | str = GENERAL, link: str = ""
    ) -> "Cell":
        """Return a cell with this text. Parts at the end that hold nothing are left out."""
        cell = cls(text)
        if link:
            cell.parts = [text, value, number_format, link]
        elif number_format != GENERAL:
            cell.parts = [text, value, number_format]
        else:
            cell.parts = [text] if value == text else [text, value]
        return cell

    @property
    def value(self) -> str | bool | None:
        """The number as the file has it, or the yes/no value; None for a text."""
        value: str | bool | None = self.parts[len(self.parts) > 1]
        return value

    @property
    def number_format(self) -> int | str:
        """How the number is shown."""
        number_format: int | str = self.parts[2] if len(self.parts) > 2 else GENERAL
        return number_format

    @property
    def link(self) -> str:
        """The address of its hyperlink, or ""."""
        return str(self.parts[3]) if len(self.parts) == ALL_PARTS else ""


def add_link(cell: str, link: str) -> Cell:
    """Return the cell with this hyperlink, or its own if it has one."""
    if isinstance(cell, Cell):
        return Cell.of(str(cell), cell.value, cell.number_format, cell.link or link)
    return Cell.of(cell, link=link)


def get_link(cell: str) -> str:
    """Return the address of the cell's hyperlink, or ""."""
    return cell.link if isinstance(cell, Cell) else ""


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
