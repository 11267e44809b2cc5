"""Where a reference in one text has a title: as a whole title, not as some words of a longer one."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple

from resolver.domain.work.containers import is_container
from resolver.domain.work.evidence import FieldStatus
from resolver.domain.work.spelling import differ_by_one_typing_error, spell_alike
from resolver.domain.work.titles import STOP_WORDS, find_heads, has_enough_words, makes_another_work
from resolver.domain.work.words import LONGEST_TEXT_CHARACTERS, find_words, split_words

_RANGES = re.compile(r"(?<=\d)[-‐‑–?](?=[A-Za-z]?\d)")  # of pages; ? stands where a dash was lost
_MOST_PLACES = 20  # of one title in a text that are looked at
_CLOSING = " )]}\"'”’»"
_LONGEST_INITIALS = 3  # letters


@dataclass(frozen=True, slots=True)
class TextOfReference:
    """A text in `words`. `signs`: what stands before each word. `starts`: where each word begins in `letters`, which
    are the words joined, and their end. `spelt`: the words in the spelling that British and American texts share."""

    words: tuple[str, ...]
    signs: tuple[str, ...]
    starts: tuple[int, ...]
    letters: str
    spelt: tuple[str, ...]


class PlaceOfTitle(NamedTuple):
    """How a text has a title, and the words behind it; all words where it has none."""

    status: FieldStatus
    rest: Sequence[str]


class _Surroundings(NamedTuple):
    """What may stand beside a title without a sign between: the `names` of its authors, and its `journals`."""

    names: frozenset[str]
    journals: Sequence[Sequence[str]]


@lru_cache(maxsize=64)
def read_reference(text: str) -> TextOfReference:
    """Return the text in words. Only its first 2,000 characters are read."""
    words, signs = find_words(_RANGES.sub(" - ", text[:LONGEST_TEXT_CHARACTERS]))
    starts = tuple(accumulate(map(len, words), initial=0))
    return TextOfReference(words, signs, starts, "".join(words), tuple(map(spell_alike, words)))


def find_title(title: str, text: TextOfReference, names: frozenset[str], containers: Sequence[str]) -> PlaceOfTitle:
    """Return how the text has the title, with or without its subtitle. A title ends before a sign, a number or its
    journal, and begins behind a sign, a number or a name: other words beside it make it a part of another title."""
    beside = _Surroundings(names, [split_words(container) for container in containers])
    heads = [
        (head, title[len(head) :].strip()[:1])
        for head, rest in find_heads(title)
        if has_enough_words(head) and not makes_another_work(rest)
    ]
    for part, separator in [(title, ""), *heads]:
        words = split_words(part)
        for start, end in _find_places(words, text):
            if _begins(start, text, beside) and _ends(end, part, separator, text, beside):
                equal = "".join(words) == text.letters[start:end]
                return PlaceOfTitle(FieldStatus.EQUAL if equal else FieldStatus.VARIANT, _cut(end, text))
    return PlaceOfTitle(FieldStatus.DIFFERS, text.words)


def _find_places(words: Sequence[str], text: TextOfReference) -> Iterator[tuple[int, int]]:
    """Yield where the words stand among the letters of the text: as they are, else in another spelling, else with one
    typing error."""
    joined, start = "".join(words), -1
    for _ in range(_MOST_PLACES if joined else 0):
        start = text.letters.find(joined, start + 1)
        if start < 0:
            break
        yield start, start + len(joined)
    if not words or joined in text.letters or len(words) > len(text.words):
        return
    spelt = [spell_alike(word) for word in words]
    known = set(text.spelt)
    others = [place for place, word in enumerate(spelt) if word not in known]
    if len(others) > 1:
        return
    for first in range(len(text.words) - len(words) + 1):
        there = text.spelt[first : first + len(words)]
        other = others[0] if others else 0
        if all(there[place] == word for place, word in enumerate(spelt) if place not in others) and (
            not others or differ_by_one_typing_error(spelt[other], there[other])
        ):
            yield text.starts[first], text.starts[first + len(words)]


def _begins(start: int, text: TextOfReference, beside: _Surroundings) -> bool:
    place = bisect_right(text.starts, start) - 1
    glued = text.letters[text.starts[place] : start]
    if glued:
        return glued.isdigit() or glued in beside.names
    if place == 0 or text.signs[place].strip():
        return True
    before = text.words[place - 1]
    is_initials = len(before) <= _LONGEST_INITIALS and before not in STOP_WORDS
    return is_initials or before.isdigit() or before in beside.names


def _ends(end: int, part: str, separator: str, text: TextOfReference, beside: _Surroundings) -> bool:
    """Whether the title ends there. `separator`: the sign before its subtitle, if this is a title without it: where
    the text has that sign too, it goes on with a subtitle of its own."""
    rest = _cut(end, text)
    if not rest:
        return True
    if makes_another_work(" ".join(rest[:3]), of_text=True):
        return False
    if rest[0].isdigit() or any(is_container(rest, journal) for journal in beside.journals):
        return True
    place = bisect_right(text.starts, end) - 1
    signs = text.signs[place].strip() if text.starts[place] == end else ""
    opening = signs.lstrip(_CLOSING)
    if opening.startswith((":", "–", "—")):
        return not separator and has_enough_words(part)
    return bool(signs) and not (separator and separator in opening)


def _cut(end: int, text: TextOfReference) -> Sequence[str]:
    """Return the words behind the letters, beginning with what is left of a word."""
    place = bisect_right(text.starts, end) - 1
    glued = text.letters[end : text.starts[place + 1]] if end > text.starts[place] else ""
    return (glued, *text.words[place + 1 :]) if glued else text.words[place:]
