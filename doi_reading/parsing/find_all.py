"""A text with several DOIs, divided so that each has a text of its own."""

import re

from doi_reading.name.doi import fold
from doi_reading.parsing.free_text import find_mentions
from doi_reading.parsing.parse import LONGEST_TEXT, read
from doi_reading.parsing.reading import Reading
from doi_reading.text.html_entities import decode_html_entities
from doi_reading.text.source_text import SourceText

_SIGNS = ";,|&+"
_WORD = re.compile(r"(?<=\s)(?:/|and|und|et|or|oder|ou)\Z")
_LONGEST_WORD = 5


def find_all(text: str, link: str = "", *, longest: int = LONGEST_TEXT) -> list[Reading]:
    """Return a reading for each DOI of a text, in order: of the part that reads as this DOI, or as one that goes on
    after it, else of the DOI alone. A text with one DOI, or with none, has the reading that `read` returns."""
    reading = read(text, link, longest=longest)
    text = reading.input
    if reading.doi is None or not reading.others or len(text) > longest:
        return [reading]
    wanted = {fold(name): name for name in (str(reading.doi), *reading.others)}
    found: dict[str, Reading] = {}
    body, _ = decode_html_entities(SourceText.of(text))
    starts = [body.span(mention.start)[0] for mention in find_mentions(body)]
    for start, end in zip([0, *starts[1:]], [*starts[1:], len(text)], strict=True):
        piece = read(_strip_separators(text[start:end]), longest=longest)
        name = fold(str(piece.doi or ""))
        if name not in wanted:  # alone it may be read with markup, and what follows that
            name = max(filter(name.startswith, wanted), key=len, default="")
        if name:
            found.setdefault(name, piece)
    alone = (read(name, longest=longest) for key, name in wanted.items() if key not in found)
    return [*found.values(), *alone]


def _strip_separators(text: str) -> str:
    """Return the text without the signs and words at its end that separate a DOI from the next one."""
    end = len(text)
    while True:
        while end and (text[end - 1].isspace() or text[end - 1] in _SIGNS):
            end -= 1
        word = _WORD.search(text, max(0, end - _LONGEST_WORD), end)
        if word is None:
            return text[:end]
        end = word.start()
