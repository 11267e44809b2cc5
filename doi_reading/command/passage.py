"""A passage: a part of a file that is read by itself, without the escapes of its format."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from doi_reading.text.source_text import SourceText

_PIECE = 50_000
"""Characters of a passage with escapes that are read together: the places of more would take much memory."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A part of a file. Each character of `text` knows its place in the file.

    `is_value`: it is the whole value of an attribute, a string or a cell, so a link in it ends where the value ends.
    `is_field`: it is the value of a field for a DOI, without its quotes. `takes_link`: such a field may hold a link; in
    others it must be the name, before which programs put `https://doi.org/`. `takes_percent`: a percent sign that is
    put in means itself. `escape_slash`: the file writes a slash as `\\/`.
    """

    text: SourceText
    is_value: bool = False
    is_field: bool = False
    takes_link: bool = True
    takes_percent: bool = True
    escape_slash: bool = False


def cut_pieces(excerpt: SourceText, boundary: re.Pattern[str]) -> Iterator[SourceText]:
    """Yield the excerpt in pieces of bounded length that end where `boundary` matches; a piece without one is long."""
    start = 0
    while len(excerpt.text) - start > _PIECE:
        found = boundary.search(excerpt.text, start + _PIECE)
        if not found:
            break
        yield excerpt.cut(start, found.end())
        start = found.end()
    yield excerpt.cut(start)


LINE_END = re.compile(r"\n|\r")


def unescape(excerpt: SourceText, escape: re.Pattern[str]) -> SourceText:
    """Replace each escape by its group, or by white space without one."""
    return excerpt.with_replaced(
        [
            (one.start(), one.end(), one[one.lastindex] if one.lastindex else " ")
            for one in escape.finditer(excerpt.text)
        ]
    )
