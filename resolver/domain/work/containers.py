"""Whether a journal or a book is the registered one: the same words, an abbreviation of them, or a part."""

from collections.abc import Sequence

from resolver.domain.work.evidence import FieldStatus
from resolver.domain.work.words import split_words

_LEAST_LETTERS = 4  # of a contraction: fewer are in too many words
_MOST_WORDS = 24  # of a container that is looked for in a text
_DIGITS = "0123456789"
_MOST_WORDS_OF_TEXT = 60  # after the title, in which it is looked for

_SMALL = frozenset("a an and de der des die du et for fur in la le of on the und".split())
_COMMON = frozenset("conf conference int international j journal proc proceedings z zeitschrift".split())
_PLACES = (("u", "s", "a"), ("usa",))
"""What follows the short name of a journal of many works, as in *Proc Natl Acad Sci USA*."""


def compare_containers(container: str, registered: Sequence[str]) -> FieldStatus:
    """Compare a journal or book: the same words, an abbreviation of them (`Nucl. Acids Res.`, `PNAS`), or a part."""
    if not container.strip() or not registered:
        return FieldStatus.ABSENT
    mine, best = split_words(container), FieldStatus.DIFFERS
    for text in registered:
        theirs = split_words(text)
        if not mine or not theirs:
            continue
        if "".join(mine) == "".join(theirs):
            return FieldStatus.EQUAL
        if _is_short_for(mine, theirs) or _is_short_for(theirs, mine):
            best = FieldStatus.VARIANT
    return best


def find_container(words: Sequence[str], registered: Sequence[str]) -> FieldStatus:
    """Return whether one of the registered journals or books is in the words of a text, whole or abbreviated. Only the
    first 60 words are looked at."""
    best = FieldStatus.DIFFERS if registered else FieldStatus.ABSENT
    words = [word.rstrip(_DIGITS) or word for word in words[:_MOST_WORDS_OF_TEXT]]
    for text in registered:
        theirs = split_words(text)[:_MOST_WORDS]
        letters = "".join(theirs)
        if letters and any(_begins_with(words[place:], letters) for place in range(len(words))):
            return FieldStatus.EQUAL
        if any(is_container(words[place:], theirs) for place in range(len(words))):
            best = FieldStatus.VARIANT
    return best


def is_container(words: Sequence[str], theirs: Sequence[str]) -> bool:
    """Whether the words begin with the words of a registered journal or book, or with an abbreviation of nearly all."""
    if not words or not theirs:
        return False
    words = [word.rstrip(_DIGITS) or word for word in words[: len(theirs) + 2]]  # "Math. Ann.300"
    if _begins_with(words, "".join(theirs)):
        return True
    full = [word for word in theirs if word not in _SMALL]
    starts = {word[0] for word in full}
    if words[0][0] not in starts or words[0] in _SMALL:
        return False
    telling = sum(word not in _COMMON for word in full)
    for length in range(1, min(len(words), len(theirs) + 1) + 1):
        if words[length - 1][0] not in starts and words[length - 1] not in _SMALL:
            return False
        brief = words[:length]
        if len(brief) == 1 and len(full) > 1:
            if len(brief[0]) > 2 and _is_initials(brief[0], theirs):
                return True
        elif _is_short_for(brief, theirs):
            mine = sum(word not in _COMMON and word not in _SMALL for word in brief)
            if mine >= max(1, telling - (telling > 2)):
                return True
    return False


def _begins_with(words: Sequence[str], letters: str) -> bool:
    """Whether the first words, joined, are the letters."""
    for word in words:
        if not letters.startswith(word):
            return False
        letters = letters[len(word) :]
        if not letters:
            return True
    return False


def _is_short_for(short: Sequence[str], long: Sequence[str]) -> bool:
    short = next((short[: -len(place)] for place in _PLACES if tuple(short[-len(place) :]) == place), short)
    brief, full = ([word for word in words if word not in _SMALL] for words in (short, long))
    if not any(word not in _COMMON for word in brief) or not any(word not in _COMMON for word in full):
        return False
    letters = "".join(brief)
    if _is_initials(letters, long) or letters in full:
        return True
    rest = iter(full)
    if not all(any(_shortens(start, word) for word in rest) for start in brief):
        return False
    mine, theirs = (sum(word not in _COMMON for word in words) for words in (brief, full))
    return mine * 2 >= theirs


def _is_initials(letters: str, long: Sequence[str]) -> bool:
    whole = [word for word in long if word not in _SMALL]
    telling = [word for word in whole if word not in _COMMON]
    return any(letters == "".join(word[0] for word in words) for words in (telling, whole, long))


def _shortens(start: str, word: str) -> bool:
    """Whether the text is the start of the word, or has its first and some later letters: `natl`, *national*."""
    if word.startswith(start):
        return True
    if len(start) < _LEAST_LETTERS or start[0] != word[0]:
        return False
    rest = iter(word)
    return all(letter in rest for letter in start)
