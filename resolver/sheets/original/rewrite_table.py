"""The uploaded table with some cells changed, by its kind."""

from collections.abc import Iterator
from pathlib import Path

from resolver.sheets.input.layout import Layout
from resolver.sheets.input.text.gzip import make_opener
from resolver.sheets.left_out import Leave
from resolver.sheets.original.cell_edits import RowEdit
from resolver.sheets.original.ods.ods_cells import rewrite_ods
from resolver.sheets.original.text.text_table import rewrite_text_table
from resolver.sheets.original.xlsx.xlsx_cells import rewrite_xlsx


def rewrite_table(
    path: Path,
    layout: Layout,
    edits: Iterator[RowEdit],
    leave: Leave,
    header: tuple[str, str] | None,
    max_expanded: int,
) -> Iterator[bytes]:
    """Yield the bytes of the table, unpacked, with the edits made, which are in the order of
    rows. `leave` is called for each name that the file can't hold. With a `header`, two columns with these names stand
    after its last one, and `edits` has each row of the list."""
    if layout.kind == "xlsx":
        return rewrite_xlsx(path, layout, edits, leave, header, max_expanded)
    if layout.kind == "ods":
        return rewrite_ods(path, layout, edits, leave, header, max_expanded)
    return rewrite_text_table(make_opener(path, layout.gzipped, max_expanded), layout, edits, leave, header)
