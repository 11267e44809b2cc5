"""Rows of a spreadsheet while they are built, and the bounds on a file: width, height, text of a cell and of a row."""

import sys
from collections.abc import Sized
from dataclasses import dataclass
from typing import Any

from doi_reading import Message
from resolver.sheets.errors import UnreadableFile

MAX_FIELD = 1_000_000  # characters in any column; what is read as a DOI has a bound of its own
MAX_COLUMNS = 2_000
MAX_CELLS = 16_384  # of a row, empty ones too: no spreadsheet is wider
MAX_LINE_CHARACTERS = 4_000_000  # of a text file
MAX_SHEET_ROWS = 16_777_216  # in LibreOffice; Excel ends at 1,048,576


@dataclass(frozen=True, slots=True)
class FileBounds:
    """Bounds on the reading of a file: rows, characters of a cell, bytes of the unpacked file. In bytes of XML: texts
    that cells refer to (`shared`), a part without a row with text (`patience`), parts with hyperlinks (`linked`)."""

    max_rows: int = 2_000_000
    max_field: int = MAX_FIELD
    max_expanded: int = 600_000_000
    shared: int = sys.maxsize
    patience: int = sys.maxsize
    linked: int = sys.maxsize


class SheetRow:
    """One row while its cells arrive. Empty cells take no memory until one with text follows."""

    __slots__ = ("_left", "_most", "_room", "cells", "number")

    def __init__(self, number: int, max_field: int) -> None:
        ensure_in_sheet(number)
        self.number = number
        self.cells: list[Any] = []  # texts, or a TextOnDisk
        self._room = self._most = compute_row_limit(max_field)
        self._left = MAX_CELLS

    def count_cell(self) -> None:
        """Count a cell, empty or not. Raises UnreadableFile beyond MAX_CELLS."""
        self._left -= 1
        if self._left < 0:
            raise build_row_too_wide_error(MAX_CELLS, self.number)

    def put(self, column: int, text: Sized) -> None:
        """Put text into the cell with this index. Raises UnreadableFile beyond MAX_COLUMNS or `compute_row_limit`."""
        if not text:
            return
        if column >= MAX_COLUMNS:
            raise UnreadableFile(
                Message("The row has more than {count} cells. Delete the cells far to the right.", count=MAX_COLUMNS),
                self.number,
            )
        # Counted before anything is built of it: two thousand cells may refer to one text of a million characters.
        self._room -= len(text)
        if self._room < 0:
            raise build_row_too_long_error(self._most, self.number)
        missing = column - len(self.cells)
        if missing >= 0:
            self.cells += [""] * missing
            self.cells.append(text)
        else:
            self.cells[column] = text


def ensure_in_sheet(row: int) -> None:
    """Raise UnreadableFile for the number of a row that no sheet has."""
    if row > MAX_SHEET_ROWS:
        reason = Message(
            "The sheet has more than {count} rows. Delete the cells far down the sheet.", count=MAX_SHEET_ROWS
        )
        raise UnreadableFile(reason)


def compute_row_limit(max_field: int) -> int:
    """Return how many characters a row may have if one cell may have `max_field`."""
    return 4 * max_field


def measure_row_width(row: list[str], line: int) -> int:
    """Return the number of cells without empty ones at the end. Raises UnreadableFile beyond MAX_COLUMNS."""
    width = len(row)
    while width and not row[width - 1]:
        width -= 1
    if width > MAX_COLUMNS:
        raise build_row_too_wide_error(MAX_COLUMNS, line)
    return width


def build_row_too_wide_error(most: int, line: int) -> UnreadableFile:
    """Return the refusal of a row with too many cells."""
    reason = Message("The row has more than {count} cells. Check that the file is a table.", count=most)
    return UnreadableFile(reason, line)


def build_row_too_long_error(most: int, line: int) -> UnreadableFile:
    """Return the refusal of a row with too much text."""
    return UnreadableFile(
        Message("The row has more than the {count} characters allowed. Check that the file is a table.", count=most),
        line,
    )


def build_cell_too_long_error(max_field: int, line: int) -> UnreadableFile:
    """Return the refusal of a cell with too much text."""
    reason = Message(
        "A cell has more than the {count} characters allowed. Check that each quotation mark is closed.",
        count=max_field,
    )
    return UnreadableFile(reason, line)


def to_column_letters(column: int) -> str:
    """Return the letters of the column with this index, as spreadsheets show it: 0 is A."""
    letters = ""
    column += 1
    while column > 0:
        column, letter = divmod(column - 1, 26)
        letters = chr(65 + letter) + letters
    return letters


def parse_column_letters(letters: str) -> int:
    """Return the index of the column with these letters: A is 0."""
    index = 0
    for letter in letters.upper():
        index = index * 26 + ord(letter) - 64
    return index - 1


def parse_whole_number(text: str) -> int:
    """Return the whole number in a file; -1 for anything else, or with more digits than a sheet needs."""
    return int(text) if len(text) < 10 and text.isdecimal() else -1
