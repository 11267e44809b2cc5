"""The DOI name: a value that cannot be wrong (spec.md, section S)."""

import re
import unicodedata
from dataclasses import dataclass
from functools import cached_property

_PREFIX = re.compile(r"10(?:\.[0-9]+)+\Z")
_SHORT = re.compile(r"10/[A-Za-z0-9]+\Z")
_NOT_GRAPHIC = frozenset({"Cc", "Cf", "Cs", "Co", "Zl", "Zp"})


class NotADoi(ValueError):
    """The text keeps not the syntax of a DOI name; `code` is a problem code of the catalogue."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(f"{code}: {text!r}")
        self.code = code


def fold(text: str) -> str:
    """The comparison key of a name: A-Z become a-z, nothing else is touched (S8, S9)."""
    if text.isascii():
        return text.lower()
    return text.encode("utf-8", "surrogatepass").lower().decode("utf-8", "surrogatepass")  # bytes know A-Z alone


def is_unassigned(character: str) -> bool:
    """Whether the Unicode version at hand does not know the code point, which a later one may (S2)."""
    return unicodedata.category(character) == "Cn" and not is_noncharacter(character)


def is_noncharacter(character: str) -> bool:
    """Whether Unicode promises never to assign the code point: U+FDD0-FDEF and the last two of each plane."""
    code = ord(character)
    return 0xFDD0 <= code <= 0xFDEF or code & 0xFFFE == 0xFFFE


def is_graphic(character: str) -> bool:
    """Whether the code point may stand in a name (S2); an unassigned one may, with a warning."""
    return unicodedata.category(character) not in _NOT_GRAPHIC and not is_noncharacter(character)


def is_short_doi(text: str) -> bool:
    """Whether the text is a shortDOI, `10/` and letters or digits: a handle, but no DOI name (S12)."""
    return _SHORT.match(text) is not None


def is_doi(text: str) -> bool:
    """Whether the text is a DOI name as it stands (S1-S5)."""
    try:
        Doi.parse(text)
    except NotADoi:
        return False
    return True


@dataclass(frozen=True, eq=False)
class Doi:
    """A DOI name that keeps S1 to S5. Build it with `Doi.parse`. Equality is equivalence (S8)."""

    prefix: str
    suffix: str

    @classmethod
    def parse(cls, name: str) -> "Doi":
        """Split `name` at its first slash; raises NotADoi with the code of what is wrong (S1-S5)."""
        prefix, slash, suffix = name.partition("/")
        if not _PREFIX.match(prefix):
            if prefix == "10" or prefix.startswith("10."):
                raise NotADoi("registrant-code", name)
            raise NotADoi("directory-code" if re.match(r"[0-9]+\.", prefix) else "no-doi", name)
        if not slash or not suffix:
            raise NotADoi("missing-suffix", name)
        if not suffix.isprintable():  # what Python can print is Graphic; of the rest some is too
            for character in suffix:
                if not is_graphic(character):
                    control = unicodedata.category(character) == "Cc"
                    raise NotADoi("control-character" if control else "non-graphic", name)
        return cls(prefix, suffix)

    def __str__(self) -> str:
        return f"{self.prefix}/{self.suffix}"

    @cached_property
    def key(self) -> str:
        """What two equivalent names share, and what a database compares."""
        return fold(str(self))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Doi) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)
