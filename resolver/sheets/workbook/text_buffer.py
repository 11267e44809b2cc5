"""The text of one cell while its pieces arrive, with bounds on its length and on the number of pieces."""

import re

# Neither a NUL, which no text has, nor half of a surrogate pair.
_ESCAPE = re.compile("_x(?!0000|[Dd][89A-Fa-f])([0-9A-Fa-f]{4})_")


class CellTextBuffer:
    """The text so far. Of one longer than `max_field` one character more is kept, so that its row is refused. A parser
    appends all text to `pieces`. If it was the cell's, `keep` takes it."""

    __slots__ = ("_kept", "_most", "_room", "pieces")

    def __init__(self, max_field: int) -> None:
        self.pieces: list[str] = []
        self._kept: list[str] = []
        self._room = self._most = max_field + 1

    def keep(self) -> None:
        """Add the pieces to the text."""
        if self.pieces:
            self.add("".join(self.pieces))
            self.pieces.clear()

    def add(self, text: str, times: int = 1) -> None:
        """Add a text so many times, as far as there is room."""
        if self._room > 0:
            if times > 1:
                text *= min(times, self._room // len(text) + 1)
            self._kept.append(text[: self._room])
            self._room -= len(text)

    def take(self) -> str:
        """Return the text, and start a new one."""
        if not self._kept:
            return ""
        text = "".join(self._kept)
        self._kept.clear()
        self._room = self._most
        return text

    def shorten(self) -> None:
        """Join what came in many pieces, and cut what has no end. To be called after each block of a file."""
        if len(self.pieces) > 1 or (self.pieces and len(self.pieces[0]) > self._most):
            self.pieces[:] = ["".join(self.pieces)[: self._most]]
        if len(self._kept) > 1_024:  # a million pieces of one character each take eighty times its room
            self._kept[:] = ["".join(self._kept)]


def unescape_ooxml(text: str) -> str:
    """Return the text without OOXML's escapes for what XML can't hold: `_x000D_` is a carriage return."""
    if "_x" not in text:
        return text
    return _ESCAPE.sub(lambda match: chr(int(match[1], 16)), text)
