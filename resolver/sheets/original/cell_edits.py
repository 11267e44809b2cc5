"""What is to change in a table: the DOI names for its cells."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RowEdit:
    """The changes in the row with this number, as a spreadsheet counts. `names` has the accepted DOI names for its DOI
    cell, each with the text that was read there: the cell's own, the address of its hyperlink, or of a split cell the
    part with this DOI. `appended` are the texts of two columns at the end of the row."""

    row: int
    names: tuple[tuple[str, str], ...] = ()
    appended: tuple[str, str] | None = None
