"""What a value holds beside its one DOI."""

import re
from html import unescape
from urllib.parse import unquote

from doi_reading import Reading
from resolver.sheets.bibliographic.doi_link import match_resolver

_LABELS = re.compile(
    r"(?:[\s.,;:/()\[\]<>{}\"'“”„‘’«»‹›\u200b\ufeff]|dois?|dx|www|org|ur[li]|https?|number|name|link)*",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W_]+")
_SIGNS = re.compile(r"[\W_]+")
_DAMAGED = re.compile(r"\W*(?:doi\W{0,4})?[1Il][0Oo]\W{1,2}[0-9]{4,9}\W\S+", re.IGNORECASE)
_PLACEHOLDERS = frozenset(
    """
    a applicable assigned available doi empty error fehlt found given inconnu kein keine leer missing n na nicht nil no
    non none not null pending ref registered tba tbc tbd todo unbekannt unknown value vorhanden x xx xxx yet
    """.split()
)


def find_outside(reading: Reading) -> list[str]:
    """Return the pieces of a text that are no part of its DOI, without labels and the signs of a sentence."""
    pieces = (reading.input[each.start : each.end] for each in reading.problems if each.code == "surrounding-text")
    return [piece for piece in pieces if not _LABELS.fullmatch(unescape(piece))]


def is_whole(reading: Reading, name: str) -> bool:
    """Return whether white space divides nothing but the DOI: its words together are this name, or each is the DOI."""
    words = [word for word in unescape(reading.input).split() if not _LABELS.fullmatch(word)]
    plain = [squeeze(word[found.end() :] if (found := match_resolver(word)) else word) for word in words]
    known = {squeeze(name), squeeze(str(reading.doi))}
    return len(words) < 2 or known.issuperset(plain) or "".join(plain).removeprefix("doi") == squeeze(name)


def is_replaceable(text: str, name: str) -> bool:
    """Return whether a text without a DOI says only that there is none, or is one damaged beyond reading."""
    if "||" in text:
        return False
    words = {word.casefold() for word in _WORD.findall(text)}
    is_damaged = _DAMAGED.fullmatch(text.strip()) or squeeze(text).removeprefix("doi") == squeeze(name)
    return bool(is_damaged or words <= _PLACEHOLDERS or _LABELS.fullmatch(text))


def squeeze(text: str) -> str:
    """Return letters and digits in lower case, without percent-encoding."""
    return _SIGNS.sub("", unquote(text).casefold())
