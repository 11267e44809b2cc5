"""Names of people, as files and agencies write them: `Family, G.`, `G. Family`, `Family G`, with particles, initials,
in any order, in another transliteration."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from resolver.domain.work.evidence import FieldStatus
from resolver.domain.work.spelling import SHORTEST_MISTYPED, differ_by_one_typing_error
from resolver.domain.work.words import LONGEST_TEXT_CHARACTERS, decode_latex, split_words

MOST_AUTHORS = 100  # that are compared

_PARTICLES = frozenset(
    "al bin da dal de del della den der des di do dos du el ibn la le st ten ter van von y zu".split()
)
_SUFFIXES = frozenset("jr sr ii iii iv dr prof phd md".split())
_HAS_MORE = re.compile(r"(?:\bal(?:ii)?|\bothers|\ba\.|…|\.\.\.\]?)[.\s]*\Z", re.IGNORECASE)
_MORE = re.compile(
    r"[,;&]?\s{0,9}(?:\band\s{1,9})?(?:\bet\s{1,9}al(?:ii)?\b|\bu\.\s?a\.|\bothers\b|\[?\.\.\.\]?|…)[.\s]{0,9}\Z",
    re.IGNORECASE,
)
_ROLES = re.compile(r"\((?:eds?|hg|hrsg|editors?|dir|trans|auth(?:or)?)\.?\)|\b(?:eds?|hrsg)\.", re.IGNORECASE)
_BETWEEN = re.compile(r"\s*(?:;|\|\|?|\n|\s&\s|\s(?:and|und|et|y|e)\s)\s*", re.IGNORECASE)
_IGNORED = _PARTICLES | _SUFFIXES
_PARTS = re.compile("[-‐‑–.]")
_TWO_LETTERS = re.compile("([aou])e")
_INITIALS = re.compile(r"(?:[^\W\d_]\.?[\s-]?){1,4}\Z")


@dataclass(frozen=True, slots=True)
class Person:
    """One name. `given` is empty where only the family name is known, or the whole name stands in `family`."""

    family: str
    given: str = ""

    def __str__(self) -> str:
        return f"{self.family}, {self.given}" if self.given else self.family


class _Keys(NamedTuple):
    """The words of a name in the form in which they are compared. `family` is empty where the order is unknown."""

    family: tuple[str, ...]
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AuthorsMatch:
    """How the row's authors compare with the registered. `shares_surname`: at least one surname is in both. `half`: at
    least half of the row's authors are registered, or the row has none. `comparable`: both have names in one script."""

    status: FieldStatus
    shares_surname: bool
    half: bool
    comparable: bool


def compare_authors(row: Sequence[str], registered: Sequence[Person]) -> AuthorsMatch:
    """Compare the row's names with the registered ones. A list that ends in "et al.", or has only the first author, is
    incomplete, and no difference."""
    mine = [keys for keys in map(_find_keys, split_authors(row)) if keys.words]
    theirs = [keys for person in registered[:MOST_AUTHORS] if (keys := _find_person_keys(person)).words]
    if not mine or not theirs:
        return AuthorsMatch(FieldStatus.ABSENT, shares_surname=False, half=not mine, comparable=False)
    if _is_latin(mine) != _is_latin(theirs):
        return AuthorsMatch(FieldStatus.CANNOT_COMPARE, shares_surname=False, half=False, comparable=False)
    # Most lists have the same order: only names that aren't at their place are looked for.
    elsewhere = [name for name, other in zip(mine, theirs, strict=False) if not _is_same(name, other)]
    elsewhere += mine[len(theirs) :]
    found = len(mine) - len(elsewhere)
    shares = found > 0
    by_word = _find_places(theirs) if elsewhere else {}
    for name in elsewhere:
        near = [keys for word in (*name.words, "".join(name.family)) for keys in by_word.get(word, ())]
        same = any(_is_same(name, keys) for keys in near) or _is_mistyped(name, theirs)
        found += same
        shares = shares or same or any(_share_surname(name, keys) for keys in near)
    if found == len(mine):
        status = FieldStatus.EQUAL if found == len(theirs) else FieldStatus.VARIANT
    else:
        status = FieldStatus.VARIANT if found * 2 >= len(mine) else FieldStatus.DIFFERS
    return AuthorsMatch(status, shares, half=found * 2 >= len(mine), comparable=True)


def _find_places(names: Sequence[_Keys]) -> dict[str, list[_Keys]]:
    places: dict[str, list[_Keys]] = {}
    for keys in names:
        for word in {*keys.words, "".join(keys.family)}:
            places.setdefault(word, []).append(keys)
    return places


def split_authors(texts: Sequence[str]) -> list[Person]:
    """Return the first names in the texts, MOST_AUTHORS at most; a text may hold several. The order of a name without
    a comma is unknown: it stands whole in `family`."""
    named = (person for text in texts for person in _split_text(text[:LONGEST_TEXT_CHARACTERS]))
    return list(islice(named, MOST_AUTHORS))


def _split_text(text: str) -> Iterator[Person]:
    if "\\" in text or "{" in text:
        text = decode_latex(text)
    if _HAS_MORE.search(text, max(0, len(text) - 20)):
        text = _MORE.sub("", text)
    if "(" in text or "." in text:
        text = _ROLES.sub("", text)
    parts = [part for part in _BETWEEN.split(text) if part and part.strip(" ,.")]
    for part in parts:
        if "," in part:
            pieces = [piece.strip() for piece in part.split(",") if piece.strip()]
            yield from _read_pieces(pieces, several=len(parts) > 1)
        else:
            yield Person(part)


def _read_pieces(pieces: Sequence[str], *, several: bool) -> Iterator[Person]:
    """Yield the names of a text between two signs that part names. Its commas part family and given names, or names."""
    pieces = [piece for piece in pieces if piece.lower().rstrip(".") not in _SUFFIXES]
    words = [len(piece.split()) for piece in pieces]
    if len(pieces) == 2 and (several or min(words) == 1 or _INITIALS.match(pieces[1])):
        yield Person(pieces[0], pieces[1])
    elif len(pieces) > 2 and len(pieces) % 2 == 0 and all(map(_INITIALS.match, pieces[1::2])):
        yield from (Person(*pair) for pair in zip(pieces[::2], pieces[1::2], strict=True))
    else:
        yield from map(Person, pieces)


def _find_keys(person: Person) -> _Keys:
    """Return the keys of a name of a row: without a given name, its order is unknown."""
    family = _find_words(person.family)
    given = _find_words(person.given) if person.given else ()
    return _Keys(family if given else (), family + given)


def _find_person_keys(person: Person) -> _Keys:
    """Return the keys of a registered name. Without a family name, it is the last word."""
    family, given = _find_words(person.family), _find_words(person.given)
    return _Keys(family or given[-1:], family + given)


def _is_latin(names: Sequence[_Keys]) -> bool:
    letters = "".join(word for keys in names for word in keys.words)
    return letters.isascii() or sum(letter < "ɐ" for letter in letters) * 2 >= len(letters)


@lru_cache(maxsize=16384)
def _find_words(name: str) -> tuple[str, ...]:
    """Return the words of the name without particles and numbers; the particles where there is nothing else. `ae`,
    `oe` and `ue` are one letter: *Müller* is *Mueller* and *Muller*."""
    words = [word for word in split_words(_PARTS.sub(" ", name)) if not word.isdigit()]
    return tuple(_TWO_LETTERS.sub(r"\1", word) for word in words if word not in _IGNORED) or tuple(words)


def _is_same(name: _Keys, registered: _Keys) -> bool:
    """Whether a row's name may be the registered one: the surname is there, and no initial contradicts."""
    family = registered.family
    if name.words[-1:] == family and name.words[0][0] == registered.words[-1][0] and len(registered.words) == 2:
        return True  # "G. Family", as most are written
    if not _has_family(name, family):
        family = tuple(word for word in registered.words if word not in family)
        if not family or len(family[-1]) == 1 or not _has_family(name, family):  # not swapped either
            return name.words == registered.words
    return _agree_in_initials(name, registered, family)


def _has_family(name: _Keys, family: tuple[str, ...]) -> bool:
    """Whether the last or first word of the family name, or its words joined, are in the name."""
    where = name.family or name.words
    if family[-1] in where or family[0] in where:
        return True
    joined = "".join(family)
    return joined in where or joined == "".join(where)


def _agree_in_initials(name: _Keys, registered: _Keys, family: tuple[str, ...]) -> bool:
    """Whether the words besides the family name may be of one given name."""
    mine = {word[0] for word in name.words if word not in family}
    theirs = {word[0] for word in registered.words if word not in family}
    return not mine or not theirs or not mine.isdisjoint(theirs)


def _is_mistyped(name: _Keys, registered: Sequence[_Keys]) -> bool:
    """Whether the surname has one typing error, and the initials are those of that name."""
    words = [word for word in name.family or name.words if len(word) >= SHORTEST_MISTYPED - 1]
    return any(
        len(keys.family[-1]) >= SHORTEST_MISTYPED
        and any(differ_by_one_typing_error(word, keys.family[-1]) for word in words)
        and not {word[0] for word in name.words}.isdisjoint(word[0] for word in keys.words if word not in keys.family)
        for keys in registered
    )


def _share_surname(name: _Keys, registered: _Keys) -> bool:
    """Whether a word of the registered surname, of three letters or more, is in the row's name."""
    where = name.family or name.words
    return any(word in where for word in registered.family if len(word) > 2 or not word.isascii())
