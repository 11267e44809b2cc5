"""The rows of a spreadsheet as they are built: bounded in width, in height and in the text of a cell."""

from resolver.sheets.unreadable import UnreadableFile

MAX_COLUMNS = 2_000
# LibreOffice's largest sheets; Excel's end at 1,048,576.
MAX_SHEET_ROWS = 16_777_216


class Row:
    """One row while its cells arrive: cells that are empty take no memory until one that is not follows them."""

    __slots__ = ("cells", "number")

    def __init__(self, number: int) -> None:
        if number > MAX_SHEET_ROWS:
            raise UnreadableFile(f"The sheet has more than {MAX_SHEET_ROWS:,} rows. Delete what stands far down in it.")
        self.number = number
        self.cells: list[str] = []

    def put(self, column: int, text: str) -> None:
        """Put text into the cell with this index; raises UnreadableFile beyond MAX_COLUMNS."""
        if not text:
            return
        if column >= MAX_COLUMNS:
            raise UnreadableFile(
                f"The row has more than {MAX_COLUMNS:,} cells. Delete what stands far out in it.", self.number
            )
        missing = column - len(self.cells)
        if missing >= 0:
            self.cells += [""] * missing
            self.cells.append(text)
        else:
            self.cells[column] = text


def too_long(max_field: int, line: int) -> UnreadableFile:
    """The refusal of a file with a cell that no table has."""
    return UnreadableFile(
        f"A cell has more than the {max_field:,} characters allowed. Is a quotation mark not closed?", line
    )


def whole(text: str) -> int:
    """The whole number that a file has written; -1 for what is none, or has more digits than any sheet needs."""
    return int(text) if len(text) < 10 and text.isdecimal() else -1
