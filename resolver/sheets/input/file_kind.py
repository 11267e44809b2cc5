"""The kind of a file, by its beginning: text with its encoding and separator, or a workbook with its sheets."""

import dataclasses
from pathlib import Path

from doi_reading import Message
from doi_reading.message import join_messages
from resolver.sheets.bibliographic.formats import find_format
from resolver.sheets.binary_workbook.convert import ensure_converted
from resolver.sheets.binary_workbook.converted_table import read_converted_sheet_names
from resolver.sheets.errors import UnreadableFile
from resolver.sheets.input.layout import Layout, WorkbookKind
from resolver.sheets.input.layout_choices import NOTHING_CHOSEN, LayoutChoices
from resolver.sheets.input.place_rows import lay_out_places
from resolver.sheets.input.text.csv import find_delimiter, has_quoting, read_sample
from resolver.sheets.input.text.gzip import Opener, is_gzip, make_opener
from resolver.sheets.input.text.text_encoding import find_encoding
from resolver.sheets.input.unsupported_formats import (
    COPY_DOIS,
    HEAD_BYTES,
    is_ole,
    refuse_by_bytes,
    refuse_by_text,
    refuse_ole_but_xls,
)
from resolver.sheets.workbook.ods import read_ods_sheet_names
from resolver.sheets.workbook.rows import FileBounds
from resolver.sheets.workbook.workbook_archive import LOCKED, Archive, is_zip
from resolver.sheets.workbook.xlsx_parts import find_xlsx_parts

_NUMBERS = Message("This is an Apple Numbers, Pages or Keynote file. Export the table as CSV or XLSX.")
_OTHER_ARCHIVES = (
    ("word/", join_messages(" ", Message("This is a Word document (.docx)."), COPY_DOIS)),
    ("ppt/", join_messages(" ", Message("This is a PowerPoint presentation (.pptx)."), COPY_DOIS)),
    ("index/document.iwa", _NUMBERS),
    ("index.zip", _NUMBERS),
)


def detect_file_layout(
    path: Path, max_expanded: int, most: int | None = None, choices: LayoutChoices = NOTHING_CHOSEN
) -> Layout:
    """Return the layout without header, column and total. `most` bytes of a text decide the encoding."""
    header_row = choices.header_row or 0
    head = _read_head(lambda: path.open("rb"))
    if kind := _detect_workbook(path, head, max_expanded):
        layout = Layout(kind, "", "", False, False, (), 0, 0, sheet_chosen=choices.sheet, header_row=header_row)
        return dataclasses.replace(layout, signed=kind != "xls" and _is_signed(path))
    gzipped = is_gzip(head)
    opened = make_opener(path, gzipped, max_expanded)
    if gzipped:
        head = _read_head(opened)
        if is_gzip(head):
            raise UnreadableFile(
                Message("The file was compressed with gzip more than once. Unpack it once with gunzip, and try again.")
            )
        if is_zip(head) or is_ole(head):
            reason = Message("This gzip file contains a workbook or an archive. Unpack it with gunzip, and try again.")
            raise UnreadableFile(reason)
    refuse_by_bytes(head)
    if form := find_format(head):
        return lay_out_places(form, choices, gzipped=gzipped)
    refuse_by_text(head)
    declared = choices.declared_encoding
    encoding, is_assumed = find_encoding(opened, most, choices.encoding, declared)
    sample = read_sample(opened, encoding)
    delimiter = find_delimiter(sample, header_row) if choices.delimiter is None else choices.delimiter
    quoted = has_quoting(sample, delimiter)
    chosen = choices.encoding is not None
    layout = Layout("csv", encoding, delimiter, quoted, False, (), 0, 0, gzipped, header_row=header_row)
    return dataclasses.replace(layout, encoding_chosen=chosen, told_encoding=declared, encoding_assumed=is_assumed)


def read_sheet_names(path: Path, bounds: FileBounds) -> list[str]:
    """Return the names of a workbook's visible sheets, in order; of an ODS those in its first `bounds.patience` bytes;
    none of a text."""
    kind = _detect_workbook(path, _read_head(lambda: path.open("rb")), bounds.max_expanded)
    if kind is None:
        return []
    if kind == "ods":
        return read_ods_sheet_names(path, bounds)
    if kind == "xlsx":
        with Archive(path) as archive:
            return [name for name, _ in find_xlsx_parts(archive).sheets]
    return read_converted_sheet_names(ensure_converted(path, kind, bounds.max_expanded))


def confirm_encoding(path: Path, layout: Layout, max_expanded: int) -> Layout:
    """Return the layout with the encoding of the whole file, if only its beginning decided it."""
    if layout.complete or layout.kind != "csv":
        return layout
    chosen = layout.encoding if layout.encoding_chosen else None
    opened = make_opener(path, layout.gzipped, max_expanded)
    encoding, is_assumed = find_encoding(opened, chosen=chosen, declared=layout.told_encoding)
    return dataclasses.replace(layout, encoding=encoding, encoding_assumed=is_assumed)


def _detect_workbook(path: Path, head: bytes, max_expanded: int) -> WorkbookKind | None:
    """Return the kind of workbook; None for other files. Refuses other archives, and documents of office programs."""
    if is_zip(head):
        return _detect_zip_workbook(path, max_expanded)
    if is_ole(head):
        refuse_ole_but_xls(_read_ole_directory(path, head))
        return "xls"
    return None


def _detect_zip_workbook(path: Path, max_expanded: int) -> WorkbookKind:
    """Return the kind of workbook. Refuses other archives by name, and too large ones with the figures."""
    with Archive(path) as archive:
        kind = _detect_archive_kind(archive)
        archive.limit_expanded(max_expanded)
    return kind


def _is_signed(path: Path) -> bool:
    with Archive(path) as archive:
        return archive.is_signed


def _detect_archive_kind(archive: Archive) -> WorkbookKind:
    if archive.has("mimetype"):
        if b"opendocument.spreadsheet" not in archive.read("mimetype", 200):
            reason = Message("This is an OpenDocument or EPUB file, not a table. Save the table as XLSX or as CSV.")
            raise UnreadableFile(reason)
        manifest = "META-INF/manifest.xml"
        if archive.has(manifest) and b"encryption-data" in archive.read(manifest, 1 << 20):
            raise UnreadableFile(LOCKED)
        return "ods"
    if archive.has("xl/workbook.bin"):
        return "xlsb"
    for name, reason in _OTHER_ARCHIVES:
        if any(found.startswith(name) for found in archive.names):
            raise UnreadableFile(reason)
    if not archive.has("[Content_Types].xml") and not archive.has("xl/workbook.xml"):
        raise UnreadableFile(Message("This is a ZIP archive. Unpack it, and upload the table inside."))
    return "xlsx"


def _read_head(opened: Opener) -> bytes:
    with opened() as stream:
        return stream.read(HEAD_BYTES)


def _read_ole_directory(path: Path, head: bytes) -> bytes:
    """Return the sector with the names of the document's parts."""
    size = 4096 if head[30:31] == b"\x0c" else 512
    with path.open("rb") as stream:
        stream.seek(size * (int.from_bytes(head[48:52], "little") + 1))
        return stream.read(4096)
