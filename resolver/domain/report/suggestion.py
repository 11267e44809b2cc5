"""The suggestion for a text whose name doesn't exist: found among candidates, and examined by its record."""

from collections.abc import Mapping
from typing import NamedTuple

from doi_reading import Doi, Message, NotADoi, Problem, Reading, fold
from doi_reading.message import join_messages
from doi_reading.name import is_beginning_of
from doi_reading.problems import make_problem
from doi_reading.repair import is_same_work
from resolver.domain.handle.answers import Failure, NoValues, Resolution
from resolver.domain.handle.record import Record
from resolver.domain.redirect.record_addresses import find_target_addresses
from resolver.domain.report.correction import UNPROVEN
from resolver.domain.report.destination import find_destination
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
