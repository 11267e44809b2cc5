"""A text with several DOIs, divided so that each has a text of its own."""

import re

from resolver.domain.name.doi import fold
from resolver.domain.parsing.free_text import find_mentions
from resolver.domain.parsing.parse import LONGEST, read_input
from resolver.domain.parsing.reading import Reading
from resolver.domain.text.html_entities import decode_html_entities
from resolver.domain.text.source_text import SourceText

_BETWEEN = re.compile(r"(?:[\s;,|&+]|(?<=\s)/|(?<=\s)(?:and|und|et|or|oder|ou)(?=\s))++\Z")
"""What separates a DOI from the next one."""


def split_dois(reading: Reading, *, longest: int = LONGEST) -> list[str]:
    """Return a text for each DOI of the reading, in order: the part of its input that reads as this DOI, else the DOI.
    A reading with one DOI, or with none, keeps its input."""
    text = reading.input
    if reading.doi is None or not reading.others or len(text) > longest:
        return [text]
    wanted = {fold(name): name for name in (str(reading.doi), *reading.others)}
    found: dict[str, str] = {}
    body, _ = decode_html_entities(SourceText.of(text))
    starts = [body.span(mention.start)[0] for mention in find_mentions(body)]
    for start, end in zip([0, *starts[1:]], [*starts[1:], len(text)], strict=True):
        piece = _BETWEEN.sub("", text[start:end])
        name = read_input(piece, longest=longest).doi
        if name is not None and fold(str(name)) in wanted:
            found.setdefault(fold(str(name)), piece)
    return [*found.values(), *(name for key, name in wanted.items() if key not in found)]
