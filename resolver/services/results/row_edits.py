"""What changes in the rows of an uploaded table."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any

from resolver.models import Job
from resolver.services.result_files.columns import CORRECTED_COLUMNS
from resolver.services.results.accepted_rows import ACCEPTS, get_accepted_name, iterate_accepted
from resolver.services.results.export import iterate_results
from resolver.sheets.original.cell_edits import RowEdit

_BETWEEN = "; "  # what two columns hold of the DOIs of one cell


def iterate_row_edits(job: Job, accept: str, *, columns: bool = False) -> Iterator[RowEdit]:
    """Yield the changes that `accept`, a word of ACCEPTS, lets in, in the order of rows: one for all DOIs of a cell.
    With `columns` every row has one, with the cells of two more columns as in results with corrected DOIs. Raises
    JobChanged in the middle."""
    rows: Iterable[Any] = iterate_results(job) if columns else iterate_accepted(job, accept)
    for number, group in groupby(rows, lambda row: row.row):
        of_cell = list(group)
        names = ((row.input, get_accepted_name(row)) for row in of_cell if row.correction in ACCEPTS[accept])
        yield RowEdit(number, tuple(names), _build_columns(of_cell) if columns else None)


def _build_columns(rows: Sequence[Any]) -> tuple[str, str]:
    name, correction = ([str(column.get_cell(row)) for row in rows] for column in CORRECTED_COLUMNS)
    return _join(name), _join(correction)


def _join(texts: Sequence[str]) -> str:
    """Return them joined with the places of empty ones, so that those of two columns belong together."""
    return _BETWEEN.join(texts) if any(texts) else ""
