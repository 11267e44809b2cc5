"""Read many texts on all cores: processes that only read receive texts, and the results come back in order."""

import os
import signal
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import chain, islice
from typing import Any, TypeVar

from doi_reading import FailedReading, Reading, read
from resolver.sheets.workbook.typed_cell import get_link

Row = TypeVar("Row")
INVALID = "invalid"
NOT_READ = "not read"
SHORT_LIST_ROWS = 2000  # a tenth of a second of work, as long as starting processes takes
TEXTS_AT_ONCE = 250  # that are sent to a process


def inspect_cell_text(cell: tuple[str, str], longest: int) -> tuple[dict[str, Any], str]:
    """Read the text of a cell, or else its hyperlink. Return fields of its ResultRow, and what the summary counts."""
    text, link = cell
    reading = read(text, link, longest=longest)
    return describe_reading(reading, reading.input if link else text)


def describe_reading(reading: Reading, text: str) -> tuple[dict[str, Any], str]:
    """Return fields of the ResultRow of a text, and what the summary counts."""
    # Whether a text that the portal failed to read holds a DOI is unknown, so it isn't called invalid.
    unread = isinstance(reading, FailedReading)
    outcome = "" if reading.doi or unread else INVALID
    found = {
        "input": text,
        "doi": str(reading.doi) if reading.doi else "",
        "url": reading.url or "",
        "outcome": outcome,
        "problem_codes": tuple(dict.fromkeys([problem.code for problem in reading.problems])),
        "messages": " ".join(dict.fromkeys([problem.message for problem in reading.problems])),
    }
    return found, NOT_READ if unread else outcome or "readable"


def inspect_rows(rows: Iterable[tuple[Row, str]], *, longest: int) -> Iterator[tuple[Row, tuple[dict[str, Any], str]]]:
    """Yield each row with the reading of its cell, as of `inspect_cell_text`, in order.

    A short list is read in this process. For a long list each core gets a process, because reading only computes: two
    cores take half the time.
    """
    cores = os.cpu_count() or 1
    inspect = partial(inspect_cell_text, longest=longest)
    source = ((row, (str(cell), get_link(cell))) for row, cell in rows)
    first = list(islice(source, SHORT_LIST_ROWS))
    if cores == 1 or len(first) < SHORT_LIST_ROWS:
        for row, cell in chain(first, source):
            yield row, inspect(cell)
        return
    everything = chain(first, source)
    ignore = partial(signal.signal, signal.SIGINT, signal.SIG_IGN)  # the command itself handles Ctrl-C
    pool = ProcessPoolExecutor(cores, initializer=ignore)
    try:
        earlier: Iterable[tuple[Row, tuple[dict[str, Any], str]]] = ()
        # A few tasks for each process are between reading and writing, so that memory doesn't grow with the list.
        while window := list(islice(everything, 4 * TEXTS_AT_ONCE * cores)):
            found = pool.map(inspect, [cell for _row, cell in window], chunksize=TEXTS_AT_ONCE)
            yield from earlier  # is written while the processes read this window
            earlier = zip([row for row, _cell in window], found, strict=True)
        yield from earlier
    finally:
        pool.shutdown(cancel_futures=True)
