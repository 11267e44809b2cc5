"""What is wrong with a name that isn't registered, as its suggestion shows: where the two differ."""

from itertools import takewhile

from doi_reading import OF_HYPERLINK, Problem, Reading, fold
from doi_reading.name import percent_encode
from doi_reading.problems import make_problem, show_characters
from resolver.domain.report.report import Suggestion

WRONG = "wrong-character"
_OF_THE_WRITING = frozenset({"unescaped-non-ascii", "unescaped-recommended", "unescaped-slash", "surrounding-text"})
"""Problems that don't tell where the name ends."""


def explain_suggestion(
    reading: Reading, problems: tuple[Problem, ...], suggestion: Suggestion | None
) -> tuple[Problem, ...]:
    """Return the problems of the text, with what the suggestion shows to be wrong if no other problem tells of it. What
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
    told = [one for one in problems if one.code not in _OF_THE_WRITING]
    if start < 0 or any(one.start < max(end, start + 1) and start < one.end for one in told):
        return problems if told else (*problems, make_problem(WRONG, 0, len(text), suggested=suggestion.doi))
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
    one, another = fold(name), fold(other)
    first = _count_equal(one, another)
    return first, len(name) - _count_equal(one[first:][::-1], another[first:][::-1])


def _count_equal(one: str, another: str) -> int:
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, another, strict=False)))
