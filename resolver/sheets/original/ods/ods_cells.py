"""ODS: the uploaded workbook with the accepted DOIs in the cells of its sheet. Only content.xml changes."""

import itertools
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path

from doi_reading import Message
from resolver.sheets.errors import UnreadableFile
from resolver.sheets.file_findings import SheetFindings
from resolver.sheets.input.layout import Layout
from resolver.sheets.left_out import Leave, LeftOut, NotWritable
from resolver.sheets.original.archive_copy import copy_archive
from resolver.sheets.original.cell_edits import RowEdit
from resolver.sheets.original.linked_cell import HAS_FORMULA
from resolver.sheets.original.ods.ods_cell import fill_ods_cell, read_shown, rewrite_ods_cell
from resolver.sheets.original.ods.ods_row import OdsRow, OdsRowText, Splice
from resolver.sheets.original.ods.ods_rows import OdsRows, OdsWidth, OdsXml
from resolver.sheets.original.xml_splice import Splices
from resolver.sheets.workbook.ods import read_ods_rows
from resolver.sheets.workbook.ods_table import CONTENT, MAX_SHEETS
from resolver.sheets.workbook.rows import FileBounds
from resolver.sheets.workbook.temporary_database import open_temporary_database
from resolver.sheets.workbook.workbook_archive import READ_BYTES, Archive

_NO_ROW = Message("The sheet doesn't have this row.")
_COVERED = Message("The cell is hidden by a merged cell. Change it by hand.")
_LONG_ROW = Message("The row is too long in the file. Change it by hand.")
_REPEATED = Message("The file has this row once for many rows, and would become too large. Change it by hand.")
_UNKNOWN_NAMES = Message(
    "The sheet is written in an unusual way. Save it in a spreadsheet program, or change it by hand."
)


def rewrite_ods(
    path: Path,
    layout: Layout,
    edits: Iterator[RowEdit],
    leave: Leave,
    header: tuple[str, str] | None,
    max_expanded: int,
) -> Iterator[bytes]:
    """Yield the workbook with the edits made, in the order of rows, and with two columns of these names after the last
    used one if there is a `header`. It is the file itself if nothing changes. `leave` is called for each name that the
    sheet can't hold, before the first block. Raises UnreadableFile before that, and OSError if there is no room on disk
    for the changes. Repeated rows take at most `max_expanded` characters when they are split. Memory stays flat."""
    with ExitStack() as open_now:
        archive = open_now.enter_context(Archive(path))
        splices = Splices(open_now.enter_context(open_temporary_database()))
        chosen = _find_sheet(path, layout)
        width = 0
        if header:
            with archive.open(CONTENT) as part:
                width = OdsWidth(part, chosen).measure()
            if layout.has_header:
                edits = itertools.chain([RowEdit(layout.number_row(0), appended=header)], edits)
        with archive.open(CONTENT) as part:
            xml = OdsXml(part.read_blocks())
            _OdsEdits(xml, splices, layout, edits, leave, width, max_expanded).make(chosen)
        if not splices:
            source = open_now.enter_context(path.open("rb"))
            yield from iter(lambda: source.read(READ_BYTES), b"")
            return
        part = open_now.enter_context(archive.open(CONTENT))
        yield from copy_archive(path, {CONTENT: splices.copy(part.read_blocks(), xml.encode)})


def _find_sheet(path: Path, layout: Layout) -> int:
    """Return the place of the sheet among the visible ones: the chosen one, else the first with text."""
    if layout.sheet_chosen is not None:
        return layout.sheet_chosen
    info = SheetFindings()
    next(read_ods_rows(path, FileBounds(), info), None)
    if len(info.sheets) > MAX_SHEETS:
        raise UnreadableFile(Message("The workbook has more than {count} sheets.", count=MAX_SHEETS))
    return len(info.sheets) - 1


class _OdsEdits:
    """The edits of a sheet while its rows pass, and the splices that they become."""

    def __init__(
        self,
        xml: OdsXml,
        splices: Splices,
        layout: Layout,
        edits: Iterator[RowEdit],
        leave: Leave,
        width: int,
        room: int,
    ) -> None:
        self._xml = xml
        self._splices = splices
        self._layout = layout
        self._edits = edits
        self._edit = next(edits, None)
        self._leave = leave
        self._width = width
        self._room = room

    def make(self, chosen: int) -> None:
        """Parse the part, and make all edits in its `chosen`th visible table."""
        columns = [column for column in (self._layout.column, self._layout.instead) if column is not None]
        OdsRows(self._xml, chosen, columns, self._is_wanted, self._change)
        while self._xml.read():
            pass
        for edit in self._take(None):
            self._refuse(edit, _NO_ROW)

    def _is_wanted(self, first: int, last: int) -> bool:
        for edit in self._take(first - 1):
            self._refuse(edit, _NO_ROW)
        return self._edit is not None and self._edit.row <= last

    def _take(self, last: int | None) -> Iterator[RowEdit]:
        """Yield the edits up to those of the row with this number."""
        while self._edit is not None and (last is None or self._edit.row <= last):
            yield self._edit
            self._edit = next(self._edits, None)

    def _change(self, row: OdsRow) -> None:
        edits = self._take(row.number + row.repeated - 1)
        prefixes = self._xml.prefixes
        if prefixes is None or not self._xml.is_holding:
            for edit in edits:
                self._refuse(edit, _UNKNOWN_NAMES if prefixes is None else _LONG_ROW)
            return
        text = OdsRowText(row, self._xml.read_held, self._xml.encode, prefixes)
        if row.repeated > 1:
            self._split(row, text, edits)
            return
        for edit in edits:
            found = list(self._find(text, edit))
            if found and row.is_closed:
                found = [(row.start, row.stop, text.render(found, 1))]
            for splice in found:
                self._splices.add(*splice)

    def _split(self, row: OdsRow, text: OdsRowText, edits: Iterable[RowEdit]) -> None:
        """Let a row that stands for several become as many as are needed."""
        number = row.number
        for edit in edits:
            if not (found := list(self._find(text, edit))):
                continue
            before = [text.render([], edit.row - number)] if edit.row > number else []
            rows = "".join([*before, text.render(found, 1)])
            if len(rows) > self._room:
                self._refuse(edit, _REPEATED)
                continue
            self._room -= len(rows)
            self._splices.add(row.start, row.start, rows)
            number = edit.row + 1
        if number > row.number:
            left = row.number + row.repeated - number
            self._splices.add(row.start, row.stop, text.render([], left) if left else "")

    def _find(self, text: OdsRowText, edit: RowEdit) -> Iterator[Splice]:
        new: dict[int, str] = {}
        try:
            if edit.names:
                new |= self._write_names(text, edit)
        except NotWritable as error:
            self._refuse(edit, error.reason)
        for column, value in enumerate(edit.appended or (), self._width):
            if value:
                new[column] = fill_ods_cell(text.get_cell(column)[0], value, text.prefixes)
        return text.place(new)

    def _write_names(self, text: OdsRowText, edit: RowEdit) -> dict[int, str]:
        """Return the cell with the names, with its column; nothing if it stays as it is."""
        column, instead = self._layout.column, self._layout.instead
        xml, cell = text.get_cell(column)
        attributes = cell.attributes if cell else {}
        if instead is not None and not read_shown(xml, attributes).strip():
            other, found = text.get_cell(instead)
            if found and read_shown(other, found.attributes).strip():
                column, xml, cell, attributes = instead, other, found, found.attributes
        if cell and cell.is_covered:
            raise NotWritable(_COVERED)
        if text.row.is_in_matrix:
            raise NotWritable(HAS_FORMULA)
        written = rewrite_ods_cell(xml, attributes, edit.names, text.prefixes, is_split=self._layout.split)
        return {} if written == xml else {column: written}

    def _refuse(self, edit: RowEdit, reason: Message) -> None:
        for part, name in edit.names:
            self._leave(LeftOut(edit.row, "", self._layout.column_name, part, name, reason))
