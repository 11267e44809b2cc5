"""The rows of a list as its file has them, or a row for each DOI of a cell if the list is split. Reading has a
bound on processor time: a hostile file fails its list, and holds no worker."""

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, Unpack

from doi_reading import Message
from resolver.services.jobs.row_readings import extract_cell_text, find_in_cell
from resolver.sheets.errors import UnreadableFile
from resolver.sheets.file_findings import SheetFindings
from resolver.sheets.input.layout import Layout
from resolver.sheets.input.table import OperatorBounds, build_too_many_rows_error, read_numbered_table
from resolver.sheets.workbook.rows import FileBounds

# Seconds of the processor: 600 MB of XML take two to five minutes, 2,000,000 rows of other files less than one.
WORKBOOK_SECONDS = 900.0
OTHER_FILE_SECONDS = 300.0
# Seconds of the processor without a row or a record. A million rows of a sheet that have borders alone take ten to
# fifteen, 600 MB of text take six before their first row, and bibliographic files give records steadily.
IDLE_SECONDS, IDLE_SECONDS_FOR_RECORDS = 20.0, 5.0


class ListRow(NamedTuple):
    """The number of a row in a spreadsheet and of its DOI in the cell (0: not split), cells, text to read, and in a
    bibliographic file the first row of its reference."""

    row: int
    part: int
    cells: list[str]
    text: str
    reference: int | None = None


def read_list_rows(
    path: Path, layout: Layout, info: SheetFindings | None = None, **given: Unpack[OperatorBounds]
) -> Iterator[ListRow]:
    """Yield the rows of a list in order, the same ones at each reading, and at least one for each row of the file.
    Raises UnreadableFile as `read_numbered_table` does, and for a split list with more than `max_rows` rows or
    `max_expanded` characters in repeated cells."""
    info = info or SheetFindings()
    table = read_numbered_table(path, layout, info, **given)
    if not layout.split:
        return (
            ListRow(number, 0, cells, extract_cell_text(layout.get_cell(cells)), info.first_place)
            for number, cells in table
        )
    return _split(table, layout, FileBounds(**given))


def _split(table: Iterator[tuple[int, list[str]]], layout: Layout, bounds: FileBounds) -> Iterator[ListRow]:
    count = repeated = 0
    for number, cells in table:
        texts = [reading.input for reading in find_in_cell(layout.get_cell(cells))]
        count += len(texts)
        repeated += (len(texts) - 1) * sum(map(len, cells))
        if count > bounds.max_rows:
            raise build_too_many_rows_error(bounds.max_rows, number)
        if repeated > bounds.max_expanded:
            too_much = Message(
                "The rows that are repeated for their DOIs have more than {count} characters. Don't split the cells.",
                count=bounds.max_expanded,
            )
            raise UnreadableFile(too_much, number)
        for part, text in enumerate(texts, 1):
            yield ListRow(number, part, cells, text)


class ReadingTime:
    """The time left for one file, and the time since it gave its last row. A reading that is continued later shares it.
    `found`: what the reading finds out, with the count of records without a DOI."""

    def __init__(self, layout: Layout, found: SheetFindings) -> None:
        self._has_records, self._found = layout.is_bibliographic, found
        self._most = self._left = WORKBOOK_SECONDS if layout.has_sheets else OTHER_FILE_SECONDS
        self._patience = IDLE_SECONDS_FOR_RECORDS if self._has_records else IDLE_SECONDS
        self._running = False
        self._began = self._idle_since = 0.0  # of the processor time of the thread
        self._rows, self._seen = 0, (0, 0)

    def count(self, rows: Iterator[ListRow]) -> Iterator[ListRow]:
        """Yield the rows, and count them."""
        for row in rows:
            self._rows += 1
            yield row

    @contextmanager
    def spend(self) -> Iterator[None]:
        """Count the time until the block ends. Raises UnreadableFile within it when no time is left, or after a long
        time without a row or a record. Python interrupts the main thread only: in any other thread the next block
        raises it when no time is left."""
        if self._left <= 0:
            raise self._build_too_slow_error()
        is_main = threading.current_thread() is threading.main_thread()
        self._began = self._idle_since = time.thread_time()
        before = signal.getsignal(signal.SIGPROF)
        if is_main:
            signal.signal(signal.SIGPROF, self._interrupt)
            signal.setitimer(signal.ITIMER_PROF, 0.25, 0.25)  # seconds to the first look, and between two
        try:
            self._running = True
            try:
                yield
            finally:
                self._running = False
        finally:
            if is_main:
                signal.setitimer(signal.ITIMER_PROF, 0)
                signal.signal(signal.SIGPROF, before)
            self._left -= time.thread_time() - self._began

    def _interrupt(self, *_: Any) -> None:
        if not self._running:
            return
        now, seen = time.thread_time(), (self._rows, self._found.without_doi[1])
        if now - self._began >= self._left:
            raise self._build_too_slow_error()
        if seen != self._seen:
            self._seen, self._idle_since = seen, now
        elif now - self._idle_since >= self._patience:
            raise self._build_idle_error()

    def _build_idle_error(self) -> UnreadableFile:
        reason = Message("After {number} rows with text come too many empty rows. Delete them.", number=self._rows)
        if self._has_records:
            found = self._seen[1]
            reason = Message(
                "There is too much after record {number} that belongs to no record. Remove it.", number=found
            )
        return UnreadableFile(reason)

    def _build_too_slow_error(self) -> UnreadableFile:
        reason = Message(
            "The file takes longer than {count} seconds to read. Check that it isn't damaged, or split it.",
            count=int(self._most),
        )
        return UnreadableFile(reason)
