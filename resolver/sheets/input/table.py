"""The data rows of a file, read by its layout and streamed.

Empty rows stay rows (each input row has its output row), except those at the end of the file.
"""

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Unpack

from doi_reading import Message
from resolver.sheets.errors import UnreadableFile, name_rows
from resolver.sheets.input.file_kind import confirm_encoding
from resolver.sheets.input.layout import Layout
from resolver.sheets.input.open import OperatorBounds, read_trimmed_rows
from resolver.sheets.workbook.rows import FileBounds, count_filled_cells
from resolver.sheets.workbook.sheet_findings import SheetFindings


def read_numbered_table(
    path: Path | str, layout: Layout, info: SheetFindings | None = None, **given: Unpack[OperatorBounds]
) -> Iterator[tuple[int, list[str]]]:
    """Yield the data rows in order, each with the number that a spreadsheet shows for it, and with `layout.width`
    cells, bounded as in `detect_table_layout`.

    `info` is filled while it is read. A short row is filled with "". If the layout is not complete, a row may have more
    cells, and any row may raise UnreadableFile.
    """
    width = layout.width
    bounds = FileBounds(**given)
    layout = confirm_encoding(Path(path), layout, bounds.max_expanded)
    info = info or SheetFindings()
    info.encoding, info.encoding_assumed = layout.encoding, layout.encoding_assumed
    with name_rows(layout.kind):
        everything = read_trimmed_rows(Path(path), layout, bounds, info)
        for count, (line, number, row) in enumerate(itertools.islice(everything, int(layout.has_header), None), 1):
            if count > bounds.max_rows:
                raise build_too_many_rows_error(bounds.max_rows, line)
            if len(row) < width:
                row += [""] * (width - len(row))
            elif len(row) > width:
                row = row[: width if layout.complete else max(width, count_filled_cells(row, line))]
            yield number, row


def build_too_many_rows_error(max_rows: int, line: int) -> UnreadableFile:
    return UnreadableFile(Message("The file has more than the {count} rows allowed. Split it.", count=max_rows), line)
