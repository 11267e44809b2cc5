"""Retraction Watch's list, a CSV file as Crossref publishes it: its columns by their names, and its rows as events.

The file is foreign: its bytes, rows, columns and cells are bounded. A row without a DOI, or of a kind that isn't known,
is passed over.
"""

import hashlib
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from typing import BinaryIO, TextIO

from doi_reading import Message, read_all
from doi_reading.message import UnusableInput
from doi_reading.name import is_doi
from resolver.domain.work.events import EventKind, WorkEvent
from resolver.sheets.errors import UnreadableFile
from resolver.sheets.input.text.csv import split_rows

SOURCE = "Retraction Watch"
MOST_BYTES = 300_000_000
MOST_ROWS = 500_000
MOST_COLUMNS = 100
MOST_REASONS, LONGEST_REASON = 20, 120
LONGEST_NAME = 2000
MOST_NAMES = 20  # in one cell
DATE, NOTICE, WORK, KIND, REASONS = (
    "RetractionDate", "RetractionDOI", "OriginalPaperDOI", "RetractionNature", "Reason"
)  # fmt: skip
_NEEDED = (WORK, KIND, DATE, NOTICE, REASONS)
_KINDS = {
    "retraction": EventKind.RETRACTION,
    "expression of concern": EventKind.CONCERN,
    "correction": EventKind.CORRECTION,
    "reinstatement": EventKind.REINSTATEMENT,
}
_PIECE = 1 << 20
_AMERICAN_DATE = re.compile(r"(?P<month>[0-9]{1,2})/(?P<day>[0-9]{1,2})/(?P<year>[12][0-9]{3})(?![0-9])")
_ISO_DATE = re.compile(r"(?P<year>[12][0-9]{3})-(?P<month>[0-9]{2})-(?P<day>[0-9]{2})(?![0-9])")
_SEVERAL = re.compile(r"\s|[;,|]\s*(?:https?:|doi:|10\.)", re.IGNORECASE)
_OTHERS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


class UnusableList(UnusableInput):
    """The file isn't the list, or not the whole of it. `reason` is a sentence for people."""


@dataclass(frozen=True, slots=True)
class ListFacts:
    """What was counted: the rows of the file, and the events that they name. `sha256`: of its bytes."""

    rows: int
    events: int
    sha256: str


def inspect_list(file: BinaryIO, *, whole: bool) -> ListFacts:
    """Read the whole file, and return what it has. `whole`: it is known to have arrived whole; else its last line must
    have an end. Raises UnusableList."""
    digest = _inspect_bytes(file, whole=whole)
    rows = events = 0
    for found in _iterate_rows(file):
        rows += 1
        events += len(found)
    if not events:
        raise UnusableList(Message("No row of the file has a DOI and a known kind of event."))
    return ListFacts(rows, events, digest)


def read_events(file: BinaryIO) -> Iterator[WorkEvent]:
    """Yield the events of a file that `inspect_list` has read, in its order; `source` and `listed_on` are empty."""
    for found in _iterate_rows(file):
        yield from found


def _inspect_bytes(file: BinaryIO, *, whole: bool) -> str:
    """Return the SHA-256 of the bytes, if they are text of a list."""
    file.seek(0)
    digest, size, end = hashlib.sha256(), 0, b""
    while piece := file.read(_PIECE):
        if not size and piece.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<"):
            raise UnusableList(Message("The file is a web page (HTML), not a list. Download the list again."))
        if b"\0" in piece:
            raise UnusableList(Message("The file isn't text in UTF-8. Download the list again."))
        size += len(piece)
        if size > MOST_BYTES:
            raise UnusableList(Message("The file has more than the {count} bytes allowed.", count=MOST_BYTES))
        digest.update(piece)
        end = piece[-1:]
    if not size:
        raise UnusableList(Message("The file is empty."))
    if end != b"\n" and not whole:
        raise UnusableList(
            Message("The last line of the file has no end, so the file may be cut off. Download the list again.")
        )
    return digest.hexdigest()


def _iterate_rows(file: BinaryIO) -> Iterator[list[WorkEvent]]:
    """Yield the events of each row. Raises UnusableList."""
    with _open_text(file) as text:
        rows = split_rows(text, ",", True)
        try:
            _, header = next(rows, (1, []))
            places = _find_columns(header)
            count = 0
            for line, cells in rows:
                if cells in ([], [""]):
                    continue
                count += 1
                if count > MOST_ROWS:
                    raise UnusableList(Message("The file has more than the {count} rows allowed.", count=MOST_ROWS))
                if len(cells) != len(header):
                    raise UnusableList(_build_width_error(line, len(cells), len(header)))
                yield _read_row({name: cells[place].strip() for name, place in places.items()})
        except UnreadableFile as error:
            raise UnusableList(
                Message("The file can't be read, and may be cut off. {reason}", reason=error.args[0])
            ) from error


@contextmanager
def _open_text(file: BinaryIO) -> Iterator[TextIO]:
    """Open the bytes as text; the file stays open. What isn't UTF-8 is in columns that aren't read, such as titles."""
    file.seek(0)
    text = io.TextIOWrapper(file, encoding="utf-8-sig", errors="replace", newline="")
    try:
        yield text
    finally:
        text.detach()


def _find_columns(header: Sequence[str]) -> Mapping[str, int]:
    if len(header) > MOST_COLUMNS:
        raise UnusableList(Message("The file has more than {count} columns, so it isn't the list.", count=MOST_COLUMNS))
    found: dict[str, int] = {}
    for place, name in enumerate(header):
        found.setdefault(_fold_column(name), place)
    missing = [name for name in _NEEDED if _fold_column(name) not in found]
    if missing:
        names = ", ".join(missing)
        raise UnusableList(
            Message("The first line doesn't name the columns of the list. Missing: {names}.", names=names)
        )
    return {name: found[_fold_column(name)] for name in _NEEDED}


def _fold_column(name: str) -> str:
    return "".join(name.split()).casefold()


def _build_width_error(line: int, cells: int, columns: int) -> Message:
    return Message(
        "Line {line} has {cells} columns instead of {columns}, so the file may be cut off. Download the list again.",
        line=str(line), cells=cells, columns=columns,
    )  # fmt: skip


def _read_row(cells: Mapping[str, str]) -> list[WorkEvent]:
    kind = _KINDS.get(" ".join(cells[KIND].casefold().split()))
    names = _read_names(cells[WORK]) if kind else []
    if kind is None or not names:
        return []
    notice = next(iter(_read_names(cells[NOTICE])), "")
    day, reasons = _read_date(cells[DATE]), _read_reasons(cells[REASONS])
    return [WorkEvent(name, kind, day, reasons, notice) for name in names]


def _read_names(text: str) -> list[str]:
    """Return the DOI names of a cell, each once; nearly always it is one, or a word such as `unavailable`."""
    if len(text) <= LONGEST_NAME and is_doi(text) and not _SEVERAL.search(text):
        return [text]
    if "10." not in text or len(text) > LONGEST_NAME * MOST_NAMES:
        return []
    found = (str(reading.doi) for reading in read_all(text) if reading.doi)
    return list(dict.fromkeys(name for name in found if len(name) <= LONGEST_NAME))[:MOST_NAMES]


def _read_date(text: str) -> str:
    """Return the day as ISO 8601; "" if there is none. The list has the month first, unless that can't be one."""
    found = _AMERICAN_DATE.match(text) or _ISO_DATE.match(text)
    if not found:
        return ""
    year, month, day = (int(found[name]) for name in ("year", "month", "day"))
    if month > 12:
        month, day = day, month
    try:
        return date(year, month, day).isoformat()
    except ValueError:
        return ""


def _read_reasons(text: str) -> tuple[str, ...]:
    parts = (" ".join(_OTHERS.sub(" ", part).split()).lstrip("+ ") for part in text.split(";", 1000))
    return tuple(dict.fromkeys(part[:LONGEST_REASON] for part in parts if part))[:MOST_REASONS]
