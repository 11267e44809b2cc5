"""Tables of results for the writers of files."""

from collections.abc import Iterable, Sequence
from typing import Any

from resolver.services.result_files.columns import RESULT_COLUMNS
from resolver.services.result_files.json_members import build_list_objects, build_object
from resolver.sheets.output.result_table import ResultColumn, ResultTable


def make_table(
    header: Sequence[str], rows: Iterable[Any], columns: Sequence[ResultColumn] = RESULT_COLUMNS
) -> ResultTable:
    """A table whose rows aren't those of a list."""
    return ResultTable(header, rows, columns, build_object)


def as_object(row: Any, names: Sequence[str] = (), *, corrected: bool = False) -> dict[str, Any]:
    """The row of a list as an object of JSON lines."""
    return build_list_objects(are_places=False, corrected=corrected)(row, names)


def read_cells(row: Any) -> dict[str, str]:
    """The text of a row in each column."""
    return {column.name: column.get_cell(row) for column in RESULT_COLUMNS}
