"""Names one sign away from a well-formed name that isn't registered: guesses that only a person may accept.

No rule can prove that such a name is wrong. Of 356 names that curators corrected in public data, about 14% are one of
these guesses, with some 22 guesses a name and no other registered name among them.
"""

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from doi_reading.message import Message
from doi_reading.name.doi import fold
from doi_reading.tables.fixed_width_numbers import FIXED_NUMBERS
from doi_reading.tables.registrant_codes import KNOWN

_MOST_CHANGED = 24
"""Guesses for a name beside those about its number and its end, or fewer where these leave less room."""
MOST_NEAR_NAMES = 35
"""With those: Which RA takes them in one request (R2)."""
LONGEST_GUESSED_NAME = 100  # code points
_NEARLY = {".": "-/_", "-": "._/", "_": ".-", "/": ".-"}  # the separators that people write in place of each
_YEAR = re.compile(r"(?<![0-9])(?:19|20)[0-9]{2}(?=[-./]?[0-9]{6}(?![0-9]))")
_DIGITS = re.compile(r"(?!(?:19|20)[0-9]{2}(?![0-9]))(?<![0-9])[0-9]+")  # but not a year
_SEPARATOR = re.compile(r"[-._/]")
_GLUED = re.compile(r"(?<=[A-Za-z])(?=(?:19|20)[0-9]{2}[^0-9])|(?<=[0-9])(?=[A-Za-z]{2})|(?<=[A-Za-z]{2})(?=[0-9])")
_CONFUSED = re.compile("(?<=[A-Za-z]{2})[01](?=[0-9])|(?<=[A-Za-z])[OoLlIi](?=[0-9]{3})")
_LOOKS_LIKE = {"0": "o", "1": "il", "o": "0", "l": "1", "i": "1"}
_JOURNAL = re.compile(r"[^0-9]{3,40}(?=[0-9])")
_STRAY = re.compile(r"(?<=[0-9])(?:[A-Za-z]|[^0-9A-Za-z/_(){}\[\]<>-])")


@dataclass(frozen=True, slots=True)
class ListVocabulary:
    """The prefixes and the journals (the prefix with the suffix up to its first digit) of registered names of a list."""

    prefixes: frozenset[str] = frozenset()
    journals: frozenset[str] = frozenset()

    @classmethod
    def of(cls, names: Iterable[str]) -> "ListVocabulary":
        """Return the vocabulary of these names, folded."""
        folded = [fold(name) for name in names]
        prefixes = frozenset(name.partition("/")[0] for name in folded)
        return cls(prefixes, frozenset(filter(None, map(_find_journal, folded))))


NO_LIST = ListVocabulary()


def propose_near_names(name: str, vocabulary: ListVocabulary = NO_LIST) -> tuple[tuple[str, Message], ...]:
    """Return names that differ from this one in one place, each with its reason: a sign next to a separator, a zero, a
    year, or a prefix or journal that is in `vocabulary`. A number of a fixed width gets the zeros that it lacks, or the
    character that it lacks at its end. The last name lacks the letter or sign at its end.

    There are at most MOST_NEAR_NAMES, each once, and none for a name longer than LONGEST_GUESSED_NAME. No digit becomes
    another one, except in a year: the result may be registered where the right name isn't.
    """
    prefix, _slash, suffix = name.partition("/")
    if not suffix or len(name) > LONGEST_GUESSED_NAME:
        return ()
    found: dict[str, tuple[str, Message]] = {}
    of_number = tuple(_restore_number(prefix, suffix))
    for changed, reason in _guess(prefix, suffix, vocabulary):
        if len(found) == min(_MOST_CHANGED, MOST_NEAR_NAMES - len(of_number)):
            break
        found.setdefault(fold(changed), (changed, reason))
    for changed, reason in of_number:
        found.setdefault(fold(changed), (changed, reason))
    found.pop(fold(name), None)
    return tuple(found.values())


def _restore_number(prefix: str, suffix: str) -> Iterator[tuple[str, Message]]:
    rows = [row for row in FIXED_NUMBERS if row.prefix == prefix]
    padded = dict.fromkeys(row.pad(suffix) for row in rows)
    yield from (
        (f"{prefix}/{whole}", Message("with the zeros that this registrant writes")) for whole in padded if whole
    )
    if _STRAY.fullmatch(suffix, len(suffix) - 1):
        yield f"{prefix}/{suffix[:-1]}", Message("without the character at its end")
    for whole in dict.fromkeys(whole for row in rows for whole in row.complete(suffix)):
        by_one = len(whole) == len(suffix) + 1
        reason = Message("completed by one character") if by_one else Message("completed by its last two characters")
        yield f"{prefix}/{whole}", reason


def _guess(prefix: str, suffix: str, vocabulary: ListVocabulary) -> Iterator[tuple[str, Message]]:
    for better in _restore_prefix(prefix, suffix):
        yield better, Message("with the number of a known registrant")
    for better in _find_nearest(fold(prefix), vocabulary.prefixes):
        yield f"{better}/{suffix}", Message("with a prefix that other DOIs of the list have")
    name = f"{prefix}/{suffix}"
    journal = _find_journal(fold(name))
    for better in _find_nearest(journal, vocabulary.journals):
        yield better + name[len(journal) :], Message("with a journal that other DOIs of the list have")
    head = f"{prefix}/"
    for changed, reason in (
        *_change_look_alikes(suffix),
        *_change_years(suffix),
        *_change_zeros(suffix),
        *_change_separators(suffix),
    ):
        yield head + changed, reason


def _restore_prefix(prefix: str, suffix: str) -> Iterator[str]:
    """Yield the name with a known registrant code where the code has two neighbours swapped (of its digits, or the last
    one and the slash), or lacks a zero. A known code is left alone."""
    code = prefix.removeprefix("10.")
    if code in KNOWN or not code.isdecimal() or not 3 <= len(code) <= 5:
        return
    codes = [f"{code[:at]}{code[at + 1]}{code[at]}{code[at + 2 :]}" for at in range(len(code) - 1)]
    codes += [f"{code[:at]}0{code[at:]}" for at in range(1, len(code) + 1)]
    yield from (f"10.{one}/{suffix}" for one in dict.fromkeys(codes) if one in KNOWN)
    if suffix[0].isdecimal() and suffix[1:2].isalpha() and code + suffix[0] in KNOWN:
        yield f"10.{code}{suffix[0]}/{suffix[1:]}"


def _find_journal(name: str) -> str:
    prefix, slash, suffix = name.partition("/")
    found = _JOURNAL.match(suffix)
    return f"{prefix}{slash}{found[0]}" if found else ""


def _change_look_alikes(suffix: str) -> Iterator[tuple[str, Message]]:
    """Letters and digits that look alike, where letters meet digits: `JC172181` is JCI72181, `nrmicr03117` nrmicro3117."""
    for found in _select_last(_CONFUSED.finditer(suffix)):
        for sign in _LOOKS_LIKE[found[0].lower()]:
            new = sign.upper() if suffix[found.start() - 1].isupper() else sign
            reason = Message("with “{sign}” in place of “{old}”", sign=new, old=found[0])
            yield _replace(suffix, found.span(), new), reason


def _change_years(suffix: str) -> Iterator[tuple[str, Message]]:
    for found in _select_last(_YEAR.finditer(suffix)):
        for year in (int(found[0]) - 1, int(found[0]) + 1):
            yield _replace(suffix, found.span(), str(year)), Message("with the year {year}", year=str(year))


def _change_zeros(suffix: str) -> Iterator[tuple[str, Message]]:
    for found in _select_last(_DIGITS.finditer(suffix)):
        start = found.start()
        yield _replace(suffix, (start, start), "0"), Message("with one zero more")
        if found[0].startswith("0") and len(found[0]) > 1:
            yield _replace(suffix, (start, start + 1), ""), Message("with one zero less")


def _change_separators(suffix: str) -> Iterator[tuple[str, Message]]:
    places = _select_last(_SEPARATOR.finditer(suffix))
    for found in places:
        if _SEPARATOR.match(suffix, found.end()):
            yield _replace(suffix, found.span(), ""), Message("without one “{sign}”", sign=found[0])
    for found in _select_last(_GLUED.finditer(suffix)):
        yield _replace(suffix, found.span(), "."), Message("with one more “{sign}”", sign=".")
    for nth in range(2):
        for found in places:
            if new := _NEARLY[found[0]][nth : nth + 1]:
                reason = Message("with “{sign}” in place of “{old}”", sign=new, old=found[0])
                yield _replace(suffix, found.span(), new), reason
    for found in places:
        yield _replace(suffix, found.span(), ""), Message("without one “{sign}”", sign=found[0])


def _select_last(found: Iterable[re.Match[str]]) -> list[re.Match[str]]:
    return list(found)[::-1][:8]  # of the matches in a suffix, the last first


def _replace(text: str, span: tuple[int, int], new: str) -> str:
    return text[: span[0]] + new + text[span[1] :]


def _find_nearest(word: str, words: Collection[str]) -> list[str]:
    """Return those of the words that are one edit away, if the word isn't one of them."""
    if not word or word in words:
        return []
    return sorted(other for other in words if _is_one_edit(word, other))[:3]


def _is_one_edit(one: str, other: str) -> bool:
    """Return whether one character was left out, added or changed, or two neighbours were swapped."""
    if abs(len(one) - len(other)) > 1:
        return False
    start = 0
    while start < min(len(one), len(other)) and one[start] == other[start]:
        start += 1
    rest, of_other = one[start:], other[start:]
    swapped = rest[:2] == of_other[:2][::-1] and rest[2:] == of_other[2:]
    return swapped or rest[1:] == of_other[1:] or rest[1:] == of_other or rest == of_other[1:]
