"""Texts from outside, before they are read as DOIs: pasted lines, names of charsets, whole numbers."""

import codecs
import re
from encodings import normalize_encoding
from encodings.aliases import aliases
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


_KNOWN = frozenset(aliases) | frozenset(aliases.values())


def find_codec(charset: str) -> str:
    """Return Python's name of the codec that reads texts in this charset, "" if there is none.

    `codecs.lookup` alone keeps each name that it doesn't know in memory, and fails for NUL and surrogates. It also
    knows codecs of no charset: punycode reads a long text for minutes.
    """
    name = normalize_encoding(charset).lower() if len(charset) <= 50 else ""
    if name not in _KNOWN:
        return ""
    try:
        b"x".decode(name, "replace")
    except LookupError:  # it reads no texts (rot13, base64), or it is that of another system
        return ""
    return codecs.lookup(name).name


def parse_whole_number(text: str, most: int) -> int | None:
    """Return the number that these digits from 0 to 9 write, and `most` for any larger one: who refuses some asks for
    one more than it allows. None for every other text.

    Python's own `int` reads signs, underscores and the digits of other scripts too, and refuses thousands of digits.
    """
    if not (text.isascii() and text.isdigit()):
        return None
    digits = text.lstrip("0") or "0"
    return most if len(digits) > len(str(most)) else min(int(digits), most)
