"""How much time of the processor a worker spends on reading the file of one list. A hostile file fails its list then,
and holds no worker."""

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from doi_reading import Message
from resolver.sheets.errors import UnreadableFile
from resolver.sheets.input.layout import Layout

LONGEST_WORKBOOK = 900.0  # seconds of the processor: 600 MB of XML take two to five minutes
LONGEST = 300.0  # of any other file: 2,000,000 rows take less than one minute
_AGAIN = 1.0  # seconds, where a library has caught the first


class ReadingTime:
    """What is left of the time for one file. Readings that go on later share it."""

    def __init__(self, layout: Layout) -> None:
        self._most = self._left = LONGEST_WORKBOOK if layout.has_sheets else LONGEST
        self._running = False

    @contextmanager
    def spend(self) -> Iterator[None]:
        """Count the time until the block ends. Raises UnreadableFile within it when none is left. Python interrupts the
        main thread only; in any other the next block raises it."""
        if self._left <= 0:
            raise self._build_refusal()
        is_main = threading.current_thread() is threading.main_thread()
        began, before = time.thread_time(), signal.getsignal(signal.SIGPROF)
        if is_main:
            signal.signal(signal.SIGPROF, self._interrupt)
            signal.setitimer(signal.ITIMER_PROF, self._left, _AGAIN)
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
            self._left -= time.thread_time() - began

    def _interrupt(self, *_: Any) -> None:
        if self._running:
            raise self._build_refusal()

    def _build_refusal(self) -> UnreadableFile:
        return UnreadableFile(
            Message(
                "The file takes longer than {count} seconds to read. Check that it isn't damaged, or split it.",
                count=int(self._most),
            )
        )
