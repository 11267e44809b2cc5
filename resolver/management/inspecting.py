"""Reading many texts on all cores: batches go out to processes that only read, and come back in order."""

import logging
import os
import signal
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from functools import partial
from itertools import chain, islice
from typing import NamedTuple, TypeVar

from resolver.domain.reading import read
from resolver.domain.sentences import failure_sentence
from resolver.domain.unread import OUR_FAULT

log = logging.getLogger(__name__)
Row = TypeVar("Row")
SHORT = 2000  # rows: a tenth of a second of work, as long as it takes to start processes
BATCH = 250  # texts that go to a process at once
_WAITING = 3  # batches for each process that may wait to be written, so that memory does not grow with the list


class Inspected(NamedTuple):
    """What a row of the results says of a text; strings only, since they travel between processes."""

    doi: str
    url: str
    problems: tuple[str, ...]
    messages: str
    unread: bool = False  # we stumbled over it: whether it holds a DOI is not known


def inspect(texts: Sequence[str], longest: int) -> list[Inspected]:
    """What each text means, and what is wrong with its writing."""
    return [_inspected(text, longest) for text in texts]


def _inspected(text: str, longest: int) -> Inspected:
    try:
        reading = read(text, longest=longest)
    except Exception:
        log.exception("A text of %d characters could not be read", len(text))
        return Inspected("", "", (), failure_sentence(OUR_FAULT), unread=True)
    return Inspected(
        str(reading.doi) if reading.doi else "",
        reading.url or "",
        tuple(dict.fromkeys([problem.code for problem in reading.problems])),
        " ".join(dict.fromkeys([problem.message for problem in reading.problems])),
    )


def inspected(rows: Iterable[tuple[Row, str]], *, longest: int) -> Iterator[tuple[Row, str, Inspected]]:
    """Each row with its text and what the text means, in order. A short list is read where it is; for a long one, each
    core gets a process, since reading is all computing: two cores take half the time."""
    cores = os.cpu_count() or 1
    source = iter(rows)
    first = list(islice(source, SHORT))
    if cores == 1 or len(first) < SHORT:
        for row, text in chain(first, source):
            yield row, text, _inspected(text, longest)
        return
    ignore = partial(signal.signal, signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the command's to answer
    with ProcessPoolExecutor(cores, initializer=ignore) as pool:
        waiting: deque[tuple[list[tuple[Row, str]], Future[list[Inspected]]]] = deque()
        try:
            for batch in _batches(chain(first, source)):
                waiting.append((batch, pool.submit(inspect, [text for _row, text in batch], longest)))
                if len(waiting) > cores * _WAITING:
                    yield from _done(*waiting.popleft())
            while waiting:
                yield from _done(*waiting.popleft())
        finally:
            pool.shutdown(cancel_futures=True)


def _batches(rows: Iterator[tuple[Row, str]]) -> Iterator[list[tuple[Row, str]]]:
    while batch := list(islice(rows, BATCH)):
        yield batch


def _done(batch: list[tuple[Row, str]], future: Future[list[Inspected]]) -> Iterator[tuple[Row, str, Inspected]]:
    for (row, text), found in zip(batch, future.result(), strict=True):
        yield row, text, found
