"""Tables and plain lists as text: the delimiter, and the rows."""

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, Protocol, TextIO

from doi_reading import Message
from resolver.sheets.doi_pattern import has_doi_pattern
from resolver.sheets.errors import UnreadableFile
from resolver.sheets.header.column_names import DATA, is_doi_column_name
from resolver.sheets.header.title_rows import MAX_TITLE_ROWS, find_named_header
from resolver.sheets.input.text.gzip import Opener
from resolver.sheets.workbook.rows import (
    MAX_CELLS,
    MAX_FIELD,
    MAX_LINE_CHARACTERS,
    build_cell_too_long_error,
    build_row_too_long_error,
    compute_row_limit,
)

SAMPLE_ROWS = 200
SAMPLE_CHARACTERS = 1 << 18
_NO_DELIMITER = "\0"  # a plain list is read as a table of one column: a text with this character is refused

# An unclosed quote swallows the rest of the file into one cell: the limit stops it before memory does.
csv.field_size_limit(MAX_FIELD)

# Delimiters inside a DOI do not separate columns: those in brackets, the end of a SICI, HTML entities.
_IN_DOI = re.compile(
    r"(?<=CO);2|&#?\w{1,8};|(?<=[\w./)\]>:-])\([^()\s\"]*\)|<[^<>\s\"]*>|(?<=[\w./)\]>:-])\[[^\[\]\s\"]*\]"
)
# The first line that sets the separator for Excel. It is no row of the table.
_SEPARATOR_LINE = re.compile(r'"?sep=([\t,;|])"?[\r\n]')
DELIMITERS = "\t,;|"
_NO_AGREEMENT = (0.0, 0, 0)
_NEVER_CLOSED = Message(
    'A quotation mark (") in the row that starts here is never closed. Close it or delete it, and try again.'
)
_CLOSED_EARLY = Message(
    "In the row that starts here, a quoted cell has text after its closing quotation mark, or is never "
    'closed. Double each quotation mark inside a quoted cell ("").'
)


def open_text(opened: Opener, encoding: str) -> TextIO:
    """Open the file as text, with its line ends, as some may be inside quotes."""
    return io.TextIOWrapper(opened(), encoding=encoding, newline="")


def read_sample(opened: Opener, encoding: str) -> str:
    """Return the first part of the text, up to a line end, to find the layout."""
    with open_text(opened, encoding) as stream:
        text = stream.read(SAMPLE_CHARACTERS)
        return text + stream.readline(MAX_LINE_CHARACTERS) if len(text) == SAMPLE_CHARACTERS else text


def find_delimiter(sample: str, header_row: int = 0) -> str:
    """Return `,` TAB `;` or `|` if the first rows, or those from the header row on, agree on it; "" for a plain list.
    csv.Sniffer is no help: on lists of DOIs it chooses letters and digits."""
    if declared := _SEPARATOR_LINE.match(sample):
        return declared[1]
    sample = sample.split("\n", max(header_row - 1, 0))[-1]
    masked = _IN_DOI.sub(lambda match: "_" * len(match[0]), sample)
    scores = {delimiter: _measure_agreement(masked, delimiter) for delimiter in DELIMITERS}
    best = max(scores, key=lambda delimiter: scores[delimiter])
    return best if scores[best] > _NO_AGREEMENT else ""


def _measure_agreement(sample: str, delimiter: str) -> tuple[float, int, int]:
    """Return how well the delimiter splits the rows: one that leaves no other in cells with DOIs is better."""
    rows = _cut_banner(split_header_otherwise(_read_sample_rows(sample, delimiter), delimiter))
    if not rows or len(rows[0]) < 2:
        return _NO_AGREEMENT
    widths = Counter(len(row) for row in rows)
    width, count = max(widths.items(), key=lambda item: (item[1], item[0]))
    parted = sum(number for cells, number in widths.items() if cells > 1) / len(rows)
    agreed = count / len(rows)
    has_names = not any(has_doi_pattern(cell) for cell in rows[0])
    if _is_named_table(rows[0]):  # its rows may then be as ragged as they like
        return (agreed, len(rows[0]), _clean(rows, delimiter))
    if width < 2 or parted < 0.8 or (not has_names and agreed < 0.8):
        return _NO_AGREEMENT
    if delimiter in ",;" and (_is_prose(rows, has_names, agreed) or _is_one_line(rows, has_names)):
        return _NO_AGREEMENT
    return (agreed, width, _clean(rows, delimiter))


def split_header_otherwise(rows: list[list[str]], delimiter: str) -> list[list[str]]:
    """Return the rows with the cells of a header that has another separator than those below it: one cell with as
    many names as they have cells, above the first DOI."""
    for place, row in enumerate(rows):
        if any(map(has_doi_pattern, row)):
            break
        if delimiter and row and row[0] and not any(row[1:]):
            widths = set(map(len, rows[place + 1 :]))
            for other in DELIMITERS.replace(delimiter, ""):
                cells = next(iter(_read_sample_rows(row[0], other)), [])
                if len(cells) > 1 and len(cells) in widths and _is_named_table(cells):
                    return [*rows[:place], cells, *rows[place + 1 :]]
    return rows


def _clean(rows: list[list[str]], delimiter: str) -> int:
    """Return 0, less one for each cell with a DOI and another delimiter, as "10.1000/a;1" beside a price 1,50 has."""
    others = set(DELIMITERS) - {delimiter}
    return -sum(not others.isdisjoint(cell) for row in rows for cell in row if has_doi_pattern(cell))


def _cut_banner(rows: list[list[str]]) -> list[list[str]]:
    """Return the rows without a report's title: lines without a DOI, followed by what is surely a header."""
    if place := find_named_header(rows):
        return rows[place:]
    for place, row in enumerate(rows):
        is_wider = place > 0 and len(row) > len(rows[0])
        if is_wider and (_is_named_table(row) or (place <= MAX_TITLE_ROWS and _is_regular_table(rows[place:]))):
            return rows[place:]
        if any(map(has_doi_pattern, row)):
            break
    return rows


def _is_regular_table(rows: list[list[str]]) -> bool:
    """Whether the first row may be a header without a telling name: all rows have as many cells, others have DOIs."""
    first, others = rows[0], rows[1:]
    if len(first) < 2 or any(not cell.strip() or cell[0].isspace() or DATA.search(cell) for cell in first):
        return False
    alike = sum(len(row) == len(first) for row in others)
    return alike >= max(1.0, 0.95 * len(others)) and any(has_doi_pattern(cell) for row in others for cell in row)


def _is_named_table(first: list[str]) -> bool:
    """Whether the row is such as doi,title,year: a cell is the name "doi", none has a DOI or begins with a space."""
    named = any(map(is_doi_column_name, first))
    return named and not any(has_doi_pattern(cell) or cell[:1].isspace() for cell in first)


def _is_prose(rows: list[list[str]], has_names: bool, agreed: float) -> bool:
    """Whether these are references: a space after the comma, and a different number of commas in each line."""
    after = [cell for row in rows for cell in row[1:]]
    spaced = sum(cell[:1] == " " for cell in after) > len(after) / 2
    return spaced and (not has_names or agreed < 0.95)


def _is_one_line(rows: list[list[str]], has_names: bool) -> bool:
    """Whether this is a single line, which always agrees with itself: "10.1000/a,b" is a name, "10.1/a,10.1/b" two."""
    if len(rows) > 1 or has_names:
        return False
    return len(rows[0]) == 2 or sum(map(has_doi_pattern, rows[0])) > 1


def _read_sample_rows(sample: str, delimiter: str) -> list[list[str]]:
    rows: list[list[str]] = []
    with suppress(csv.Error):
        for row in csv.reader(io.StringIO(sample, newline=""), delimiter=delimiter):
            if any(row):
                rows.append(row[:MAX_CELLS])  # a longer one is refused, or not split here
            if len(rows) >= SAMPLE_ROWS:
                break
    return rows


def has_quoting(sample: str, delimiter: str) -> bool:
    """Whether `"` quotes cells. In tab-separated text and plain lists it may be an ordinary character."""
    if delimiter in (",", ";", "|"):
        return True
    start = rf"(?:^|{delimiter})" if delimiter else "^"
    end = rf"(?={delimiter}|\r|\n|\Z)" if delimiter else r"(?=\r|\n|\Z)"
    opened = len(re.findall(start + '"', sample, re.M))
    closed = len(re.findall(start + '"(?:[^"]++|"")*+"' + end, sample, re.M))
    return opened == closed


class LineSource(Protocol):
    """A text that is read by lines, with their ends."""

    def readline(self, size: int, /) -> str:
        """Return the next line, at most so many characters of it; "" at the end."""


def read_text_rows(
    opened: Opener, encoding: str, delimiter: str, quoted: bool, max_field: int = MAX_FIELD
) -> Iterator[tuple[int, list[str]]]:
    """Yield every row with the line in which it begins. Raises UnreadableFile with the line at fault."""
    with open_text(opened, encoding) as stream:
        yield from split_rows(stream, delimiter, quoted, max_field)


def split_rows(
    stream: LineSource, delimiter: str, quoted: bool, max_field: int = MAX_FIELD
) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows of `read_text_rows`. When a row is yielded, its lines were read and none behind them."""
    # The limit is one for the whole process, so it is only ever raised: another file may be read at the same time.
    csv.field_size_limit(max(max_field, csv.field_size_limit()))
    lines = _Lines(stream, compute_row_limit(max_field))
    reader = csv.reader(iter(lines), strict=True, **build_dialect(delimiter, quoted))
    while True:
        line = reader.line_num + 1
        lines.begin_row(line)
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            raise _explain(error, line, max_field) from error
        except UnreadableFile as error:
            if error.line:
                raise
            raise UnreadableFile(error.reason, line) from error  # from the stream below, which knows no lines
        if line == 1 and is_separator_row(row, delimiter):
            continue
        yield line, row


def build_dialect(delimiter: str, quoted: bool) -> dict[str, Any]:
    """Return the arguments of csv.reader for a table, or for a plain list."""
    quoting = csv.QUOTE_MINIMAL if quoted else csv.QUOTE_NONE
    return {"delimiter": delimiter or _NO_DELIMITER, "quoting": quoting}


def is_separator_row(row: list[str], delimiter: str) -> bool:
    """Return whether the first row sets the separator for Excel. It is no row of the table."""
    return bool(delimiter) and delimiter.join(row) == f"sep={delimiter}"


def _explain(error: csv.Error, line: int, max_field: int) -> UnreadableFile:
    if "field larger" in str(error):
        return build_cell_too_long_error(max_field, line)
    return UnreadableFile(_NEVER_CLOSED if "end of data" in str(error) else _CLOSED_EARLY, line)


class _Lines:
    """The lines of a text, with bounds on the length of a line and of a row."""

    def __init__(self, stream: LineSource, longest_row: int) -> None:
        self._stream = stream
        self._longest_row = longest_row
        self._row = 1
        self._length = 0

    def begin_row(self, line: int) -> None:
        """Count what is read from here on for a new row."""
        self._row = line
        self._length = 0

    def __iter__(self) -> Iterator[str]:
        number = 0
        doubled = False
        before = ""
        while line := self._stream.readline(MAX_LINE_CHARACTERS):
            # CR CR LF: a program turned LF into CRLF that was CRLF already.
            is_second_end = line == "\r\n" and before.endswith("\r")
            doubled = doubled or (is_second_end and number == 1)
            before = line
            if is_second_end and doubled:
                continue
            number += 1
            if len(line) == MAX_LINE_CHARACTERS:
                reason = Message(
                    "This line has more than {count} characters. Check that the file is a table.",
                    count=MAX_LINE_CHARACTERS,
                )
                raise UnreadableFile(reason, number)
            self._length += len(line)
            if self._length > self._longest_row and self._row < number:
                raise build_row_too_long_error(self._longest_row, self._row)
            yield line
