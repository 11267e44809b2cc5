"""Words that are one word in another spelling: British and American, or with one typing error."""

import re
from functools import lru_cache

SHORTEST_MISTYPED = 6  # letters of a word in which one typing error is believed

_BRITISH = tuple(
    (re.compile(british), american)
    for british, american in (
        ("is(ation|ed|e|es|er|ing)", r"iz\1"),
        ("ys(ed|e|es|er|ing)", r"yz\1"),
        ("our", "or"),
        ("[ao]e", "e"),
        ("([tb])re(s?)$", r"\1er\2"),
        ("l(?=l)", ""),
        ("ogue(s?)$", r"og\1"),
        ("([fp]en)ce(s?)$", r"\1se\2"),
        ("ogramme", "ogram"),
        ("sulph", "sulf"),
        ("inium", "inum"),
        ("grey", "gray"),
        ("ageing", "aging"),
        ("mould", "mold"),
        ("judgement", "judgment"),
    )
)
# Pairs of real words of a letter's difference, where a typing error is the less likely reading.
_OTHER_WORDS = tuple(
    frozenset(pair)
    for pair in (
        ("adsor", "absor"),
        ("causal", "casual"),
        ("complement", "compliment"),
        ("conversation", "conservation"),
        ("discrete", "discreet"),
        ("ingenious", "ingenuous"),
        ("martial", "marital"),
        ("morality", "mortality"),
        ("perspective", "prospective"),
        ("principal", "principle"),
        ("stationary", "stationery"),
        ("trial", "trail"),
    )
)


@lru_cache(maxsize=8192)
def spell_alike(word: str) -> str:
    """Return the folded word in a spelling that British and American texts share. It is for comparing, not for
    reading: `colour` and `color` both give `color`."""
    if len(word) < 5:
        return word
    for british, american in _BRITISH:
        word = british.sub(american, word)
    return word


def differ_by_one_typing_error(word: str, other: str) -> bool:
    """Whether one letter within the words is missing, added, another, or exchanged with the next. At the ends it would
    be another word (*symmetric*, *asymmetric*; *gene*, *genes*), as it is where a digit differs."""
    if min(len(word), len(other)) < SHORTEST_MISTYPED or abs(len(word) - len(other)) > 1:
        return False
    if word[0] != other[0] or word[-1] != other[-1] or not (word.isalpha() and other.isalpha()):
        return False
    if any(word.startswith(a) and other.startswith(b) for pair in _OTHER_WORDS for a, b in _both_ways(pair)):
        return False
    start = 0
    while start < min(len(word), len(other)) and word[start] == other[start]:
        start += 1
    rest, other_rest = word[start:], other[start:]
    if len(rest) == len(other_rest):
        exchanged = rest[:2] == other_rest[1::-1] and rest[2:] == other_rest[2:]
        return exchanged or rest[1:] == other_rest[1:]
    return rest == other_rest[1:] or rest[1:] == other_rest


def _both_ways(pair: frozenset[str]) -> tuple[tuple[str, str], tuple[str, str]]:
    a, b = pair
    return (a, b), (b, a)
