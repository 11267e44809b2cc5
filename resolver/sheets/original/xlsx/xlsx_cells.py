"""XLSX and XLSM: the uploaded workbook with the accepted DOIs in the cells of its sheet. Only the sheet's part changes,
and that of its relations where a hyperlink does."""

import itertools
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path

from resolver.sheets.errors import build_no_such_sheet_error
from resolver.sheets.file_findings import SheetFindings
from resolver.sheets.input.layout import Layout
from resolver.sheets.left_out import Leave
from resolver.sheets.original.archive_copy import copy_archive
from resolver.sheets.original.cell_edits import RowEdit
from resolver.sheets.original.xlsx.rich_text import RichStrings
from resolver.sheets.original.xlsx.xlsx_links import LinkEdits
from resolver.sheets.original.xlsx.xlsx_rows import XlsxEdits, XlsxRows
from resolver.sheets.original.xlsx.xlsx_width import measure_width
from resolver.sheets.original.xml_splice import Splices, WrittenXml
from resolver.sheets.workbook.rows import MAX_CELLS, MAX_FIELD, FileBounds
from resolver.sheets.workbook.temporary_database import open_temporary_database
from resolver.sheets.workbook.workbook_archive import READ_BYTES, Archive
from resolver.sheets.workbook.xlsx import read_xlsx_rows
from resolver.sheets.workbook.xlsx_parts import XlsxParts, find_xlsx_parts, read_number_formats


def rewrite_xlsx(
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
    for the changes. Memory does not grow with the sheet."""
    with ExitStack() as open_now:
        archive = open_now.enter_context(Archive(path))
        archive.limit_expanded(max_expanded)
        book = find_xlsx_parts(archive)
        place = _find_sheet(path, book, layout.sheet_chosen)
        appended = MAX_CELLS
        if header:
            appended = measure_width(archive, place, layout.number_row(0))
            if layout.has_header:
                edits = itertools.chain([RowEdit(layout.number_row(0), appended=header)], edits)
        changed: dict[str, Iterator[bytes]] = {}
        splices = Splices(open_now.enter_context(open_temporary_database()))
        links = LinkEdits(open_now.enter_context(open_temporary_database()), archive, place, layout.read_columns)
        encode = _read_sheet(archive, book, place, layout, XlsxEdits(edits, leave, links, appended), splices)
        if splices:
            changed[place] = _copy_part(archive, place, splices, encode)
        if links:
            others = Splices(open_now.enter_context(open_temporary_database()))
            encode = links.rewrite_relations(others)
            changed[links.relations] = _copy_part(archive, links.relations, others, encode)
        if changed:
            yield from copy_archive(path, changed)
        else:
            stream = open_now.enter_context(path.open("rb"))
            yield from iter(partial(stream.read, READ_BYTES), b"")


def _find_sheet(path: Path, book: XlsxParts, chosen: int | None) -> str:
    """Return the part of the sheet that `read_xlsx_rows` reads."""
    if chosen is not None:
        if chosen >= len(book.sheets):
            raise build_no_such_sheet_error()
        return book.sheets[chosen][1]
    first_index = {place: index for index, (_, place) in reversed([*enumerate(book.sheets)])}
    for place, index in sorted(first_index.items(), key=lambda one: one[1]):
        if next(read_xlsx_rows(path, FileBounds(linked=0), SheetFindings(), index), None):
            return place
    return book.sheets[0][1]


def _read_sheet(
    archive: Archive, book: XlsxParts, place: str, layout: Layout, edits: XlsxEdits, splices: Splices
) -> Callable[[str], bytes]:
    """Find what changes in the sheet. Return the function that encodes it."""
    with ExitStack() as open_now:
        strings = None
        if book.strings:
            part = open_now.enter_context(archive.open(book.strings))
            database = open_now.enter_context(open_temporary_database())
            strings = RichStrings(database, part.read_blocks(), book.strings, MAX_FIELD, sys.maxsize)
        xml = WrittenXml(open_now.enter_context(archive.open(place)).read_blocks(), place)
        formats = read_number_formats(archive, book)
        XlsxRows(xml, strings, formats, book.from_1904, layout, edits, splices).read()
    return xml.encode


def _copy_part(archive: Archive, place: str, splices: Splices, encode: Callable[[str], bytes]) -> Iterator[bytes]:
    with archive.open(place) as part:
        yield from splices.copy(part.read_blocks(), encode)
