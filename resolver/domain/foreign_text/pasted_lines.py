"""Pasted text: one thing to look up, or a list with an entry on each line."""

import re
from itertools import islice

from doi_reading import LONGEST_TEXT, read

_BREAK = re.compile(r"\r\n|\r|\n")


def split_nonblank_lines(text: str) -> list[str]:
    """Return the lines that hold more than white space, each unchanged."""
    return [line for line in _BREAK.split(text) if line.strip()]


def is_single_lookup(text: str, *, longest: int = LONGEST_TEXT) -> bool:
    """Return whether the text is one thing to look up: one line, or several of which at most one reads as a DOI, such
    as a wrapped citation or a DOI broken over two lines. Several lines of more than `longest` characters are a list."""
    lines = split_nonblank_lines(text)
    if len(lines) < 2:
        return True
    if len(text.strip()) > longest:
        return False
    names = (line for line in lines if read(line, longest=longest).valid)
    return len(list(islice(names, 2))) < 2


def strip_empty_lines(text: str) -> str:
    """Return the text without the empty lines before and after it."""
    lines = _BREAK.split(text)
    kept = [place for place, line in enumerate(lines) if line.strip()]
    return "\n".join(lines[kept[0] : kept[-1] + 1]) if kept else ""
