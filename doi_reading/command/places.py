"""Lines and columns of a text, both from 1. A column counts code points."""

import re
from bisect import bisect_right

_LINE_END = re.compile(r"\r\n|\n|\r")


class Places:
    """The lines of a text."""

    def __init__(self, text: str) -> None:
        self._starts = [0, *(one.end() for one in _LINE_END.finditer(text))]

    def locate(self, offset: int) -> tuple[int, int]:
        """Return the line and the column of an offset."""
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1
