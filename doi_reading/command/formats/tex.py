r"""TeX: `\_`, `\%`, `\#`, `\&`, `\$`, `\{`, `\}` mean the sign, and `\\` ends a line. A percent sign that is put in may
begin a comment."""

import re
from collections.abc import Iterator

from doi_reading.command.passage import LINE_END, Passage, cut_pieces, unescape
from doi_reading.text.source_text import SourceText

ESCAPE = re.compile(r"\{\\([_%#&$])\}|\\([_%#&$])")
r"""Also `{\_}`, as some exports have it."""
_IN_TEXT = re.compile(r"\\(?:([_%#&${}])|\\)")


def find_passages(text: str) -> Iterator[Passage]:
    """Yield the text in pieces."""
    for piece in cut_pieces(SourceText.of(text), LINE_END):
        yield Passage(unescape(piece, _IN_TEXT), takes_percent=False)
