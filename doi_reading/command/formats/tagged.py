"""RIS, and other exports with a tag on each line: `DO  - 10.1000/182`."""

import re
from collections.abc import Iterator

from doi_reading.command.passage import LINE_END, Passage
from doi_reading.text.source_text import SourceText

_TAG = re.compile(r"(?:^|(?<=\r))([A-Z][A-Z0-9])  ?- ?", re.MULTILINE)
_DOI = ("DO", "DI")
_ADDRESS = ("UR", "L1", "L2", "L3", "L4", "LK")


def find_passages(text: str) -> Iterator[Passage]:
    """Yield the values, in order. A value may have several lines, but that of a field for a DOI has one."""
    whole, tag, start = SourceText.of(text), "", 0
    for found in _TAG.finditer(text):
        yield from _read_value(whole, tag, start, found.start())
        tag, start = found[1], found.end()
    yield from _read_value(whole, tag, start, len(text))


def _read_value(whole: SourceText, tag: str, start: int, end: int) -> Iterator[Passage]:
    if tag in _DOI:
        line = LINE_END.search(whole.text, start, end)
        first = line.start() if line else end
        yield Passage(whole.cut(start, first).strip(), is_field=True, takes_link=False)
        start = first
    yield Passage(whole.cut(start, end).strip(), is_value=tag in _ADDRESS)
