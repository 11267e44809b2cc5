"""Which format a ZIP archive has: XLSX, ODS or XLSB. Other documents, such as Word's, are refused by name."""

from pathlib import Path
from typing import Literal

from doi_reading import Message
from doi_reading.message import join_messages
from resolver.sheets.errors import UnreadableFile
from resolver.sheets.workbook.workbook_archive import LOCKED, Archive


def detect_workbook_kind(path: Path, max_expanded: int) -> Literal["xlsx", "ods", "xlsb"]:
    """Return the kind of workbook. Other archives are refused by name, too large ones with the figures."""
    with Archive(path) as archive:
        kind = _detect_kind(archive)
        if archive.expanded > max_expanded:
            raise UnreadableFile(
                Message(
                    "The unpacked workbook has {count} bytes, more than the {most} allowed. Save the sheet as "
                    "CSV, which is smaller.",
                    count=archive.expanded,
                    most=max_expanded,
                )
            )
    return kind


def _detect_kind(archive: Archive) -> Literal["xlsx", "ods", "xlsb"]:
    if archive.has("mimetype"):
        if b"opendocument.spreadsheet" not in archive.read("mimetype", 200):
            raise UnreadableFile(
                Message("This is an OpenDocument or EPUB file, not a table. Save the table as XLSX or as CSV.")
            )
        manifest = "META-INF/manifest.xml"
        if archive.has(manifest) and b"encryption-data" in archive.read(manifest, 1 << 20):
            raise UnreadableFile(LOCKED)
        return "ods"
    if archive.has("xl/workbook.bin"):
        return "xlsb"
    for name, reason in _OTHERS:
        if any(found.startswith(name) for found in archive.names):
            raise UnreadableFile(reason)
    if not archive.has("[Content_Types].xml") and not archive.has("xl/workbook.xml"):
        raise UnreadableFile(Message("This is a ZIP archive. Unpack it, and upload the table inside."))
    return "xlsx"


_COPY = Message("Copy the DOIs into a text file, one per line, and upload it.")
_NUMBERS = Message("This is an Apple Numbers, Pages or Keynote file. Export the table as CSV or XLSX.")
_OTHERS = (
    ("word/", join_messages(" ", Message("This is a Word document (.docx)."), _COPY)),
    ("ppt/", join_messages(" ", Message("This is a PowerPoint presentation (.pptx)."), _COPY)),
    ("index/document.iwa", _NUMBERS),
    ("index.zip", _NUMBERS),
)
