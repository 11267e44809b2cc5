"""Decide whether the text after white space may belong to the name before it (E18)."""

import re
from collections.abc import Iterator
from itertools import pairwise

_MOST_WORDS = 6
_SIGNS = ".-_/(:<>"  # a name continues after them
_OTHER = re.compile(r"https?:|www\.|doi|10\.[0-9]{2,9}[./]", re.IGNORECASE)
_NO_PART = re.compile(
    r"\W*\Z|[(\[](?:19|20)[0-9]{2}[a-z]?[)\]][.,;:]?\Z|[(\[][A-Za-z]|\w+:\Z|pmid|pmc[0-9]", re.IGNORECASE
)
_WORDS = frozenset(
    """
    a accessed an and available et for from has have in is it of on online or page pages pdf published retrieved
    see that the this to und was were with
    """.split()
)


def may_continue_name(head: str, rest: str) -> bool:
    """Return whether `rest` may continue `head`: one word, or a few that look more like a name than a sentence."""
    if _OTHER.search(rest):
        return False
    words = rest.split()
    if "/" not in head and len(words) == 2 and words[0] == "/":
        return True  # "10.1000 / 182"
    if not words or _NO_PART.match(words[0]) or words[0].strip(".,;:()").lower() in _WORDS:
        return False
    if len(words) == 1 or head.endswith(("/", "-", "_", "(")):
        return True
    return len(words) <= _MOST_WORDS and not any(word.strip(".,;:()").isalpha() and len(word) > 1 for word in words)


def count_likely_words(words: list[str]) -> int:
    """Return how many of the words are likely to form one name.

    A name continues after a sign, before a digit or an angle bracket (SICI), and before a single character: names are
    spaced out letter by letter.
    """
    count = 1
    while count < len(words) and (
        words[count - 1][-1] in _SIGNS or words[count][0].isdigit() or words[count][0] in "<>" or len(words[count]) == 1
    ):
        count += 1
    return count


def guess_word_counts(words: list[str]) -> Iterator[int]:
    """Yield the likeliest number of words of one name, then others. None ends inside a number: a shorter number may be
    another work."""
    first = count_likely_words(words)
    yield first
    for count in range(len(words), 0, -1):
        in_number = count < len(words) and _divides_number(words[count - 1], words[count])
        continues = count < len(words) and words[count - 1][-1] in _SIGNS
        if count != first and not in_number and not continues:
            yield count


def guess_next_word_counts(name: str, words: list[str]) -> list[int]:
    """Return how many of the words after `name` may belong to it, likeliest first. Digits that meet digits may be
    another number and so another work: such counts are left out."""
    kept = []
    for count in dict.fromkeys((count_likely_words([name, *words]) - 1, 1, 2)):
        pieces = [name, *words[: count + 1]]
        if 0 < count <= len(words) and not any(_divides_number(*pair) for pair in pairwise(pieces)):
            kept.append(count)
    return kept


def _divides_number(one: str, other: str) -> bool:
    return one[-1].isdigit() and other[0].isdigit()
