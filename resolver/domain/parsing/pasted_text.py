"""Pasted text: one thing to look up, or a list with an entry in each line."""

import re

from resolver.domain.parsing.parse import LONGEST, read

_BREAK = re.compile(r"\r\n|\r|\n")


def split_lines(text: str) -> list[str]:
    """The lines that have more than white space in them, each as it is."""
    return [line for line in _BREAK.split(text) if line.strip()]


def is_one_thing(text: str, *, longest: int = LONGEST) -> bool:
    """Whether the text is to be read as one: it has one line with something in it, or several of which no more than
    one reads as a DOI, as where a citation is wrapped or a DOI broken over two lines. Several lines with more than
    `longest` characters together are a list, since nobody reads so much as one."""
    lines = split_lines(text)
    if len(lines) < 2:
        return True
    if len(text.strip()) > longest:
        return False
    found = 0
    for line in lines:
        found += read(line, longest=longest).valid
        if found > 1:
            return False
    return True


def strip_empty_lines(text: str) -> str:
    """The text from its first line with something in it to its last, both as they are."""
    lines = _BREAK.split(text)
    kept = [place for place, line in enumerate(lines) if line.strip()]
    return "\n".join(lines[kept[0] : kept[-1] + 1]) if kept else ""
