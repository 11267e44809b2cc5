"""Read many texts on all cores: processes that only read receive batches, and the results come back in order."""

import os
import signal
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from functools import partial
from itertools import chain, islice
from typing import NamedTuple, TypeVar

from resolver.domain.parsing.reading import Unread
from resolver.domain.report.hyperlink import read_cell
from resolver.sheets.workbook.cell import link_of

Row = TypeVar("Row")
SHORT = 2000  # rows: a tenth of a second of work, as long as starting processes takes
BATCH = 250  # texts sent to a process at once
_WAITING = 3  # batches for each process that may wait to be written, so that memory does not grow with the list


class Inspected(NamedTuple):
    """The part of a result row about a cell; only strings, because processes exchange it."""

    input: str
    doi: str
    url: str
    problems: tuple[str, ...]
    messages: str
    unread: bool = False  # the portal failed to read it: whether it holds a DOI is unknown


def inspect_cells(cells: Sequence[tuple[str, str]], longest: int) -> list[Inspected]:
    """Read the text of each cell, or else its hyperlink, with its problems."""
    return [_inspected(text, link, longest) for text, link in cells]


def _inspected(text: str, link: str, longest: int) -> Inspected:
    reading = read_cell(text, link, longest=longest)
    return Inspected(
        reading.input if link else text,
        str(reading.doi) if reading.doi else "",
        reading.url or "",
        tuple(dict.fromkeys([problem.code for problem in reading.problems])),
        " ".join(dict.fromkeys([problem.message for problem in reading.problems])),
        isinstance(reading, Unread),
    )


def inspect_rows(rows: Iterable[tuple[Row, str]], *, longest: int) -> Iterator[tuple[Row, Inspected]]:
    """Yield each row with the reading of its cell, in order.

    A short list is read in this process. For a long list each core gets a process, because reading only computes: two
    cores take half the time.
    """
    cores = os.cpu_count() or 1
    source = iter(rows)
    first = list(islice(source, SHORT))
    if cores == 1 or len(first) < SHORT:
        for row, cell in chain(first, source):
            yield row, _inspected(str(cell), link_of(cell), longest)
        return
    ignore = partial(signal.signal, signal.SIGINT, signal.SIG_IGN)  # the command itself handles Ctrl-C
    with ProcessPoolExecutor(cores, initializer=ignore) as pool:
        waiting: deque[tuple[list[tuple[Row, str]], Future[list[Inspected]]]] = deque()
        try:
            for batch in _batches(chain(first, source)):
                cells = [(str(cell), link_of(cell)) for _row, cell in batch]
                waiting.append((batch, pool.submit(inspect_cells, cells, longest)))
                if len(waiting) > cores * _WAITING:
                    yield from _done(*waiting.popleft())
            while waiting:
                yield from _done(*waiting.popleft())
        finally:
            pool.shutdown(cancel_futures=True)


def _batches(rows: Iterator[tuple[Row, str]]) -> Iterator[list[tuple[Row, str]]]:
    while batch := list(islice(rows, BATCH)):
        yield batch


def _done(batch: list[tuple[Row, str]], future: Future[list[Inspected]]) -> Iterator[tuple[Row, Inspected]]:
    for (row, _cell), found in zip(batch, future.result(), strict=True):
        yield row, found
