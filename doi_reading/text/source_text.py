"""A part of the input that keeps the place of each character, so that every span is a span of the input."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from doi_reading.name.decoding import DecodedText, decode_once

WHITE = "\t\n\v\f\r \u00a0\u1680" + "".join(map(chr, range(0x2000, 0x200B))) + "\u2028\u2029\u202f\u205f\u3000"
"""Unicode's White_Space except U+0085, which the standard counts as a control character (S2)."""
BLANK = WHITE + "\u115f\u1160\u2800\u3164\uffa0"
"""White space, and the letters and signs that leave a blank."""
WHITE_RUN = re.compile(f"[{WHITE}]+")
WIDE_PUNCTUATION = "\uff0c\u3002\uff1b\u3001\uff01\uff1f\u3010\u3011\u300c\u300d\u300a\u300b"
"""The punctuation of Chinese and Japanese text, which stands right after a name."""
IDEOGRAPHS = "\u3005-\u3007\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3\uf900-\ufaff"
"""The letters of Chinese, Japanese and Korean text, as ranges of a pattern."""

MOST_PLACES = 20  # of one kind that are looked at in a text: a bound keeps reading linear


@dataclass(slots=True)  # not frozen: a text needs ten of them, and a frozen one takes twice as long
class SourceText:
    """A text, with the start and the end of each of its characters in the input."""

    text: str
    starts: Sequence[int]
    ends: Sequence[int]
    input: str

    @classmethod
    def of(cls, text: str) -> "SourceText":
        """Return the whole input."""
        return cls(text, range(len(text)), range(1, len(text) + 1), text)

    def cut(self, start: int, end: int | None = None) -> "SourceText":
        """Return the characters from `start` to `end`, counted in this excerpt."""
        cut = slice(start, end)
        return SourceText(self.text[cut], self.starts[cut], self.ends[cut], self.input)

    def strip(self) -> "SourceText":
        """Return the text without white space at its ends."""
        start = len(self.text) - len(self.text.lstrip(WHITE))
        return self.cut(start, max(start, len(self.text.rstrip(WHITE))))

    def span(self, start: int = 0, end: int | None = None) -> tuple[int, int]:
        """Return the span of the characters from `start` to `end` in the input. An empty range gives a point."""
        end = len(self.text) if end is None else min(end, len(self.text))
        if end > start:
            return self.starts[start], self.ends[end - 1]
        if start < len(self.text):
            return self.starts[start], self.starts[start]
        return (self.ends[-1], self.ends[-1]) if self.text else (0, 0)

    def decode(self) -> tuple["SourceText", DecodedText]:
        """Percent-decode the text once. Return it with the findings of the decoding (E10)."""
        result = decode_once(self.text)
        if result.starts is None or result.ends is None:
            return self, result
        starts = [self.starts[start] for start in result.starts]
        ends = [self.ends[end - 1] for end in result.ends]
        return SourceText(result.text, starts, ends, self.input), result

    def with_replaced(self, pieces: Sequence[tuple[int, int, str]]) -> "SourceText":
        """Replace pieces, given as start, end and new text. The new characters get the place of the old ones."""
        if not pieces:
            return self
        texts: list[str] = []
        starts: list[int] = []
        ends: list[int] = []
        done = 0
        for start, end, new in [*pieces, (len(self.text), len(self.text), "")]:
            texts += [self.text[done:start], new]
            starts += self.starts[done:start]
            ends += self.ends[done:start]
            starts += [self.starts[start]] * len(new) if new else []
            ends += [self.ends[end - 1]] * len(new) if new else []
            done = end
        return SourceText("".join(texts), starts, ends, self.input)
