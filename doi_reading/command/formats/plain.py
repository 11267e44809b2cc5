"""Plain text: nothing is escaped."""

from collections.abc import Iterator

from doi_reading.command.passage import Passage
from doi_reading.text.source_text import SourceText


def find_passages(text: str) -> Iterator[Passage]:
    """Yield the whole text."""
    yield Passage(SourceText.of(text))
