"""The media type of an uploaded file."""

from pathlib import PurePath

from resolver.sheets.bibliographic.formats import FORMATS
from resolver.sheets.input.layout import Layout
from resolver.sheets.output.export_formats import XLSX

_WITH_MACROS = "application/vnd.ms-excel.sheet.macroenabled.12"
_OF_WORKBOOKS = {"xlsx": XLSX.content_type, "ods": "application/vnd.oasis.opendocument.spreadsheet"}
_OF_TEXTS = {"": "text/plain", "\t": "text/tab-separated-values"}  # by the delimiter
_UNKNOWN = "application/octet-stream"


def find_media_type(layout: Layout, filename: str) -> str:
    """Return the media type of a file with this layout and name; that of any bytes for a format without one."""
    if layout.gzipped:
        return "application/gzip"
    if layout.is_bibliographic:
        return next(iter(FORMATS[layout.kind].media_types), _UNKNOWN)
    if layout.kind == "csv":
        return _OF_TEXTS.get(layout.delimiter, "text/csv")
    if PurePath(filename).suffix.lower() == ".xlsm":
        return _WITH_MACROS
    return _OF_WORKBOOKS.get(layout.kind, _UNKNOWN)
