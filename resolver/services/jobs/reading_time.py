"""How much time of the processor a worker spends on reading the file of one list. A hostile file fails its list then,
and holds no worker."""

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from doi_reading import Message
from resolver.services.jobs.list_rows import ListRow
from resolver.sheets.errors import UnreadableFile
from resolver.sheets.input.layout import Layout
from resolver.sheets.workbook.sheet_findings import SheetFindings

LONGEST_WORKBOOK = 900.0  # seconds of the processor: 600 MB of XML take two to five minutes
LONGEST = 300.0  # of any other file: 2,000,000 rows take less than one minute
# Seconds of the processor without a row or a record. A million rows of a sheet that have borders alone take ten to
# fifteen, 600 MB of text take six before their first row, and bibliographic files give records steadily.
PATIENCE, PATIENCE_FOR_RECORDS = 20.0, 5.0
_TICK = 0.25  # seconds between two looks


class ReadingTime:
    """What is left of the time for one file, and since when it has given nothing. Readings that go on later share it.
    `found`: what the reading finds out, as it counts records without a DOI."""

    def __init__(self, layout: Layout, found: SheetFindings) -> None:
        self._has_records, self._found = layout.is_bibliographic, found
        self._most = self._left = LONGEST_WORKBOOK if layout.has_sheets else LONGEST
        self._patience = PATIENCE_FOR_RECORDS if self._has_records else PATIENCE
        self._running = False
        self._began = self._idle_since = 0.0  # of the processor time of the thread
        self._rows, self._seen = 0, (0, 0)

    def count(self, rows: Iterator[ListRow]) -> Iterator[ListRow]:
        """Yield the rows, and note that they come."""
        for row in rows:
            self._rows += 1
            yield row

    @contextmanager
    def spend(self) -> Iterator[None]:
        """Count the time until the block ends. Raises UnreadableFile within it when none is left, or when neither a row
        nor a record has come for long. Python interrupts the main thread only; in any other the next block raises it,
        when no time is left."""
        if self._left <= 0:
            raise self._build_refusal()
        is_main = threading.current_thread() is threading.main_thread()
        self._began = self._idle_since = time.thread_time()
        before = signal.getsignal(signal.SIGPROF)
        if is_main:
            signal.signal(signal.SIGPROF, self._interrupt)
            signal.setitimer(signal.ITIMER_PROF, _TICK, _TICK)
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
            raise self._build_refusal()
        if seen != self._seen:
            self._seen, self._idle_since = seen, now
        elif now - self._idle_since >= self._patience:
            raise self._build_refusal_of_nothing()

    def _build_refusal_of_nothing(self) -> UnreadableFile:
        if self._has_records:
            return UnreadableFile(
                Message(
                    "After record {number} comes too much that belongs to no record. Remove it.",
                    number=self._seen[1],
                )
            )
        return UnreadableFile(
            Message(
                "After {number} rows with text come too many empty rows. Delete them.",
                number=self._rows,
            )
        )

    def _build_refusal(self) -> UnreadableFile:
        return UnreadableFile(
            Message(
                "The file takes longer than {count} seconds to read. Check that it isn't damaged, or split it.",
                count=int(self._most),
            )
        )
