"""The words of a search as a service gets them: letters keep their marks, in every script.

A service splits its titles by https://unicode.org/reports/tr29/#Word_Boundaries (the standard analyzer of
Elasticsearch), so a word must be sent with all that holds it together there.
"""

import re
import unicodedata

_DOTTED_I, _ZERO_WIDTH_SPACE, _JOINERS = "İ", "\u200b", "\u200c\u200d"
# In the text with a letter in place of each mark.
_WORD = re.compile(
    r"[^\W_]+(?:(?:(?<=\d)[.,](?=\d)|(?<=[^\W\d_])['’.·׳״\u200c\u200d](?=[^\W\d_]))[^\W_]+)*"
)  # fmt: skip
# Scripts without blanks between words: one letter is about a word, or four letters are.
_IDEOGRAPHS = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_UNSPACED = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]")
_LETTERS_OF_A_WORD = 4


def clean_text(text: str) -> str:
    """Return the text composed (NFC), with single blanks, and without invisible characters but those that join letters
    of Indian languages or part those of Persian."""
    shown = (letter if letter.isprintable() else _replace(letter) for letter in unicodedata.normalize("NFC", text))
    return " ".join("".join(shown).split())


def split_search_words(text: str) -> list[str]:
    """Return the words of the text, each with a letter or digit, in lower case. So none is an operator (AND, OR, NOT)
    of a query, and none holds a sign with a meaning there."""
    # Elsewhere the small letter of a dotted I has no second dot.
    text = clean_text(text).replace(_DOTTED_I, "I").lower()
    lettered = "".join("a" if _is_mark(letter) else letter for letter in text)
    words = (text[found.start() : found.end()] for found in _WORD.finditer(lettered))
    return [word for word in words if any(map(str.isalnum, word))]


def count_search_words(text: str) -> int:
    """Return how many words the text has. In scripts that write no blanks between them it is estimated."""
    return sum(map(_count, split_search_words(text)))


def _count(word: str) -> int:
    ideographs = len(_IDEOGRAPHS.findall(word))
    unspaced = sum(map(str.isalnum, _UNSPACED.findall(word)))
    return max(1, ideographs + unspaced // _LETTERS_OF_A_WORD)


def _replace(letter: str) -> str:
    if letter in _JOINERS:
        return letter
    return "" if unicodedata.category(letter) == "Cf" and letter != _ZERO_WIDTH_SPACE else " "


def _is_mark(letter: str) -> bool:
    return not letter.isascii() and unicodedata.category(letter).startswith("M")
