"""The DOI name: a value that always keeps the syntax (clauses S1-S5)."""

import re
import unicodedata
from dataclasses import dataclass
from functools import cached_property

_PREFIX = re.compile(r"10(?:\.[0-9]+)+\Z")
_SHORT = re.compile(r"10/[A-Za-z0-9]+\Z")
_NOT_GRAPHIC = frozenset({"Cc", "Cf", "Cs", "Co", "Zl", "Zp"})


class NotADoi(ValueError):
    """The text breaks the syntax of a DOI name. `code` is a problem code of the catalogue."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(f"{code}: {text!r}")
        self.code = code


def fold(text: str) -> str:
    """Return the comparison key of a name: A-Z become a-z, all else stays (S8, S9)."""
    if text.isascii():
        return text.lower()
    return text.encode("utf-8", "surrogatepass").lower().decode("utf-8", "surrogatepass")  # bytes fold only A-Z


def is_unassigned(character: str) -> bool:
    """Return whether this Unicode version doesn't know the code point; a later version may (S2)."""
    return unicodedata.category(character) == "Cn" and not is_noncharacter(character)


def is_noncharacter(character: str) -> bool:
    """Return whether Unicode will never assign the code point: U+FDD0-FDEF and the last two of each plane."""
    code = ord(character)
    return 0xFDD0 <= code <= 0xFDEF or code & 0xFFFE == 0xFFFE


def is_graphic(character: str) -> bool:
    """Return whether a name may hold the code point (S2). Unassigned code points may, with a warning."""
    return unicodedata.category(character) not in _NOT_GRAPHIC and not is_noncharacter(character)


def is_short_doi(text: str) -> bool:
    """Return whether the text is a shortDOI: `10/` and letters or digits, a handle but not a DOI name (S12)."""
    return _SHORT.match(text) is not None


def parse_if_doi(text: str) -> "Doi | None":
    """Return the DOI name that the whole text is; None if it breaks the syntax (S1-S5)."""
    try:
        return Doi.parse(text)
    except NotADoi:
        return None


def is_doi(text: str) -> bool:
    """Return whether the whole text is a DOI name (S1-S5)."""
    return parse_if_doi(text) is not None


def is_beginning_of(name: str, other: str) -> bool:
    """Return whether the other name begins with the whole of this name and is longer."""
    return len(other) > len(name) and fold(other).startswith(fold(name))


@dataclass(frozen=True, eq=False)
class Doi:
    """A DOI name that keeps S1 to S5. Build it with `Doi.parse`. Equivalent names are equal (S8)."""

    prefix: str
    suffix: str

    @classmethod
    def parse(cls, name: str) -> "Doi":
        """Split `name` at its first slash. Raises NotADoi with the code of the problem (S1-S5)."""
        prefix, slash, suffix = name.partition("/")
        if not _PREFIX.match(prefix):
            if prefix == "10" or prefix.startswith("10."):
                raise NotADoi("registrant-code", name)
            raise NotADoi("directory-code" if re.match(r"[0-9]+\.", prefix) else "no-doi", name)
        if not slash or not suffix:
            raise NotADoi("missing-suffix", name)
        if not suffix.isprintable():  # printable characters are Graphic; so are some others
            for character in suffix:
                if not is_graphic(character):
                    control = unicodedata.category(character) == "Cc"
                    raise NotADoi("control-character" if control else "non-graphic", name)
        return cls(prefix, suffix)

    def __str__(self) -> str:
        return f"{self.prefix}/{self.suffix}"

    @cached_property
    def key(self) -> str:
        """The key that equivalent names share; databases compare it."""
        return fold(str(self))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Doi) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)
