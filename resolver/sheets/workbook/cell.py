"""A cell of a workbook: its text, and beside it what no text can tell: a number, a yes or no, a hyperlink.

Stored with a row, a cell that is text alone is that text; any other is a list of its text and what it holds.
"""

from collections.abc import Iterable, Sequence
from typing import Any

# Number formats by the numbers that they have in any workbook (ECMA-376 part 1, 18.8.30); any other is its code.
GENERAL, PERCENT, TIME, DATE_AND_TIME, ELAPSED = 0, 10, 21, 22, 46
DAY, MOMENT = r"yyyy\-mm\-dd", r"yyyy\-mm\-dd\ hh:mm:ss"
_ALL_PARTS = 4


class Cell(str):
    """The text of a cell that holds more; made by `Cell.of`, or of its `parts`: text, value, number format and
    hyperlink, as they are stored. (A million of them are made: a constructor of our own takes twice the time.)"""

    __slots__ = ("parts",)

    parts: Sequence[Any]

    @classmethod
    def of(
        cls, text: str, value: str | bool | None = None, number_format: int | str = GENERAL, link: str = ""
    ) -> "Cell":
        """A cell of this text. What is at the end of the parts and says nothing is left out."""
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
        """The number as the file has it, or the yes or no; None: it is text."""
        value: str | bool | None = self.parts[len(self.parts) > 1]
        return value

    @property
    def number_format(self) -> int | str:
        """How the number is shown."""
        number_format: int | str = self.parts[2] if len(self.parts) > 2 else GENERAL
        return number_format

    @property
    def link(self) -> str:
        """The address to which its hyperlink leads; "" where it has none."""
        return str(self.parts[3]) if len(self.parts) == _ALL_PARTS else ""


def add_link(cell: str, link: str) -> Cell:
    """The cell with a hyperlink; one that it has already stays."""
    if isinstance(cell, Cell):
        return Cell.of(str(cell), cell.value, cell.number_format, cell.link or link)
    return Cell.of(cell, link=link)


def link_of(cell: str) -> str:
    """The address to which the cell's hyperlink leads; "" where it has none."""
    return cell.link if isinstance(cell, Cell) else ""


def to_json(cells: Iterable[str], read: int) -> list[Any]:
    """A row as it is stored: hyperlinks only of the column that is read, whose index is `read`."""
    return [cell if type(cell) is str else _stored(cell, with_link=place == read) for place, cell in enumerate(cells)]


def _stored(cell: str, *, with_link: bool) -> Any:
    if not isinstance(cell, Cell) or (cell.value is None and not (with_link and cell.link)):
        return str(cell)
    if cell.link and not with_link:
        return Cell.of(str(cell), cell.value, cell.number_format).parts
    return cell.parts


def from_json(row: Iterable[Any]) -> list[str]:
    """The row of which `to_json` made this."""
    return [cell if type(cell) is str else _restored(cell) for cell in row]


def texts_from_json(row: Iterable[Any]) -> list[str]:
    """The texts alone of a stored row: in a tenth of the time."""
    return [cell if type(cell) is str else cell[0] for cell in row]


def linked_cell(row: Iterable[Any]) -> Cell | None:
    """The cell of a stored row that has a hyperlink: that of the column that is read, which alone keeps it."""
    return next((_restored(cell) for cell in row if type(cell) is list and len(cell) == _ALL_PARTS), None)


def _restored(parts: Sequence[Any]) -> Cell:
    cell = Cell(parts[0])
    cell.parts = parts
    return cell
