"""What happened to a work, from several sources: which event decides."""

import pytest

from resolver.domain.work.events import (
    MOST_EVENTS,
    EventKind,
    WorkEvent,
    decode_event,
    find_deciding_event,
    find_event_code,
    merge_events,
)

R, E, C, B = EventKind.RETRACTION, EventKind.CONCERN, EventKind.CORRECTION, EventKind.REINSTATEMENT


def event(kind: EventKind, date: str = "", source: str = "Retraction Watch", notice: str = "") -> WorkEvent:
    return WorkEvent("10.5555/a", kind, date, notice=notice, source=source, listed_on="2026-11-01")


def code(*events: WorkEvent) -> str:
    return find_event_code(merge_events(events))


@pytest.mark.parametrize(
    ("kinds", "expected"),
    [
        ((), ""),
        ((R,), "retracted"),
        ((E,), "concern"),
        ((C,), "corrected-later"),
        ((B,), "reinstated"),
        ((E, R), "retracted"),
        ((C, E), "concern"),
        ((E, C), "corrected-later"),
        ((R, B), "reinstated"),
        ((R, B, R), "retracted"),
        ((R, B, C), "corrected-later"),
        ((R, C), "retracted"),
        ((R, E), "retracted"),
        ((R, B, E), "concern"),
    ],
)
def test_the_newest_event_decides_but_only_a_reinstatement_undoes_a_retraction(
    kinds: tuple[EventKind, ...], expected: str
) -> None:
    dated = [event(kind, f"20{place:02}-01-01") for place, kind in enumerate(kinds, 10)]
    assert code(*dated) == code(*reversed(dated)) == expected


def test_events_of_one_day_count_as_the_cautious_take_them() -> None:
    assert code(event(B, "2020-01-01"), event(R, "2020-01-01")) == "retracted"
    assert code(event(C, "2020-01-01"), event(E, "2020-01-01")) == "concern"


def test_an_event_without_a_date_comes_last() -> None:
    assert code(event(B), event(R, "2020-01-01")) == "retracted"
    assert code(event(R), event(B, "2020-01-01")) == "reinstated"
    assert code(event(R)) == "retracted"


def test_each_source_is_named_and_a_source_repeats_nothing() -> None:
    one, other = event(R, "2020-01-01", notice="10.5555/N"), event(R, "2020-01-01", "Crossref", "10.5555/n")
    again = event(R, "2020-01-01", notice="10.5555/n")
    assert [each.source for each in merge_events([one, again], [other])] == ["Retraction Watch", "Crossref"]


def test_a_thousand_events_are_cut_but_the_one_that_decides_stays() -> None:
    events = [event(R, "1990-01-01"), *(event(C, f"{1991 + number}-01-01") for number in range(1000))]
    merged = merge_events(events)
    assert len(merged) == MOST_EVENTS
    deciding = find_deciding_event(merged)
    assert deciding
    assert (deciding.kind, deciding.date, find_event_code(merged)) == (R, "1990-01-01", "retracted")


def test_an_event_survives_json() -> None:
    for one in (event(R), WorkEvent("10.5555/a", E, "2020-01-01", ("a", "b"), "10.5555/n", "Crossref", "2026-11-01")):
        assert decode_event(one.encode()) == one
