"""How a file is laid out: found once by `detect` or `look`, stored with the job, used by every later reading."""

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal


@dataclass(frozen=True, slots=True)
class Layout:
    """Everything that reading the same file again needs; goes to JSON and back without loss.

    `header` has a name for every column of every row: the file's own names, unchanged, then "column 5" … for
    cells beyond them (and for all columns of a file without a header row). `delimiter` is "" for a plain list.
    `complete` is false where only the beginning was looked at: then `total` rows were seen, wider ones may follow, and
    the encoding is a guess that the next reading makes sure of, unless a person has said it (`encoding_chosen`).
    `sheet` is the name of the sheet of a workbook; `sheet_chosen` its place among the sheets, where a person chose it.
    `header_row` is the number of the row with the names, where somebody said it: the rows above it are not read.
    `options` is what a program chose, by its names, so that the same request is known again.
    """

    kind: Literal["csv", "xlsx", "ods"]
    encoding: str
    delimiter: str
    quoted: bool
    has_header: bool
    header: tuple[str, ...]
    column: int
    total: int
    gzipped: bool = False  # a layout stored by an earlier version does not say it, nor what follows
    complete: bool = True
    sheet: str = ""
    encoding_chosen: bool = False
    sheet_chosen: int | None = None
    header_row: int = 0
    options: Mapping[str, str] = field(default_factory=dict)

    @property
    def column_name(self) -> str:
        """The name of the column that holds the DOIs."""
        return self.header[self.column]

    @property
    def width(self) -> int:
        """How many cells `rows` gives for each row."""
        return len(self.header)

    def cell(self, row: Sequence[str]) -> str:
        """The text of a row that is to be read as a DOI."""
        return row[self.column] if self.column < len(row) else ""

    def grown(self, width: int, total: int, *, complete: bool = False) -> "Layout":
        """The layout once `total` rows are read of which the widest has so many cells."""
        more = tuple(numbered(position) for position in range(self.width, width))
        total = total if complete else max(total, self.total)
        return dataclasses.replace(self, header=self.header + more, total=total, complete=complete)

    def to_json(self) -> dict[str, Any]:
        """The layout as plain JSON values."""
        return dataclasses.asdict(self) | {"header": list(self.header)}

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> "Layout":
        """The layout that `to_json` gave."""
        return cls(**{**value, "header": tuple(value["header"])})


def numbered(position: int) -> str:
    """The name of a column that has none because the header row ends before it."""
    return f"column {position + 1}"
