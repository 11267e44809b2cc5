"""Files out: CSV, JSON lines and XLSX of result rows, each streamed.

CSV is UTF-8 with BOM, RFC 4180; a lone surrogate, which UTF-8 has no bytes for, becomes U+FFFD. JSON lines stay raw.
"""

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator, Sequence

from resolver.sheets.formulas import harmless
from resolver.sheets.results import RESULT_COLUMNS, ResultRow, result_header, unique_names
from resolver.sheets.workbook import TooManyRows, xlsx_file

__all__ = [
    "RESULT_COLUMNS",
    "ResultRow",
    "TooManyRows",
    "csv_lines",
    "harmless",
    "jsonl_lines",
    "result_header",
    "xlsx_file",
]

BOM = b"\xef\xbb\xbf"
_SURROGATE = re.compile("[\ud800-\udfff]")
_BLOCK_CHARACTERS = 1 << 15


def csv_lines(header: Sequence[str], rows: Iterable[ResultRow], delimiter: str = ",") -> Iterator[bytes]:
    """The CSV file in blocks; `header` is the original file's, the result columns are added here."""
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer, delimiter=delimiter, lineterminator="\r\n")
    writer.writerow([harmless(name) for name in result_header(header)])
    yield BOM
    width = len(header)
    for row in rows:
        writer.writerow([harmless(cell) for cell in [*fitted(row.cells, width), *row.result_cells()]])
        if buffer.tell() > _BLOCK_CHARACTERS:
            yield _taken(buffer)
    yield _taken(buffer)


def _taken(buffer: io.StringIO) -> bytes:
    text = buffer.getvalue()
    buffer.seek(0)
    buffer.truncate()
    try:
        return text.encode()
    except UnicodeEncodeError:
        return _SURROGATE.sub("\ufffd", text).encode()


def fitted(cells: Sequence[str], width: int) -> list[str]:
    """The cells, filled to the width of the header so that the result columns stand under their names."""
    return [*cells, *[""] * (width - len(cells))][:width]


def jsonl_lines(header: Sequence[str], rows: Iterable[ResultRow]) -> Iterator[bytes]:
    """One JSON object a line, cells raw; a lone surrogate is written as its escape, so nothing is lost."""
    names = unique_names(header)
    for row in rows:
        value = row.as_object(names)
        try:
            yield json.dumps(value, ensure_ascii=False).encode() + b"\n"
        except UnicodeEncodeError:
            yield json.dumps(value).encode() + b"\n"
