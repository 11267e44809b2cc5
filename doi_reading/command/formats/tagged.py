"""RIS, and other exports with a tag on each line: `DO  - 10.1000/182`."""

import re
from collections.abc import Iterator

from doi_reading.command.passage import Passage
from doi_reading.text.source_text import SourceText

_DOI = re.compile(r"^(?:DO|DI)  ?- ?([^\r\n]*)", re.MULTILINE)


def find_passages(text: str) -> Iterator[Passage]:
    """Yield the fields for a DOI, and the text between them."""
    whole, done = SourceText.of(text), 0
    for field in _DOI.finditer(text):
        yield Passage(whole.cut(done, field.start()))
        yield Passage(whole.cut(*field.span(1)).strip(), is_field=True, takes_link=False)
        done = field.end()
    yield Passage(whole.cut(done))
