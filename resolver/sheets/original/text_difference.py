"""The differences between the text of a cell and the new one."""

import re
from collections.abc import Iterator
from itertools import takewhile

Difference = tuple[int, int, str]
"""Where it begins and ends in the old text, and what stands there in the new one."""
_BETWEEN = re.compile(r"([\s;,|]+)")


def find_differences(old: str, new: str) -> Iterator[Difference]:
    """Yield what changes in the old text, in order: word by word if both have as many, else all from the first to the
    last difference."""
    words, others = _BETWEEN.split(old), _BETWEEN.split(new)
    if len(words) != len(others):
        words, others = [old], [new]
    at = 0
    for word, other in zip(words, others, strict=True):
        if word != other:
            before = _count_alike(word, other)
            after = _count_alike(word[before:][::-1], other[before:][::-1])
            yield at + before, at + len(word) - after, other[before : len(other) - after]
        at += len(word)


def _count_alike(one: str, other: str) -> int:
    """Return with how many of the same characters both begin."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))
