"""Letters and their accents composed in the usual way (NFC; S8), in a time that grows with the text alone."""

import unicodedata
from itertools import groupby

_MARKS = 30  # on one letter; so many are what Unicode's Stream-Safe Text Format allows


def composed(text: str) -> str:
    """The text in Normalization Form C. What stands on one letter beyond thirty marks is composed apart from it:
    a heap of marks is sorted in a time that grows with its square."""
    heaps = [len(list(run)) for is_mark, run in groupby(text, lambda one: unicodedata.combining(one) > 0) if is_mark]
    if max(heaps, default=0) <= _MARKS:
        return unicodedata.normalize("NFC", text)
    return "".join(unicodedata.normalize("NFC", piece) for piece in _pieces(text))


def _pieces(text: str) -> list[str]:
    """The text in pieces, each a letter and at most thirty marks on it."""
    pieces = [""]
    for character in text:
        if unicodedata.combining(character) == 0 or len(pieces[-1]) > _MARKS:
            pieces.append("")
        pieces[-1] += character
    return pieces
