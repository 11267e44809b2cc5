r"""Markdown: a backslash before a sign means the sign, but not in code and not in `<…>`."""

import re
from collections.abc import Iterator

from doi_reading.command.passage import LINE_END, Passage, cut_pieces, unescape
from doi_reading.text.source_text import SourceText

_ESCAPE = re.compile(r"\\([_*#\[\]()<>~`+.!|{}-])")


def find_passages(text: str) -> Iterator[Passage]:
    """Yield the text in pieces."""
    for piece in cut_pieces(SourceText.of(text), LINE_END):
        yield Passage(unescape(piece, _ESCAPE))
