"""Look-alikes: characters that look like the ASCII characters of a DOI but are different (S11), as data."""

import re
import unicodedata
from functools import lru_cache

_DASHES = "\u02d7\u2010\u2011\u2012\u2013\u2014\u2015\u2043\u2212\u2796\u2e3a\u30fc\ufe58\ufe63\uff0d\u00af\u2500\u2501"
_OTHERS = {
    **dict.fromkeys(_DASHES, "-"),
    **dict.fromkeys("\u2044\u2215\u29f8\uff0f", "/"),
    **dict.fromkeys("\u2018\u2019\u201b\u02bc\u02b9\u2032\uff07", "'"),
    **dict.fromkeys("\u201c\u201d\u201f\u2033\uff02", '"'),
    **dict.fromkeys("\u2024\u3002\uff0e\ufe52\u0701\u00b7\u2219\u06d4\u066b", "."),
    **dict.fromkeys("\u2236\ua789\u05c3\ufe55\ufe13", ":"),
    **dict.fromkeys("\u037e\ufe54\u061b", ";"),
    **dict.fromkeys("\u201a\ufe50\u060c", ","),
    **dict.fromkeys("\u2039\u27e8\u3008", "<"),
    **dict.fromkeys("\u203a\u27e9\u3009", ">"),
    **dict.fromkeys("\u02cd\u02d9\ufe4d", "_"),
     "\u2217": "*", "\u01c3": "!", "\u2223": "|", "\u223c": "~", "\u00d7": "X",
}  # fmt: skip
_CYRILLIC = dict(zip("АВЕЅІЈКМНОРСТХУаеѕіјорсхуһԁԛԝ", "ABESIJKMHOPCTXYaesijopcxyhdqw", strict=True))
_GREEK = dict(zip("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧονρ", "ABEZHIKMNOPTYXovp", strict=True))
_LETTERS = {**_CYRILLIC, **_GREEK, "\u0131": "i", "\u0261": "g", "\u0585": "o", "\u0578": "n", "\u0555": "O"}
_WORD = re.compile(r"[^\W_]+")


@lru_cache(4096)  # a text has few different characters, and several rules look each of them up
def _find_compatible(character: str) -> str | None:
    """Return the plain form that Unicode gives for full-width forms, ligatures and mathematical letters, else None."""
    kind = unicodedata.decomposition(character).partition(" ")[0]
    if kind not in ("<wide>", "<font>", "<compat>"):
        return None
    plain = unicodedata.normalize("NFKC", character)
    return plain if plain.isascii() and (kind == "<wide>" or plain.isalnum()) and plain.strip() else None


def find_foreign_digits(text: str) -> list[tuple[int, str]]:
    """Return the place of each decimal digit of another script in `text`, with the ordinary digit that it means.

    Programs for Arabic and Persian texts write them. Full-width digits are some too."""
    if text.isascii():
        return []
    return [(at, str(unicodedata.decimal(one))) for at, one in enumerate(text) if one > "\x7f" and one.isdecimal()]


def replace_foreign_digits(text: str) -> str:
    """Return `text` with the digits from 0 to 9 in place of those of other scripts."""
    return _replace_characters(text, find_foreign_digits(text))


def find_homoglyphs(text: str) -> list[tuple[int, str]]:
    """Return the place of each look-alike in `text`, with the character that it looks like.

    A letter counts only in a word without a letter that clearly belongs to its script: журнал is a word, `аbc` with a
    Cyrillic а is a trap.
    """
    if text.isascii():
        return []
    signs = {one: plain for one in set(text) if one >= "\x80" and (plain := _OTHERS.get(one) or _find_compatible(one))}
    found = [(index, signs[one]) for index, one in enumerate(text) if one in signs] if signs else []
    for word in _WORD.finditer(text):
        letters = word.group()
        if letters.isascii() or not any(letter in _LETTERS for letter in letters):
            continue
        if all(letter < "\x80" or letter in _LETTERS or _find_compatible(letter) for letter in letters):
            found += [(word.start() + at, _LETTERS[x]) for at, x in enumerate(letters) if x in _LETTERS]
    return sorted(found)


def replace_homoglyphs(text: str) -> str:
    """Return `text` with its look-alikes replaced by the ASCII characters that they look like."""
    return _replace_characters(text, find_homoglyphs(text))


def _replace_characters(text: str, found: list[tuple[int, str]]) -> str:
    characters = list(text) if found else []
    for index, character in found:
        characters[index] = character
    return "".join(characters) or text
