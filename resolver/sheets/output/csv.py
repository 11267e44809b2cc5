"""Files out: CSV, JSON lines and XLSX of result rows, each streamed.

CSV is UTF-8 with BOM, RFC 4180; a lone surrogate, which UTF-8 has no bytes for, becomes U+FFFD. JSON lines stay raw.
"""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from resolver.sheets.output.formulas import harmless
from resolver.sheets.output.quoting import csv_line
from resolver.sheets.output.result_row import (
    CORRECTED_COLUMNS,
    RESULT_COLUMNS,
    ResultRow,
    fitted,
    result_header,
    unique_names,
)
from resolver.sheets.output.xlsx import TooManyColumns, xlsx_blocks, xlsx_file

__all__ = [
    "CORRECTED_COLUMNS",
    "RESULT_COLUMNS",
    "ResultRow",
    "TooManyColumns",
    "csv_lines",
    "harmless",
    "jsonl_lines",
    "result_header",
    "xlsx_blocks",
    "xlsx_file",
]

BOM = b"\xef\xbb\xbf"
_SURROGATE = re.compile("[\ud800-\udfff]")
_BLOCK_CHARACTERS = 1 << 15
_to_json = json.JSONEncoder(ensure_ascii=False).encode  # `json.dumps` makes a new encoder for each row


def csv_lines(
    header: Sequence[str],
    rows: Iterable[ResultRow],
    delimiter: str = ",",
    columns: Sequence[str] = RESULT_COLUMNS,
) -> Iterator[bytes]:
    """The CSV file in blocks; `header` is the original file's, `columns` are the names of what the rows add to it."""
    lines = [csv_line(result_header(header, columns), delimiter)]
    size = 0
    yield BOM
    width = len(header)
    for row in rows:
        line = csv_line([*fitted(row.cells, width), *row.result_cells()], delimiter)
        lines.append(line)
        size += len(line)
        if size > _BLOCK_CHARACTERS:
            yield _encoded("".join(lines))
            lines, size = [], 0
    yield _encoded("".join(lines))


def _encoded(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError:
        return _SURROGATE.sub("\ufffd", text).encode()


def jsonl_lines(header: Sequence[str], rows: Iterable[ResultRow]) -> Iterator[bytes]:
    """One JSON object a line, in blocks of lines, cells raw; a lone surrogate is written as its escape, so nothing is
    lost."""
    names = unique_names(header)
    lines: list[bytes] = []
    size = 0
    for row in rows:
        line = _json_line(row.as_object(names))
        lines.append(line)
        size += len(line)
        if size > _BLOCK_CHARACTERS:
            yield b"".join(lines)
            lines, size = [], 0
    if lines:
        yield b"".join(lines)


def _json_line(value: dict[str, Any]) -> bytes:
    try:
        return _to_json(value).encode() + b"\n"
    except UnicodeEncodeError:
        return json.dumps(value).encode() + b"\n"
