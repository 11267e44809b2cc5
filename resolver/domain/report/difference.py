"""What is wrong with a name that isn't registered, as its suggestion shows: where the two differ."""

from itertools import takewhile

from doi_reading import OF_HYPERLINK, Problem, Reading, fold
from doi_reading.name import percent_encode
from doi_reading.problems import make_problem, show_characters
from resolver.domain.report.report import Suggestion

WRONG = "wrong-character"
_OF_THE_WRITING = frozenset({"unescaped-non-ascii", "unescaped-recommended", "unescaped-slash", "surrounding-text"})
"""Problems that don't show where the name ends."""


def explain_suggestion(
    reading: Reading, problems: tuple[Problem, ...], suggestion: Suggestion | None
) -> tuple[Problem, ...]:
    """Return the problems of the text, with what the suggestion shows to be wrong if no other problem does. What
    stands after the suggestion in the name ran on (`leftover`); else characters are wrong, missing or too many. Another
    name, which only the cell's hyperlink opens, shows nothing."""
    if suggestion is None or reading.doi is None or (suggestion.doubtful and suggestion.reason == OF_HYPERLINK):
        return problems
    name, text = str(reading.doi), reading.input
    first, last = find_difference(name, suggestion.doi)
    start, end = _find_place(text, name, first, last)
    ran_on = not suggestion.doubtful and fold(name).startswith(fold(suggestion.doi))
    if ran_on and start >= 0 and any(map(str.isalnum, name[first:])):  # a look-alike in other text is none
        problems = tuple(one for one in problems if one.code != "look-alike" or one.start < start)
    shown = [one for one in problems if one.code not in _OF_THE_WRITING]
    if start < 0 or any(one.start < max(end, start + 1) and start < one.end for one in shown):
        return problems if shown else (*problems, make_problem(WRONG, 0, len(text), suggested=suggestion.doi))
    if ran_on:
        found = make_problem("leftover", start, end, characters=show_characters(name[first:last]))
    else:
        start = min(start, len(text) - 1)
        found = make_problem(WRONG, start, max(end, start + 1), suggested=suggestion.doi)
    return tuple(sorted((*problems, found), key=lambda one: one.start))


def _find_place(text: str, name: str, first: int, last: int) -> tuple[int, int]:
    """Return the place of a part of the name in the text, perhaps percent-encoded there; negative if it is nowhere."""
    whole, part = text.rfind(name), name[first:last]
    if whole >= 0:
        return whole + first, whole + last
    encoded = "".join(map(percent_encode, part))
    start, written = max((text.rfind(one), one) for one in (part, encoded, encoded.lower())) if part else (-1, "")
    return start, start + len(written)


def find_difference(name: str, other: str) -> tuple[int, int]:
    """Return where the part of `name` begins and ends that `other` doesn't have, or has otherwise. Both are the same
    place where `other` only has more."""
    start, part, _, _ = split_common_ends(fold(name), fold(other))
    return len(start), len(start) + len(part)


def split_common_ends(one: str, other: str) -> tuple[str, str, str, str]:
    """Split two texts into their shared beginning, the middle of each, and their shared end."""
    start = _count_shared(one, other)
    end = _count_shared(one[start:][::-1], other[start:][::-1])
    tail = one[len(one) - end :]
    return one[:start], one[start : len(one) - end], other[start : len(other) - end], tail


def _count_shared(one: str, other: str) -> int:
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))
