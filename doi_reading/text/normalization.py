"""Compose letters and accents (NFC; S8), in a time that grows with the length of the text and no faster."""

import unicodedata
from itertools import groupby

_MOST_MARKS = 30  # marks on one letter; Unicode's Stream-Safe Text Format allows as many


def compose_nfc(text: str) -> str:
    """Return the text in Normalization Form C. Marks beyond thirty on one letter are composed separately, because the
    time to sort a heap of marks grows with its square."""
    heaps = [len(list(run)) for is_mark, run in groupby(text, lambda one: unicodedata.combining(one) > 0) if is_mark]
    if max(heaps, default=0) <= _MOST_MARKS:
        return unicodedata.normalize("NFC", text)
    return "".join(unicodedata.normalize("NFC", piece) for piece in _split_pieces(text))


def _split_pieces(text: str) -> list[str]:
    """Split the text into pieces: a letter each, with at most thirty marks."""
    pieces = [""]
    for character in text:
        if unicodedata.combining(character) == 0 or len(pieces[-1]) > _MOST_MARKS:
            pieces.append("")
        pieces[-1] += character
    return pieces
