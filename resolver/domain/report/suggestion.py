"""The suggestion for a text whose name doesn't exist: found among candidates, examined by its record, and compared
with the name."""

from collections.abc import Mapping
from itertools import takewhile
from typing import NamedTuple

from doi_reading import OF_HYPERLINK, Doi, Message, NotADoi, Problem, Reading, fold
from doi_reading.message import join_messages
from doi_reading.name import is_beginning_of, percent_encode
from doi_reading.problems import make_problem, show_characters
from doi_reading.repair import is_same_work
from resolver.domain.handle.answers import Failure, NoValues, Resolution
from resolver.domain.handle.record import Record
from resolver.domain.redirect.destination import find_destination
from resolver.domain.redirect.record_addresses import find_target_addresses
from resolver.domain.report.correction import UNPROVEN
from resolver.domain.report.report import OtherDoi, Suggestion, TriedCandidate, is_deleted_doi_page, is_safe_link


class ExaminedSuggestion(NamedTuple):
    """A suggestion, or None. `problems`: why it may not lead to the work. `failed`: its record couldn't be checked."""

    suggestion: Suggestion | None
    problems: tuple[Problem, ...] = ()
    failed: bool = False


def find_suggestion(
    tried: tuple[TriedCandidate, ...],
    guesses: tuple[TriedCandidate, ...],
    others: tuple[OtherDoi, ...],
    corrections: frozenset[str],
) -> Suggestion | None:
    """Return the first candidate that exists, a doubtful one last, else the only guess that does.

    Another DOI in the text is no correction of the first, unless it is among `corrections`: a rule gave it too, or one
    begins with the other.
    """
    beside = {fold(other.doi) for other in others} - corrections
    found = [one for one in tried if one.exists and fold(one.doi) not in beside]
    first = min(found, key=lambda one: one.doubtful, default=None)
    return Suggestion(first.doi, first.reason, first.doubtful) if first else _find_only_guess(guesses)


def examine_doi_of_short_doi(
    reading: Reading, resolution: Resolution | None, records: Mapping[str, Resolution]
) -> ExaminedSuggestion | None:
    """Return the DOI behind a short DOI (S12), if it exists. `resolution` is that of its handle, to the end."""
    if reading.short_doi is None or resolution is None or resolution.loop or resolution.alias_of is None:
        return None
    name = _as_doi(resolution.alias_of)
    if name is None or not isinstance(resolution.answer, Record | NoValues):
        return None
    reason = Message("the DOI that the shortDOI {name} stands for", name=reading.short_doi)
    return _examine_record(Suggestion(name, reason), resolution, records)


def examine_suggestion(suggestion: Suggestion | None, records: Mapping[str, Resolution]) -> ExaminedSuggestion:
    """Return the suggestion that may go into a catalogue: instead of an alias its main DOI. `records` are by folded
    name; without the record of the suggestion nothing is known, and it stays as it is."""
    resolution = records.get(fold(suggestion.doi)) if suggestion else None
    if suggestion is None or resolution is None:
        return ExaminedSuggestion(suggestion)
    if resolution.alias_of is None or find_fault(suggestion.doi, resolution, records) is not None:
        return _examine_record(suggestion, resolution, records)
    main = _as_doi(resolution.alias_of)
    if main is None:
        return _report_unproven(suggestion, Message("it is an alias of a name that isn't a DOI"))
    behind = Message("the main DOI behind the alias {name}", name=suggestion.doi)
    reason = join_messages("; ", suggestion.reason, behind)
    return ExaminedSuggestion(Suggestion(main, reason, suggestion.doubtful, alias=suggestion.doi))


def find_rival(
    suggestion: Suggestion | None, tried: tuple[TriedCandidate, ...], others: tuple[OtherDoi, ...], reading: Reading
) -> tuple[Problem, ...]:
    """Return the problem of a suggestion that may not be the DOI that was meant: another reading of the text is
    registered too, or the text continues after it. () for none, and for a guess. Another DOI of the text is no rival,
    nor is a version, a file or a page of the same work."""
    if suggestion is None or suggestion.doubtful:
        return ()
    taken = {fold(suggestion.doi), *(fold(other.doi) for other in others)}
    rivals = (one.doi for one in tried if one.exists and fold(one.doi) not in taken)
    rival = next((name for name in rivals if not _is_one_work(name, suggestion.doi)), None)
    fault = Message("{name} is registered too", name=rival) if rival else None
    if fault is None and reading.following.find_continuation(suggestion.doi):
        fault = Message("the text goes on after it")
    return (make_problem(UNPROVEN, suggested=suggestion.doi, fault=fault),) if fault else ()


def _is_one_work(name: str, other: str) -> bool:
    shorter, longer = sorted((fold(name), fold(other)), key=len)
    return is_beginning_of(shorter, longer) and is_same_work(longer, shorter)


def find_fault(name: str, resolution: Resolution, records: Mapping[str, Resolution]) -> Message | None:
    """Return why a registered name may not lead to the work, as the end of a sentence; None if nothing is wrong."""
    answer = resolution.answer
    if isinstance(answer, Failure):
        return Message("we couldn't check its record")
    if resolution.loop or not isinstance(answer, Record) or not (any(answer.urls) or answer.has_locations):
        return Message("it has no web address")
    urls = find_target_addresses(answer)
    if any(map(is_deleted_doi_page, urls)):
        return Message("it is deleted: its link opens an agency's page for deleted DOIs")
    if not all(map(is_safe_link, urls)):
        return Message("its address isn't a web address")
    return Message("its record leads nowhere") if find_destination(name, resolution, records).problem else None


def _examine_record(
    suggestion: Suggestion, resolution: Resolution, records: Mapping[str, Resolution]
) -> ExaminedSuggestion:
    fault = find_fault(suggestion.doi, resolution, records)
    if fault is None:
        return ExaminedSuggestion(suggestion)
    return _report_unproven(suggestion, fault, failed=isinstance(resolution.answer, Failure))


def _report_unproven(suggestion: Suggestion, fault: Message, *, failed: bool = False) -> ExaminedSuggestion:
    return ExaminedSuggestion(suggestion, (make_problem(UNPROVEN, suggested=suggestion.doi, fault=fault),), failed)


def _find_only_guess(guesses: tuple[TriedCandidate, ...]) -> Suggestion | None:
    """Return the late candidate that exists, if it is known that no other does: two would be rivals."""
    possible = [guess for guess in guesses if guess.exists is not False]
    if len(possible) == 1 and possible[0].exists:
        return Suggestion(possible[0].doi, possible[0].reason, possible[0].doubtful)
    return None


def _as_doi(name: str) -> str | None:
    try:
        return str(Doi.parse(name))
    except NotADoi:
        return None


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
