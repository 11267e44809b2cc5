"""Find where the name ends and the sentence continues: punctuation, brackets and quotes at the end (S15)."""

import re
import unicodedata
from collections.abc import Callable

from doi_reading.name.doi import is_graphic
from doi_reading.text.brackets import CLOSERS, OPENERS

PUNCTUATION = ".,;:"
SENTENCE = PUNCTUATION + "!?…。，、；：！？"
_OTHER = {**OPENERS, **CLOSERS}
_QUOTES = "\"'`"
_STRAY = "\u00c2\u00c3\u00e2\u00ef\u00ff"  # the remains of a space, a quote or an end mark after a wrong encoding
DOTS = re.compile(r"\.{3,}|\.{0,2}…[.…]*")
"""What programs and people write where they leave something out."""
_AFTER_DOTS = ",;:!?()[]{}<>\"'`“”‘’«»"
_DEBRIS = "|\\*!?=&~^`$%@+"


def find_final_dots(text: str) -> int:
    """Return the index where three dots or an ellipsis start that end the text, perhaps with a bracket or a quote after
    them; else len(text)."""
    closed = text.rstrip(_AFTER_DOTS)
    start = len(closed.rstrip(".…"))
    return start if DOTS.match(closed, start) else len(text)


def find_trailing_punctuation(name: str, marks: str = PUNCTUATION) -> int:
    """Return the index where trailing punctuation and unpaired brackets or quotes start, else len(name)."""
    if not name or name[-1].isalnum():
        return len(name)
    return _cut(name, marks.__contains__)


def find_trailing_debris(name: str) -> int:
    """Return the index where characters start that are unlikely to end a name; len(name) if there are none.

    These are punctuation (`find_trailing_punctuation`), signs of all kinds, and the odd letter that a wrong encoding
    left at the end of an ASCII name.
    """
    return _cut(name, _is_debris)


def find_sentence_end(name: str) -> int:
    """Return the index where the end of a sentence starts, with invisible characters; len(name) if there is none."""
    return _cut(name, lambda last: last in SENTENCE or not is_graphic(last))


def _is_debris(last: str) -> bool:
    if last in PUNCTUATION or last in _DEBRIS:
        return True
    return last in _STRAY if last.isalnum() else last > "\x7f" and unicodedata.category(last)[0] != "M"


def _cut(name: str, goes: Callable[[str], bool]) -> int:
    """Return where the characters at the end start that `goes` accepts, or that are unpaired brackets or quotes.

    Each character is read once, and each kind of bracket counted once.
    """
    end = len(name)
    counts: dict[str, int] = {}
    while end > 0:
        last = name[end - 1]
        other = _OTHER.get(last)
        unpaired = False
        if other:
            for sign in (last, other):
                if sign not in counts:
                    counts[sign] = name.count(sign, 0, end)
            unpaired = counts[last] % 2 == 1 if last in _QUOTES else counts[last] > counts[other]
        if not unpaired and not goes(last):
            break
        if other:
            counts[last] -= 1
        end -= 1
    return end
