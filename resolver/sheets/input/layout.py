"""The layout of a file: found by the layout detection, stored with the job, and used by later readings."""

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from resolver.sheets.bibliographic.formats import FORMATS
from resolver.sheets.doi_pattern import has_doi_pattern

WorkbookKind = Literal["xlsx", "ods", "xls", "xlsb"]
Origin = Literal["file", "pasted", "json-lines"]


@dataclass(frozen=True, slots=True)
class Layout:
    """All that is needed to read the file again. It is stored as JSON without loss.

    `kind` is `csv`, a kind of workbook, or that of a bibliographic format. `header` has a name for every column: the
    file's own, unchanged, then "column 5" … for cells beyond them, and for all columns of a file without a header row.
    `delimiter` is "" for a plain list. If not `complete`, only the beginning was read: `total` rows were seen, wider
    ones may follow, and the encoding is a guess that the next reading confirms, unless a person chose it
    (`encoding_chosen`). `told_encoding` is the sender's. `sheet` is the name of a workbook's sheet, `sheet_chosen` its
    place among the sheets if it was chosen. Rows above `header_row` are not read: it was chosen or has titles above it,
    else it is 0. `first_row` is the number of the first row that is read, 0 if unknown. `instead` is the column to read
    if the cell in `column` is empty. `expected` is the column with expected addresses of the DOIs, if it was chosen.
    `split`: each DOI of a cell has a row of its own, and `total` counts these once the file was read; the detection
    sets it for a repository's cells with several values. `encoding_assumed`: the file doesn't say
    it. `also` are other columns with other DOIs. `lines_in_cells` counts the cells with DOIs in several lines, and has
    the number of the first such row; `without_doi` counts the records of a bibliographic file without a DOI, and all.
    `fields` are those of a bibliographic file that are read. `options` are a program's, by which a repeated request is
    recognised. `origin`: whether the stored file is the sender's own, or was made of a pasted text or of JSON lines.
    `signed`: the workbook has a digital signature. `compare`: the works of the rows are compared with what the agencies
    say, and `search`: they are searched for where a row has no right DOI; `work_columns` are the columns with their
    titles, authors, years and containers (`work_columns.py`). `all_records`: a record of a bibliographic file without a
    DOI is a row too.
    """

    kind: str
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
    first_row: int = 0
    instead: int | None = None
    split: bool = False
    fields: tuple[str, ...] = ()
    expected: int | None = None
    told_encoding: str = ""
    encoding_assumed: bool = False
    also: tuple[int, ...] = ()
    lines_in_cells: tuple[int, int] = (0, 0)
    without_doi: tuple[int, int] = (0, 0)
    options: Mapping[str, str] = field(default_factory=dict)
    origin: Origin = "file"
    signed: bool = False
    compare: bool = False
    work_columns: Mapping[str, int] = field(default_factory=dict)
    search: bool = False
    all_records: bool = False

    @property
    def column_name(self) -> str:
        """The name of the column with the DOIs."""
        return self.header[self.column]

    @property
    def width(self) -> int:
        """The number of cells that `read_numbered_table` yields for each row."""
        return len(self.header)

    def get_cell(self, row: Sequence[str]) -> str:
        """Return the cell of a row that is read as a DOI."""
        column = self.find_read_column(row)
        return row[column] if column < len(row) else ""

    @property
    def read_columns(self) -> frozenset[int]:
        """The indexes of the columns whose cells are read as DOIs."""
        return frozenset({self.column, self.column if self.instead is None else self.instead})

    def find_read_column(self, row: Sequence[str]) -> int:
        """Return the index of the cell of a row that is read as a DOI."""
        cell = row[self.column] if self.column < len(row) else ""
        return self.column if self.instead is None or cell.strip() else self.instead

    @property
    def expected_name(self) -> str | None:
        """The name of the column with the expected addresses, if there is one."""
        return None if self.expected is None else self.header[self.expected]

    def find_expected(self, row: Sequence[str]) -> str | None:
        """Return the text of a row in that column; None if there is no such column."""
        if self.expected is None:
            return None
        return str(row[self.expected]) if self.expected < len(row) else ""

    def list_work_columns(self) -> list[str]:
        """Return the names of the columns that describe the works."""
        return [self.header[place] for place in self.work_columns.values()]

    def number_row(self, line: int) -> int:
        """Return the number that a spreadsheet shows for the data row of this line, counted from 1, unless the list is
        split. Empty rows count, so the numbers are consecutive."""
        return (self.first_row or self.header_row or 1) + self.has_header + line - 1

    def extend(self, width: int, total: int, *, complete: bool = False) -> "Layout":
        """Return the layout after `total` rows, the widest of which has so many cells."""
        more = tuple(name_unnamed_column(position) for position in range(self.width, width))
        total = total if complete else max(total, self.total)
        return dataclasses.replace(self, header=self.header + more, total=total, complete=complete)

    def count_lines(self, numbered: Iterable[tuple[int, Sequence[str]]]) -> "Layout":
        """Return the layout after these rows, with their numbers: `lines_in_cells` counts theirs too."""
        count, first = self.lines_in_cells
        for number, row in numbered:
            for cell in row:
                if "\n" in cell and has_doi_pattern(cell.partition("\n")[2]):
                    count, first = count + 1, first or number
        return self if count == self.lines_in_cells[0] else dataclasses.replace(self, lines_in_cells=(count, first))

    @property
    def is_bibliographic(self) -> bool:
        """Whether its rows are the places of a bibliographic file."""
        return self.kind in FORMATS

    @property
    def has_sheets(self) -> bool:
        """Whether it is of a workbook."""
        return self.kind in get_args(WorkbookKind)

    def with_split(self, split: bool) -> "Layout":
        """Return it with a row for each DOI of a cell. Each DOI of a bibliographic file is in a place of its own."""
        return dataclasses.replace(self, split=split and not self.is_bibliographic)

    def with_all_records(self) -> "Layout":
        """Return it with rows for the records of a bibliographic file that have no DOI; `total` counts them."""
        if self.all_records or not self.is_bibliographic:
            return self
        return dataclasses.replace(self, all_records=True, total=self.total + self.without_doi[0])

    def to_json(self) -> dict[str, Any]:
        """Return the layout as JSON values."""
        values = dataclasses.asdict(self).items()
        return {name: list(value) if isinstance(value, tuple) else value for name, value in values}

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> "Layout":
        """Return the layout from the values of `to_json`."""
        values: dict[str, Any] = {name: tuple(one) if isinstance(one, list) else one for name, one in value.items()}
        return cls(**values)


def name_unnamed_column(position: int) -> str:
    """Return the name of a column beyond the header row."""
    return f"column {position + 1}"
