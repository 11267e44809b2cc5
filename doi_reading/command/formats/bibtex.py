"""BibTeX: a field `doi` in braces or quotes; every other text may mention DOIs."""

import re
from collections.abc import Iterator

from doi_reading.command.formats import tex
from doi_reading.command.formats.tex import ESCAPE
from doi_reading.command.passage import LINE_END, Passage, cut_pieces, unescape
from doi_reading.text.source_text import SourceText

_DOI = re.compile(r"(?<![\w-])doi\s{0,50}=\s{0,50}([{\"])", re.IGNORECASE)
_SIGN = re.compile(r"\\.|[{}\"]", re.DOTALL)
_LONGEST = 10_000
"""Characters of a field; a longer one is not closed."""


def find_passages(text: str) -> Iterator[Passage]:
    """Yield the fields for a DOI, and the text between them in pieces."""
    done = 0
    while field := _DOI.search(text, done):
        yield from _read_between(text, done, field.start())
        end = _find_end(text, field.end(), field[1])
        value = unescape(SourceText.of(text).cut(field.end(), end), ESCAPE).strip()
        yield Passage(value, is_field=True, takes_link=False, takes_percent=False)
        done = end
    yield from _read_between(text, done, len(text))


def _read_between(text: str, start: int, end: int) -> Iterator[Passage]:
    for piece in cut_pieces(SourceText.of(text).cut(start, end), LINE_END):
        yield Passage(unescape(piece, tex.ESCAPE), takes_percent=False)


def _find_end(text: str, start: int, opener: str) -> int:
    """Return where the value ends: at its closing brace or quote; of one that isn't closed, at the end of its line."""
    depth = 0
    for sign in _SIGN.finditer(text, start, start + _LONGEST):
        if sign[0] == "{":
            depth += 1
        elif sign[0] == "}" and depth:
            depth -= 1
        elif not depth and sign[0] == ("}" if opener == "{" else '"'):
            return sign.start()
    line = LINE_END.search(text, start)
    return line.start() if line else len(text)
