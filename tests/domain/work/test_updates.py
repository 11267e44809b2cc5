"""What a record says of retractions and corrections."""

from typing import Any

import pytest

from resolver.domain.work.events import EventKind, WorkEvent
from resolver.domain.work.metadata import read_csl_item

DAY = {"date-parts": [[2024, 5, 6]]}


def read(*updates: Any) -> tuple[WorkEvent, ...]:
    work = read_csl_item({"DOI": "10.5555/a", "title": "A", "updated-by": list(updates)}, "api.example")
    assert work is not None
    return work.events


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("retraction", EventKind.RETRACTION),
        ("withdrawal", EventKind.RETRACTION),
        ("expression_of_concern", EventKind.CONCERN),
        ("erratum", EventKind.CORRECTION),
        ("reinstatement", EventKind.REINSTATEMENT),
    ],
)
def test_an_update_is_an_event_with_its_day_its_notice_and_its_source(kind: str, expected: EventKind) -> None:
    [event] = read({"type": kind, "DOI": "10.5555/notice", "source": "retraction-watch", "updated": DAY})
    assert event == WorkEvent(
        "10.5555/a", expected, "2024-05-06", notice="10.5555/notice", source="Crossref (Retraction Watch)"
    )


@pytest.mark.parametrize(
    "update",
    [None, 7, [], "retraction", {}, {"type": "new_version"}, {"type": ["retraction"]}, {"type": None, "DOI": "10.1/a"}],
)
def test_what_is_no_such_update_says_nothing(update: Any) -> None:
    assert read(update) == ()


_NO_DAYS = (None, 5, {}, *({"date-parts": parts} for parts in ([[2024]], [[2024, 13, 1]], "2024", [[True, 1, 1]])))


@pytest.mark.parametrize("date", _NO_DAYS)
def test_a_day_that_is_none_is_left_out(date: Any) -> None:
    assert [event.date for event in read({"type": "retraction", "updated": date})] == [""]


def test_a_thousand_updates_are_bounded() -> None:
    updates = [{"type": "erratum", "DOI": f"10.5555/{number}", "updated": DAY} for number in range(1000)]
    assert len(read(*updates)) == 20
