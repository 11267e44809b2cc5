r"""Markdown: a backslash before a sign means the sign, and entities are characters, but not in code."""

import re
from collections.abc import Iterator

from doi_reading.command.passage import LINE_END, Passage, cut_pieces, unescape
from doi_reading.text.html_entities import decode_html_entities
from doi_reading.text.source_text import SourceText

_ESCAPE = re.compile(r"\\([_*#\[\]()<>~`+.!|{}-])")


def find_passages(text: str) -> Iterator[Passage]:
    """Yield the text in pieces."""
    for piece in cut_pieces(SourceText.of(text), LINE_END):
        yield Passage(decode_html_entities(unescape(piece, _ESCAPE), 1)[0])
