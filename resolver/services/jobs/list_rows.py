"""The rows of a list as its file has them, or a row for each DOI of a cell if the list is split."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple, Unpack

from doi_reading import Message
from resolver.services.jobs.row_readings import extract_cell_text, find_in_cell
from resolver.sheets.errors import UnreadableFile
from resolver.sheets.input.layout import Layout
from resolver.sheets.input.table import OperatorBounds, build_too_many_rows_error, read_numbered_table
from resolver.sheets.workbook.rows import FileBounds
from resolver.sheets.workbook.sheet_findings import SheetFindings


class ListRow(NamedTuple):
    """The number of a row in a spreadsheet and of its DOI in the cell (0: not split), cells, and text to read."""

    row: int
    part: int
    cells: list[str]
    text: str


def read_list_rows(
    path: Path, layout: Layout, info: SheetFindings | None = None, **given: Unpack[OperatorBounds]
) -> Iterator[ListRow]:
    """Yield the rows of a list in order, the same ones at each reading, and at least one for each row of the file.
    Raises UnreadableFile as `read_numbered_table` does, and for a split list with more than `max_rows` rows or
    `max_expanded` characters in repeated cells."""
    table = read_numbered_table(path, layout, info, **given)
    if not layout.split:
        return (ListRow(number, 0, cells, extract_cell_text(layout.get_cell(cells))) for number, cells in table)
    return _split(table, layout, FileBounds(**given))


def _split(table: Iterator[tuple[int, list[str]]], layout: Layout, bounds: FileBounds) -> Iterator[ListRow]:
    count = repeated = 0
    for number, cells in table:
        texts = [reading.input for reading in find_in_cell(layout.get_cell(cells))]
        count += len(texts)
        repeated += (len(texts) - 1) * sum(map(len, cells))
        if count > bounds.max_rows:
            raise build_too_many_rows_error(bounds.max_rows, number)
        if repeated > bounds.max_expanded:
            too_much = Message(
                "The rows that are repeated for their DOIs have more than {count} characters. Don't split the cells.",
                count=bounds.max_expanded,
            )
            raise UnreadableFile(too_much, number)
        for part, text in enumerate(texts, 1):
            yield ListRow(number, part, cells, text)
