"""OpenDocument workbooks rewritten, as the tests say it."""

import io
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from resolver.sheets.file_findings import SheetFindings
from resolver.sheets.input.layout import Layout
from resolver.sheets.left_out import LeftOut
from resolver.sheets.original.cell_edits import RowEdit
from resolver.sheets.original.ods.ods_cells import rewrite_ods
from resolver.sheets.workbook.ods import read_ods_rows
from resolver.sheets.workbook.rows import FileBounds
from tests.sheets.made_workbooks import ods

MAX_EXPANDED = 1_000_000


class OdsRewriter:
    """Writes a workbook to a file and rewrites it: `left` has what the last one couldn't hold."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "upload.ods"
        self.left: list[LeftOut] = []

    def __call__(self, content: bytes, edits: Iterable[RowEdit], **choices: Any) -> bytes:
        return b"".join(self.iterate(content, edits, **choices))

    def iterate(
        self,
        content: bytes,
        edits: Iterable[RowEdit],
        *,
        column: int = 0,
        header: tuple[str, str] | None = None,
        max_expanded: int = MAX_EXPANDED,
        **choices: Any,
    ) -> Iterator[bytes]:
        """The blocks of the new workbook. `choices` are those of the layout."""
        self.path.write_bytes(content)
        self.left = []
        names = tuple(f"column {number}" for number in range(1, column + 3))
        given = {"has_header": False, "first_row": 1} | choices
        layout = Layout("ods", "", "", False, header=names, column=column, total=0, **given)
        return rewrite_ods(self.path, layout, iter(edits), self.left.append, header, max_expanded)

    def rewrite_rows(self, rows: str, *edits: RowEdit, **choices: Any) -> str:
        """The rows of the first table, as they are written then."""
        return cut_rows(self(ods(rows), edits, **choices))

    @property
    def reasons(self) -> list[str]:
        return [str(left.reason) for left in self.left]


def edit(row: int, read: str, name: str) -> RowEdit:
    return RowEdit(row, ((read, name),))


def get_content(workbook: bytes) -> str:
    with zipfile.ZipFile(io.BytesIO(workbook)) as archive:
        return archive.read("content.xml").decode()


def cut_rows(workbook: bytes) -> str:
    """What `made_workbooks.ods` was given."""
    return get_content(workbook).split("<table:table-column/>")[1].split("</table:table>")[0]


def read_rows(path: Path, chosen: int | None = None) -> dict[int, list[str]]:
    """The texts of the rows by their number."""
    found = read_ods_rows(path, FileBounds(), SheetFindings(), chosen)
    return {number: [str(cell) for cell in row] for number, row in found}
