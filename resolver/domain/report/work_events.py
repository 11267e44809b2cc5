"""What lists of retractions say about the works of a report: its problems, and the events themselves.

That a work isn't listed says nothing, so nothing is said of it.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from doi_reading import Message, Problem, fold
from doi_reading.message import join_messages
from doi_reading.problems import make_problem
from resolver.domain.report.correction import COMPARE_WORK, REVIEWED
from resolver.domain.report.outcome import EXISTS
from resolver.domain.report.report import Report
from resolver.domain.work.events import RETRACTED, WorkEvent, find_deciding_event, find_event_code, merge_events

MOST_SHOWN, MOST_REASONS = 5, 6  # events in a sentence, and reasons of one
MOST_STORED = 60  # events of a result: a text may have a thousand DOIs
UNKNOWN_DAY = Message("an unknown date")
OWN_WORK = Message("This work")  # made once: each row of a list has one
NO_FAULT = Message("The DOI itself is right.")
ANOTHER_QUESTION = Message("Whether the DOI is the right one is another question.")


@dataclass(frozen=True, slots=True)
class NamedWork:
    """A work that a result names, with all names of its DOI. `title`: what a sentence calls it. `is_own`: the text's
    DOI stands for it."""

    names: tuple[str, ...]
    title: Message
    is_own: bool = False


def list_works(
    outcome: str,
    doi: str,
    *,
    alias_of: str = "",
    suggestion: Collection[str] = (),
    others: Iterable[tuple[str, str]] = (),
) -> list[NamedWork]:
    """Return the works of a result: of its own DOI if that is registered, of its suggestion, and of the registered ones
    among `others`, pairs of a name and its outcome. `suggestion`: the names of its DOI, the main one first."""
    found = []
    if outcome in EXISTS:
        found.append(NamedWork((doi, *([alias_of] if alias_of else [])), OWN_WORK, is_own=True))
    if suggestion:
        first = next(iter(suggestion))
        found.append(NamedWork(tuple(suggestion), Message("The work of the suggested DOI {doi}", doi=first)))
    found += [NamedWork((name,), Message("The work of {doi}", doi=name)) for name, each in others if each in EXISTS]
    return found


def list_works_of_report(report: Report, doi: str) -> list[NamedWork]:
    """Return the works of the report of the DOI `doi`."""
    suggestion = report.suggestion
    return list_works(
        report.outcome,
        doi,
        alias_of=report.alias_of or "",
        suggestion=[name for name in (suggestion.doi, suggestion.alias) if name] if suggestion else [],
        others=[(other.doi, other.outcome) for other in report.others],
    )


def add_events(report: Report, works: Sequence[NamedWork], found: Mapping[str, Sequence[WorkEvent]]) -> Report:
    """Return the report with the events of its works, and what they mean as problems. `found`: events of any sources by
    folded name."""
    events = [event for work in works for event in _find_events(work, found)]
    if not events:
        return report
    problems = describe_events(works, events, [one.code for one in report.problems])
    return replace(report, problems=(*report.problems, *problems), events=tuple(events[:MOST_STORED]))


def _find_events(work: NamedWork, found: Mapping[str, Sequence[WorkEvent]]) -> tuple[WorkEvent, ...]:
    return merge_events(*(found.get(key, ()) for key in dict.fromkeys(map(fold, work.names))))


def describe_events(
    works: Sequence[NamedWork], events: Iterable[WorkEvent], codes: Collection[str] = ()
) -> list[Problem]:
    """Return the problems that these events of the works mean: one for each code, of the first work that has it.
    `codes`: the result's other problems."""
    by_name: dict[str, list[WorkEvent]] = {}
    for event in events:
        by_name.setdefault(fold(event.doi), []).append(event)
    by_code: dict[str, list[tuple[NamedWork, tuple[WorkEvent, ...]]]] = {}
    for work in works:
        if listed := _find_events(work, by_name):
            by_code.setdefault(find_event_code(listed), []).append((work, listed))
    is_sure = (REVIEWED | {COMPARE_WORK}).isdisjoint(set(codes) - {RETRACTED})
    return [_build_problem(code, listed, is_sure=is_sure) for code, listed in by_code.items()]


def _build_problem(code: str, listed: Sequence[tuple[NamedWork, tuple[WorkEvent, ...]]], *, is_sure: bool) -> Problem:
    work, events = listed[0]
    deciding = find_deciding_event(events) or events[0]
    shown = [_describe(event) for event in events]
    shown += [
        Message("{doi}: {event}", doi=other.names[0], event=_describe(event))
        for other, of_other in listed[1:]
        for event in of_other
    ]
    if len(shown) > MOST_SHOWN:
        left = len(shown) - MOST_SHOWN
        shown = [*shown[:MOST_SHOWN], Message.of_count("{count} more event", "{count} more events", left)]
    return make_problem(
        code,
        work=work.title,
        date=deciding.date or UNKNOWN_DAY,
        source=deciding.source,
        listed=deciding.listed_on or UNKNOWN_DAY,
        right=NO_FAULT if work.is_own and is_sure else ANOTHER_QUESTION,
        events=join_messages("; ", *shown),
    )


def _describe(event: WorkEvent) -> Message:
    date = event.date or UNKNOWN_DAY
    details = []
    if event.reasons:
        more = ["…"] if len(event.reasons) > MOST_REASONS else []
        reasons = ", ".join([*event.reasons[:MOST_REASONS], *more])
        details.append(Message("reasons: {reasons}", reasons=reasons))
    if event.notice:
        details.append(Message("notice: {notice}", notice=event.notice_url))
    if not details:
        return Message("{kind}, {date}", kind=event.kind.word, date=date)
    return Message("{kind}, {date} ({details})", kind=event.kind.word, date=date, details=join_messages(", ", *details))
