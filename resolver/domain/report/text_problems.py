"""The problems of a text, as far as the answers about its name and its candidates confirm them."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice

from doi_reading import Problem, Reading, fold
from doi_reading.name import decode_once, find_wrong_check_digit, is_beginning_of
from doi_reading.problems import describe_as_registered, is_cut, make_problem
from doi_reading.repair import is_journal, propose_repairs
from doi_reading.tables.suffix_patterns import BOOK_PART, WHOLE
from doi_reading.tables.test_prefixes import TEST_PREFIXES
from doi_reading.text import PUNCTUATION, WHITE, WHITE_RUN, WIDE_PUNCTUATION
from resolver.domain.report.correction import CUT_SHORT
from resolver.domain.report.outcome import EXISTS, Outcome
from resolver.domain.report.report import OtherDoi, Suggestion, TriedCandidate, soften_signs, weigh_codes
from resolver.domain.report.suggestion import explain_suggestion

WHITE_SPACE = frozenset({"inner-space", "unescaped-space"})
_OF_ODD_NAMES = frozenset({"leftover", "glued-dois", "repeated-prefix", "template"})
"""Problems that a name doesn't have if it is registered like that."""
_OF_THE_END = frozenset({"trailing-punctuation", "trailing-slash"})
_UNFINISHED = tuple("-_/.,:;(=")
_WORDS = re.compile(r"(?:\s{1,9}[^\W\d_]{2,40}+[.,;:)]{0,3}){1,6}\s{0,9}")
_PART_OF_BOOK = re.compile(BOOK_PART)
_FOLLOWING = re.compile(r"[.,;:)\]}'\"”’»]{0,9}(?:\s|[(\[/])\W*\w")
"""White space, a bracket or a slash, and text."""
_TAG = re.compile(r"<[^<>]{0,200}>")
_NUMBER = re.compile(r"[./_-]?\w{0,20}?[0-9]")


def find_problems_of_text(
    reading: Reading, outcome: Outcome, tried: tuple[TriedCandidate, ...], candidate: Suggestion | None
) -> Iterator[Problem]:
    """Yield the problems of the text, with what the candidate shows to be wrong. The answers say whether the hyperlink
    differs."""
    found = _select_problems_of_text(reading, outcome, tried)
    found = explain_suggestion(reading, _report_divided_name(reading, found, candidate), candidate)
    return (one for one in found if one.code != "link-differs")


def _select_problems_of_text(
    reading: Reading, outcome: Outcome, tried: tuple[TriedCandidate, ...]
) -> tuple[Problem, ...]:
    """Return the problems of the text, with `inner-space` if the text may cut a registered name: other text follows the
    name of a journal, or another possible DOI begins with the name."""
    if outcome not in EXISTS:
        return _leave_out_removed_dots(reading.problems)
    text, name = reading.input, str(reading.doi)
    found = _select_problems_of_registered(reading.problems, text, name)
    is_whole = _ends_before_white_space(name, reading, tried)
    if is_whole:
        found = report_space_as_other_text(found, text, name)
    problems = tuple(describe_as_registered(one) for one in found)
    codes = weigh_codes(outcome, [one.code for one in problems], text, name)
    if not is_whole and "surrounding-text" in codes and not is_cut(codes) and _may_continue(reading):
        return (*problems, describe_as_registered(make_problem("inner-space")))
    return problems


def _leave_out_removed_dots(problems: tuple[Problem, ...]) -> tuple[Problem, ...]:
    """Return the problems without the advice to remove the dots that stand for the missing end of a name."""
    cut = {(one.start, one.end) for one in problems if one.code == CUT_SHORT}
    return tuple(one for one in problems if not (one.code == "trailing-punctuation" and (one.start, one.end) in cut))


def _select_problems_of_registered(problems: tuple[Problem, ...], text: str, name: str) -> tuple[Problem, ...]:
    """Return the problems of a text whose name is registered, without those of odd characters that belong to the name.
    An escape of the slash belongs to the text, not to the name."""
    found = []
    for one in soften_signs(problems, text, name):
        if one.code in _OF_ODD_NAMES | {CUT_SHORT} and _is_inside(one, text, name):
            continue
        if one.code == "leftover" and text[: one.start].endswith(name.partition("/")[0]):
            found.append(make_problem("surrounding-text", one.start, one.end))
        else:
            found.append(one)
    return tuple(found)


def _is_inside(found: Problem, text: str, name: str) -> bool:
    """Return whether the characters at fault are in the name, and not beside it in the text."""
    start = text.find(name)
    if start < 0:  # the text has the name encoded
        return fold(decode_once(text[found.start : found.end]).text) in fold(name)
    return start <= found.start and found.end <= start + len(name)


def _ends_before_white_space(name: str, reading: Reading, tried: tuple[TriedCandidate, ...]) -> bool:
    """Return whether a registered name that text follows is whole.

    The candidates must have been tried, and none may be registered. Besides, the pattern of the registrant must say
    that such a name is whole, or only words or a footnote mark may follow.
    """
    text = reading.input
    has_no_rival = bool(tried) and all(one.exists is False for one in tried)
    if not has_no_rival or WHOLE.fullmatch(name):
        return has_no_rival
    words = name in text and _WORDS.fullmatch(text.rpartition(name)[2])
    ends = bool(words) or reading.following.ends_with(name)
    return ends and not name.endswith(_UNFINISHED) and not is_journal(name)


def report_space_as_other_text(problems: tuple[Problem, ...], text: str, name: str) -> tuple[Problem, ...]:
    """Return the problems. White space after the whole name becomes the start of other text (`surrounding-text`),
    instead of a space inside the name."""
    end = text.find(name) + len(name)
    white = [one for one in problems if one.code in WHITE_SPACE and name in text and one.start >= end]
    if not white:
        return problems
    after = make_problem("surrounding-text", white[0].end, len(text.rstrip()))
    return (*(one for one in problems if one not in white), after)


def _may_continue(reading: Reading) -> bool:
    name = str(reading.doi)
    beside = {fold(other) for other in reading.others}
    longer = [
        one.doi
        for one in reading.candidates
        if is_beginning_of(name, one.doi)
        and fold(one.doi) not in beside
        and not _is_leftover(name, one.doi)
        and one.doi[len(name)] not in WIDE_PUNCTUATION
    ]
    rests = [each[len(name) :] for each in longer]
    if any(map(_PART_OF_BOOK.fullmatch, rests)):
        return True
    in_cell = reading.input.partition(name)[2].startswith("\t")  # no line of a text is wrapped at a tab
    if not in_cell and any(map(str.isdigit, "".join(rests))):  # and not only a word or a full stop more
        return True
    return is_journal(name) and any(map(_is_followed, reading.input.split(name)[1:]))


def _is_followed(rest: str) -> bool:
    """Return whether the rest of a text may continue the name before it. Behind markup, such as the link that a
    website made of the beginning of a name, only a number does."""
    without_tags = _TAG.sub("", rest)
    return bool(_FOLLOWING.match(rest) or (without_tags != rest and _NUMBER.match(without_tags)))


def _is_leftover(name: str, longer: str) -> bool:
    """Return whether the longer name is only the name with what a program left behind, such as `</b>`."""
    return any(fold(repaired) == fold(name) for repaired, _ in islice(propose_repairs(longer), 1))


def _report_divided_name(
    reading: Reading, problems: tuple[Problem, ...], suggestion: Suggestion | None
) -> tuple[Problem, ...]:
    """Return the problems of the text, where white space divides the suggestion: the part behind it is no other text,
    and a sign before it doesn't end the name."""
    text = reading.input
    spans = reading.following.find_spans(suggestion.doi) if suggestion else []
    start, end = next(((start, end) for start, end in spans if WHITE_RUN.search(text, start, end)), (0, 0))
    if not end:
        return problems
    kept = []
    for one in problems:
        if one.code == "surrounding-text" and start < one.start < end:
            rest = text[end : one.end].lstrip(WHITE + PUNCTUATION)
            kept += [replace(one, start=one.end - len(rest))] if rest else []
        elif not (one.code in _OF_THE_END and start <= one.start and one.end <= end):
            kept.append(one)
    if not any(one.code in WHITE_SPACE for one in kept):
        white = WHITE_RUN.search(text, start, end)
        kept.append(make_problem("inner-space", *(white.span() if white else (start, end))))
    return tuple(sorted(kept, key=lambda one: one.start))


def find_problem_of_others(others: Iterable[OtherDoi]) -> tuple[Problem, ...]:
    """Return the problem of a text in which another DOI isn't registered; () if all are, or couldn't be checked."""
    missing = [other.doi[:100] for other in others if other.outcome == Outcome.NOT_FOUND]
    names = ", ".join(missing[:3]) + "…" * (len(missing) > 3)
    return (make_problem("other-not-registered", names=names),) if missing else ()


def find_test_prefix_problem(name: str, text: str) -> tuple[Problem, ...]:
    """Return the problem of a name that isn't registered and has a prefix for examples and tests; () for none."""
    prefix = name.partition("/")[0]
    if prefix not in TEST_PREFIXES:
        return ()
    start = max(text.find(prefix), 0)
    return (make_problem("test-prefix", start, start + len(prefix), used=prefix),)


def find_check_digit_problem(name: str) -> tuple[Problem, ...]:
    """Return the problem of a name that isn't registered and holds a wrong check digit; () for none."""
    wrong = find_wrong_check_digit(name)
    return (make_problem("check-digit", kind=wrong.kind, characters=wrong.identifier),) if wrong else ()
