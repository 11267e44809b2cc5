"""Join names that white space divides (E18).

A name is joined whole or not at all: a part of it may be the name of a journal, of a book or of another work.
"""

import re
from collections.abc import Iterator
from enum import IntEnum
from itertools import takewhile

from doi_reading.tables.suffix_patterns import BOOK_PART, has_whole_shape
from doi_reading.text.name_continuation import OTHER, WORDS, looks_spaced_out

LOOK_AHEAD = 400  # characters after the name that are looked at
_MOST_WORDS = 48  # after the name that are looked at
_FEWEST_DIGITS = 5  # of a suffix: one with fewer is hardly finished
_SIGN = re.compile(r"[./:_-]{1,2}")
_CELL = re.compile(r"\|+")
_BEGINS = re.compile(
    r"[/_<][0-9A-Za-z(]|[.:-][0-9]|\.[A-Za-z]{1,3}[0-9]|\[[0-9]{1,6}:[A-Za-z]|\\_|" + BOOK_PART + r"\b"
)
_ATTACHED = re.compile(r"[/_][0-9A-Za-z]")
_ATTACHED_TO_JOURNAL = re.compile(r"[/_.][0-9A-Za-z]")
_LABEL = re.compile(r"[A-Za-z]{2,}:\Z")
_YEAR = re.compile(r"[(\[]?(?:18|19|20)[0-9]{2}[a-z]?[)\]]?[.,;:]*\Z")
_ITEM = re.compile(r"[\[(]?[0-9]{1,3}[\]).]+")
_NUMBER = re.compile(r"[0-9]{1,3}\.?\Z")
_CHAPTER = re.compile(r"""([0-9]{1,3})(?=[.,;:)\]"'<>]|\Z)""")
_PAGE_NUMBER = re.compile(r"[0-9]{1,3},")  # of the pages on which a reference is cited
_PREFIX_IN_BOOK = re.compile(r"10\.[0-9]{4,9}/97[89](?:(?:-[0-9]{1,7}){3}-[0-9xX]|[0-9]{10})\Z")
_NUMBERS = re.compile(r"(?=[0-9A-Za-z]*[0-9])[0-9A-Za-z]+(?:\.[0-9A-Za-z]+)*")
_WORD = re.compile("[a-z]{2,8}")
_MOST_PARTS = 3  # of a journal's code, and as many of an article's number
_BARE = re.compile(r"[0-9A-Za-z]+\Z")


class Belonging(IntEnum):
    """How surely the word after white space belongs to the name."""

    NO = 0
    MAYBE = 1
    SURELY = 2


def join_divided_name(head: str, following: str) -> Iterator[str]:
    """Yield what `head` and the words after it may be as one name, the longest first; nothing if no word belongs to it.

    `head` is a name as written, or its prefix with the slash. No result ends where the name must continue, or inside a
    number, unless the registrant's names end there.
    """
    words = _split(head, following)
    in_book = _PREFIX_IN_BOOK.match(head) is not None
    if in_book:  # a chapter: its number never follows the ISBN without a sign
        yield from _join_by_underscores(head, words)
    elif words and _PREFIX_IN_BOOK.match(head + words[0]):
        yield from _join_by_underscores(head + words[0], words[1:])
    name, ends = head, [Belonging.NO]
    joined = [head]
    for index, word in enumerate(words):
        belonging = _classify_belonging(name, words, index)
        ends[-1] = belonging
        if belonging is Belonging.NO:
            break
        name += word
        joined.append(name)
        ends.append(Belonging.NO)
    found = [
        name
        for index, (name, belonging) in enumerate(zip(joined, ends, strict=True))
        if index and _may_end(name, belonging, words[index:])
    ]
    yield from found[::-1][:5]
    spaced_out = looks_spaced_out(words) and not any(map(OTHER.search, words))
    if len(joined) <= len(words) and head.endswith("/") and spaced_out and words[0][0].isalnum():
        yield head + "".join(words)
    if not in_book:
        yield from _join_by_underscores(head, words)
    yield from _join_by_full_stops(head, words)
    yield from _join_to_shape(head, words)


def must_continue(head: str, following: str) -> bool:
    """Return whether a name surely continues after the white space that `following` begins with."""
    words = _split(head, following)
    return bool(words) and _classify_belonging(head, words, 0) is Belonging.SURELY


def _split(head: str, following: str) -> list[str]:
    """Return the words after the name. The border of a table's cell inside a name is white space."""
    words = following[:LOOK_AHEAD].split()[:_MOST_WORDS]
    if head.endswith(("-", "_", "/", ".", ":")) and any(map(_CELL.fullmatch, words[:2])):
        words = [word for word in words[:3] if not _CELL.fullmatch(word)] + words[3:]
    if len(following) >= LOOK_AHEAD and not following[LOOK_AHEAD - 1].isspace():
        words = words[:-1]  # it may be cut
    return words


def _classify_belonging(name: str, words: list[str], index: int) -> Belonging:
    word, after = words[index], words[index + 1] if index + 1 < len(words) else ""
    suffix, last, first = name.partition("/")[2], name[-1], word[0]
    figures = sum(map(str.isdigit, suffix))
    if OTHER.match(word) or _LABEL.match(word):
        return Belonging.NO
    if _SIGN.fullmatch(word):  # a sign between two spaces: a name spaced out, or the end of a sentence
        continues = after and (not after[0].isalpha() or len(after) == 1 or figures == 0 or word == "_")
        return Belonging.SURELY if continues and (after[0].isalnum() or _SIGN.fullmatch(after)) else Belonging.NO
    if index and _SIGN.fullmatch(words[index - 1]):
        return Belonging.SURELY
    if (suffix and last in "-_/(<") or not suffix:
        return Belonging.SURELY if first.isalnum() or first in "(<[{" else Belonging.NO
    unfinished = suffix.lower() == "j" and _ATTACHED_TO_JOURNAL.match(word)  # 10.1016/j .cell.2010
    if unfinished or _BEGINS.match(word) or (last == ";" and suffix[-4:].lower().endswith("co;") and first == "2"):
        return Belonging.SURELY
    if last in ".:":
        return _classify_after_full_stop(word, after, figures)
    if last in ",;" or word.strip(".,;:()").lower() in WORDS - {"a"}:
        return Belonging.NO
    if first == "(":
        return Belonging.NO if _YEAR.match(word) or (first + word[1:2]).isalpha() else Belonging.MAYBE
    if len(word) == 1 and word.isalnum():
        return Belonging.MAYBE
    return (
        Belonging.MAYBE
        if first.isdigit()
        and (figures == 0 or last.isdigit() or last in ")]" or (last.isalpha() and figures < _FEWEST_DIGITS))
        else Belonging.NO
    )


def _classify_after_full_stop(word: str, after: str, figures: int) -> Belonging:
    """A full stop before white space ends a sentence, unless the name is unfinished or a number follows."""
    if figures == 0:
        return Belonging.SURELY if word[0].isalnum() and word.strip(".,;:()").lower() not in WORDS else Belonging.NO
    if word[0].isdigit():
        if _PAGE_NUMBER.match(word):
            return Belonging.MAYBE if figures > 2 else Belonging.SURELY
        apart = _is_item(word, after) or _YEAR.match(word)
        last = not after and _NUMBER.match(word)
        return Belonging.MAYBE if figures >= _FEWEST_DIGITS and (apart or last) else Belonging.SURELY
    mixed = word[0].isalpha() and any(map(str.isdigit, word))
    return Belonging.MAYBE if mixed or (len(word.rstrip(".,;")) == 1 and word[0].isalnum()) else Belonging.NO


def _is_item(word: str, after: str) -> bool:
    """Return whether the word is the number of the next entry in a list: `7.Drusch`, `12. Smith`, `[10]`."""
    match = _ITEM.match(word)
    if match and match.end() < len(word):
        return word[match.end()].isupper()
    return bool(match or _NUMBER.match(word)) and after[:1].isupper()


def _may_end(name: str, belonging: Belonging, words: list[str]) -> bool:
    suffix = name.partition("/")[2]
    figures = sum(map(str.isdigit, suffix))
    if belonging is Belonging.SURELY or not suffix or (figures == 0 and words):
        return False
    if belonging is Belonging.NO:
        return True
    bare = name.rstrip(".,;:")
    listed = bool(words) and bool(_PAGE_NUMBER.match(words[0]))
    whole = listed or has_whole_shape(bare)
    if name[-1].isdigit() and words[0][0].isdigit():
        return whole or _is_item(words[0], words[1] if len(words) > 1 else "")
    return whole or figures >= _FEWEST_DIGITS


def _join_by_underscores(head: str, words: list[str]) -> Iterator[str]:
    """Yield the name with the underscores that a copy from TeX or PDF turned into spaces: `tacl a 00160`."""
    suffix = head.partition("/")[2]
    pieces = [word.rstrip(".,;:)]") for word in words[:2]]
    if not pieces or not suffix or not head[-1].isalnum():
        return
    if _PREFIX_IN_BOOK.match(head):
        if number := _CHAPTER.match(pieces[0]):
            yield f"{head}_{number[1]}"
        return
    if any(map(str.isdigit, suffix)) or not all(map(_BARE.match, pieces)):
        return
    if pieces[0].isdigit():
        yield f"{head}_{pieces[0]}"
    elif len(pieces) == 2 and len(pieces[0]) == 1 and pieces[1].isdigit():
        yield f"{head}_{pieces[0]}_{pieces[1]}"


def _join_by_full_stops(head: str, words: list[str]) -> Iterator[str]:
    """Yield the name with the full stops that a copy turned into spaces: `mnsc 2018.3196`, `palgrave jvs 9500180`. All
    words with digits that follow belong to it: a shorter name may be another work."""
    suffix = head.partition("/")[2]
    if not suffix or not head[-1].isalnum() or any(map(str.isdigit, suffix)):
        return
    named = list(takewhile(_WORD.fullmatch, words[:_MOST_PARTS]))
    numbers = []
    for word in words[len(named) : len(named) + _MOST_PARTS + 1]:
        bare = word.rstrip(".,;:)]")
        if not _NUMBERS.fullmatch(bare):
            break
        numbers.append(bare)
        if bare != word:
            break
    if 0 < len(numbers) <= _MOST_PARTS:
        yield ".".join([head, *named, *numbers])
        if len(numbers) > 1:
            yield ".".join([head, *named, "".join(numbers)])


def _join_to_shape(head: str, words: list[str]) -> Iterator[str]:
    """Yield the name that a registrant's names look like only with the next words: `10.1016/j.c ell.2010.01.001`."""
    name = head
    for word in words[:_MOST_PARTS]:
        if OTHER.match(word) or has_whole_shape(name):
            return
        name += word
        bare = name.rstrip(".,;:)]")
        if has_whole_shape(bare):
            yield bare
            return


def find_sure_spaces(name: str, following: str) -> list[tuple[int, int]]:
    """Return the white space in `following` that is inside the name, as spans: before a sign that no sentence begins
    with (`10.1093/molbev /msu300`), and around the signs of a name that is spaced out (`10.1016/j . cell . 2010`)."""
    spans: list[tuple[int, int]] = []
    sure = 0
    words = _split(name, following)
    at = 0
    for index, word in enumerate(words):
        start = following.index(word, at)
        unfinished = not any(map(str.isdigit, name.partition("/")[2]))
        attached = index == 0 and bool((_ATTACHED_TO_JOURNAL if unfinished else _ATTACHED).match(word))
        alone = bool(_SIGN.fullmatch(word)) or (index > 0 and bool(_SIGN.fullmatch(words[index - 1])))
        if not (attached or alone or (index == 1 and spans and _BEGINS.match(word))):
            break
        if _classify_belonging(name, words, index) is not Belonging.SURELY:
            break
        spans.append((at, start))
        sure += bool(_SIGN.fullmatch(word)) + 2 * attached
        name, at = name + word, start + len(word)
    return spans if sure >= 2 else []
