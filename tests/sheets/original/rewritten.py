"""An XLSX workbook before and after its rewriting."""

import io
import re
import zipfile
from collections.abc import Iterable
from pathlib import Path

from resolver.sheets.input.layout import Layout
from resolver.sheets.input.layout_detection import detect_table_layout
from resolver.sheets.input.table import read_numbered_table
from resolver.sheets.left_out import LeftOut
from resolver.sheets.original.cell_edits import RowEdit
from resolver.sheets.original.xlsx.xlsx_cells import rewrite_xlsx
from resolver.sheets.workbook.typed_cell import get_link

SHEET, RELATIONS = "xl/worksheets/sheet1.xml", "xl/worksheets/_rels/sheet1.xml.rels"
MOST = 600_000_000


class RewrittenXlsx:
    """The workbook with the content at `path` after the edits: `content`, `left` out names, and what reading sees."""

    def __init__(
        self,
        path: Path,
        content: bytes,
        edits: Iterable[RowEdit],
        layout: Layout,
        header: tuple[str, str] | None = None,
    ) -> None:
        path.write_bytes(content)
        self.before = content
        self.left: list[LeftOut] = []
        self.content = b"".join(rewrite_xlsx(path, layout, iter(edits), self.left.append, header, MOST))
        path.write_bytes(self.content)
        self.rows = {number: layout.get_cell(row) for number, row in read_numbered_table(path, layout)}
        self.links = {number: get_link(cell) for number, cell in self.rows.items() if get_link(cell)}

    def part(self, name: str = SHEET) -> str:
        return zipfile.ZipFile(io.BytesIO(self.content)).read(name).decode()

    def cell(self, place: str) -> str:
        """The cell's XML."""
        found = re.search(rf'<(?:\w+:)?c [^>]*r="{place}"(?:[^>]*/>|.*?</(?:\w+:)?c>)', self.part(), re.DOTALL)
        return found[0] if found else ""

    @property
    def changed_members(self) -> set[str]:
        """The members whose content isn't the same."""
        was, now = (zipfile.ZipFile(io.BytesIO(content)) for content in (self.before, self.content))
        assert now.testzip() is None
        assert was.namelist() == now.namelist()
        return {name for name in was.namelist() if was.read(name) != now.read(name)}


def rewrite(
    path: Path,
    content: bytes,
    edits: Iterable[RowEdit],
    column: str | None = None,
    header: tuple[str, str] | None = None,
) -> RewrittenXlsx:
    """The workbook after the edits, by the layout that the portal finds."""
    path.write_bytes(content)
    return RewrittenXlsx(path, content, edits, detect_table_layout(path, column), header)


def edit(row: int, name: str, *, was: str = "", appended: tuple[str, str] | None = None) -> RowEdit:
    """The edit of one row: the name, and the text that was read there."""
    return RowEdit(row, ((was, name),), appended)
