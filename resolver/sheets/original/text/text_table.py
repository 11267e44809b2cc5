"""A table as text with some cells changed, and the bytes of all others as they came."""

import csv
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial

from doi_reading import Message
from resolver.sheets.errors import UnreadableFile
from resolver.sheets.input.layout import Layout
from resolver.sheets.input.text.csv import DELIMITERS, split_rows
from resolver.sheets.input.text.gzip import Opener
from resolver.sheets.left_out import Leave, LeftOut, NotWritable
from resolver.sheets.original.cell_edits import RowEdit
from resolver.sheets.original.cell_text import build_cell_text
from resolver.sheets.original.text.recorded_text import RecordedLine, RecordedText
from resolver.sheets.original.text.text_row import Dialect, TextRow
from resolver.sheets.workbook.rows import MAX_FIELD

_BLOCK_BYTES = 1 << 16  # of the new file at a time
_NOT_READ = Message("This row can't be read. Change it by hand.")
_NO_NAMES = Message("The names of two more columns can't be written into this row. Add them by hand.")
_LAST = RowEdit(0)


def rewrite_text_table(
    opened: Opener, layout: Layout, edits: Iterator[RowEdit], leave: Leave, header: tuple[str, str] | None
) -> Iterator[bytes]:
    """Yield the bytes of the file, unpacked, with the edits made, which are in the order of rows. `leave` is called for
    each name that the file can't hold. With a `header`, two columns with these names stand behind the others of the
    list, and `edits` has each of its rows."""
    text = RecordedText(opened, layout.encoding)
    try:
        yield from _join(_rewrite_rows(text, layout, edits, leave, header))
        while block := text.take_rest(_BLOCK_BYTES):
            yield block
    finally:
        text.close()


def _join(pieces: Iterator[bytes]) -> Iterator[bytes]:
    block = bytearray()
    for piece in pieces:
        block += piece
        if len(block) >= _BLOCK_BYTES:
            yield bytes(block)
            block.clear()
    yield bytes(block)


def _rewrite_rows(
    text: RecordedText, layout: Layout, edits: Iterator[RowEdit], leave: Leave, header: tuple[str, str] | None
) -> Iterator[bytes]:
    """Yield the bytes of each row up to the last that changes."""
    dialect = Dialect(layout.delimiter, layout.quoted, text.codec, text.width)
    names_row = layout.number_row(0) if header and layout.has_header else 0
    edit = next(edits, _LAST)
    rows = enumerate(split_rows(text, layout.delimiter, layout.quoted, MAX_FIELD), 1)
    while edit.row or names_row:
        try:
            number, (_, cells) = next(rows)
        except (StopIteration, UnreadableFile, UnicodeDecodeError):
            break
        lines = text.take_lines()
        if number == 1:
            lines = [_skip_separator(line, layout.delimiter) for line in lines]
        if number == names_row:
            names_row = 0
            refuse = partial(_refuse, leave, layout, RowEdit(number, (), header), "", header)
            yield _append_names(lines, cells, dialect, layout, header or ("", ""), refuse)
        elif number == edit.row:
            refuse = partial(_refuse, leave, layout, edit, layout.get_cell(cells), header)
            yield _rewrite_row(lines, cells, dialect, layout, edit, refuse)
            edit = next(edits, _LAST)
        else:
            yield _copy(lines)
    while edit.row:
        _refuse(leave, layout, edit, "", header, _NOT_READ)
        edit = next(edits, _LAST)


def _rewrite_row(
    lines: Sequence[RecordedLine],
    cells: list[str],
    dialect: Dialect,
    layout: Layout,
    edit: RowEdit,
    refuse: Callable[[Message], None],
) -> bytes:
    column = layout.find_read_column(cells)
    present = cells[column] if column < len(cells) else ""
    new, reason = present, None
    try:
        if edit.names:
            new = build_cell_text(present, edit.names, is_split=layout.split)
    except NotWritable as error:
        reason = error.reason
    more = edit.appended or ()
    for text in (new, present) if new != present else (present,):
        try:
            row = TextRow(lines, cells, dialect)
            raw = row.change(None if text == present else column, text, more, layout.width)
            break
        except NotWritable as error:
            reason, raw = error.reason, _copy(lines)
    if reason is not None:
        refuse(reason)
    return raw


def _append_names(
    lines: Sequence[RecordedLine],
    cells: list[str],
    dialect: Dialect,
    layout: Layout,
    names: tuple[str, str],
    refuse: Callable[[Message], None],
) -> bytes:
    """Return the header row with two more names, in its own dialect if that differs from the one below it."""
    for delimiter in (dialect.delimiter, *DELIMITERS):
        own = replace(dialect, delimiter=delimiter)
        divided = cells if delimiter == dialect.delimiter else next(csv.reader(cells[:1], delimiter=delimiter), [])
        if len(cells) > 1 or tuple(divided) == layout.header[: len(divided)]:
            with suppress(NotWritable, csv.Error):
                return TextRow(lines, divided, own).change(None, "", names, layout.width)
    refuse(_NO_NAMES)
    return _copy(lines)


def _refuse(
    leave: Leave, layout: Layout, edit: RowEdit, text: str, header: tuple[str, str] | None, reason: Message
) -> None:
    for _, name in edit.names:
        leave(LeftOut(edit.row, "", layout.column_name, text, name, reason))
    if header and edit.appended and not edit.names:
        leave(LeftOut(edit.row, "", header[0], "", edit.appended[0], reason))


def _skip_separator(line: RecordedLine, delimiter: str) -> RecordedLine:
    """Return the line, skipped if it sets the separator for Excel: that is no row."""
    return line._replace(is_skipped=True) if line.text.strip('"\r\n') == f"sep={delimiter}" else line


def _copy(lines: Sequence[RecordedLine]) -> bytes:
    return b"".join(line.raw for line in lines)
