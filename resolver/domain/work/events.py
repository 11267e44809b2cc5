"""What happened to a work after its publication: retractions, expressions of concern, corrections and reinstatements,
as lists of several sources name them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from doi_reading import Message, encode, fold


class EventKind(StrEnum):
    """The kind of an event. `word` is for people."""

    RETRACTION = "retraction"
    CONCERN = "concern"
    CORRECTION = "correction"
    REINSTATEMENT = "reinstatement"

    @property
    def word(self) -> Message:
        return _WORDS[self]


_WORDS = {
    EventKind.RETRACTION: Message("Retraction"),
    EventKind.CONCERN: Message("Expression of concern"),
    EventKind.CORRECTION: Message("Correction"),
    EventKind.REINSTATEMENT: Message("Reinstatement"),
}
RETRACTED, CONCERN, CORRECTED, REINSTATED = "retracted", "concern", "corrected-later", "reinstated"
"""The problem codes, of which a work has one at most."""
_CODES = {
    EventKind.RETRACTION: RETRACTED,
    EventKind.CONCERN: CONCERN,
    EventKind.CORRECTION: CORRECTED,
    EventKind.REINSTATEMENT: REINSTATED,
}
MOST_EVENTS = 20  # of one work that are kept
_CAUTIOUS_FIRST = (*EventKind,)


@dataclass(frozen=True, slots=True)
class WorkEvent:
    """One event of the work of `doi`. `date`: its day, as ISO 8601; "" if it isn't known. `notice`: the DOI of the
    notice; "" if there is none. `source`: who lists it. `listed_on`: the day of that list."""

    doi: str
    kind: EventKind
    date: str = ""
    reasons: tuple[str, ...] = ()
    notice: str = ""
    source: str = ""
    listed_on: str = ""

    @property
    def notice_url(self) -> str:
        """The link of the notice; "" if there is none."""
        return encode(self.notice) if self.notice else ""

    def encode(self) -> dict[str, Any]:
        """Return it as JSON has it; `decode_event` is the inverse."""
        return {
            "doi": self.doi,
            "kind": str(self.kind),
            "date": self.date or None,
            "reasons": [*self.reasons],
            "notice": self.notice or None,
            "source": self.source,
            "listed_on": self.listed_on or None,
        }


def decode_event(stored: Mapping[str, Any]) -> WorkEvent:
    """Return the event that `WorkEvent.encode` returned."""
    return WorkEvent(
        doi=stored["doi"],
        kind=EventKind(stored["kind"]),
        date=stored["date"] or "",
        reasons=tuple(stored["reasons"]),
        notice=stored["notice"] or "",
        source=stored["source"],
        listed_on=stored["listed_on"] or "",
    )


def merge_events(*sources: Iterable[WorkEvent]) -> tuple[WorkEvent, ...]:
    """Return the events of one work from several sources, each once for each source, the newest first: MOST_EVENTS at
    most, with the one that decides. Those without a date come last, and those of one day as the more cautious reader
    takes them."""
    each_once: dict[tuple[str, ...], WorkEvent] = {}
    for source in sources:
        for event in source:
            each_once.setdefault((event.source, str(event.kind), event.date, fold(event.notice)), event)
    ordered = sorted(each_once.values(), key=lambda one: _CAUTIOUS_FIRST.index(one.kind))
    ordered.sort(key=lambda one: one.date, reverse=True)
    if len(ordered) <= MOST_EVENTS:
        return tuple(ordered)
    deciding = find_deciding_event(ordered)
    kept = ordered[:MOST_EVENTS]
    return tuple(kept if deciding in kept or deciding is None else [*kept[:-1], deciding])


def find_deciding_event(events: Sequence[WorkEvent]) -> WorkEvent | None:
    """Return the event by which the work counts, of events as `merge_events` orders them; None if there are none.

    The newest decides. But a work that was retracted stays so until it is reinstated: a correction, or an expression of
    concern, that came after the retraction doesn't undo it.
    """
    for event in events:
        if event.kind is EventKind.RETRACTION:
            return event
        if event.kind is EventKind.REINSTATEMENT:
            break
    return next(iter(events), None)


def find_event_code(events: Sequence[WorkEvent]) -> str:
    """Return the problem code of a work with these events, as `merge_events` orders them; "" if there are none."""
    deciding = find_deciding_event(events)
    return _CODES[deciding.kind] if deciding else ""
