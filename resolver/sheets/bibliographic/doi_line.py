"""The line for a DOI in a tagged record that has none: its own if that is empty, else a new one at the end."""

import re
from collections.abc import Callable

from resolver.sheets.bibliographic.record import Edit

_LINE = re.compile(rb"[^\r\n]+")
_BREAK = re.compile(rb"\r\n|\n|\r")


def add_line(
    raw: bytes, tagged: re.Pattern[bytes], tag: bytes, last: bytes, write: Callable[[re.Match[bytes]], bytes]
) -> Edit:
    """Return the edit that gives a record a line with this tag. `tagged` matches a line that has one, and `write`
    returns the new line in the style of another. The place is an empty line with the tag, which no other continues;
    else before the end mark `last`; else behind all lines with text."""
    first = empty = match = None
    before = start = end = 0
    for line in _LINE.finditer(raw):
        if line.group().isspace():
            continue
        match = tagged.match(line.group())
        if empty and match:
            break
        first = first or match
        before, (start, end) = end, line.span()
        empty = match if match and match["tag"] == tag and not match["value"].strip() else None
    if empty:
        return Edit(start, end, write(empty))
    new = write(first) if first else b""
    if match and match["tag"] == last:
        return Edit(start, start, new + _find_break(raw, before))
    return Edit(end, end, _find_break(raw, 0) + new)


def _find_break(raw: bytes, at: int) -> bytes:
    """Return the line break that follows, "\\n" if there is none."""
    found = _BREAK.search(raw, at)
    return found.group() if found else b"\n"
