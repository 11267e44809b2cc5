"""The rows that a comparison found different, in pairs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db.models import QuerySet

from resolver.domain.report.change import Aspect, Change, find_differing_aspects
from resolver.models import Comparison, Difference, Job, Row
from resolver.services.comparisons.compare import build_finding
from resolver.services.results.row_numbers import number_rows

ORDER = ("place",)

_SHOWN = (
    "line", "row", "part", "key", "same_as", "input", "doi", "outcome", "ra", "urls", "alias_of", "suggestion",
    "doubtful", "others", "problem_codes", "incomplete", "checked_at", "proxy", "address", "work",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class RowPair:
    """A row that differs; None if a list doesn't have it. `aspects`: how they differ."""

    change: Change
    place: int
    before: Row | None
    after: Row | None
    aspects: frozenset[Aspect]

    @property
    def either(self) -> Row:
        """The newer one, for what both have in common."""
        row = self.after or self.before
        assert row is not None  # noqa: S101 - for the type checker: one of the lists has it
        return row


def find_differences(comparison: Comparison, kind: str = "") -> QuerySet[Difference]:
    """Return the differences (of this kind) in the order of the first list."""
    found = Difference.objects.filter(comparison=comparison).order_by(*ORDER)
    return found.filter(kind=kind) if kind else found


def load_row_pairs(comparison: Comparison, found: Sequence[Difference]) -> list[RowPair]:
    """Return the rows of both lists; two queries."""
    befores = _find_rows(comparison.before, [one.line for one in found])
    afters = _find_rows(comparison.after, [one.other_line for one in found])
    return [_build_pair(comparison, one, befores.get(one.line), afters.get(one.other_line)) for one in found]


def _find_rows(job: Job, lines: Sequence[int | None]) -> Mapping[int | None, Row]:
    wanted = [line for line in lines if line is not None]
    if not wanted:
        return {}
    rows = list(Row.objects.filter(job=job, line__in=wanted).only(*_SHOWN))
    return {row.line: row for row in number_rows(job, rows)}


def _build_pair(comparison: Comparison, one: Difference, before: Row | None, after: Row | None) -> RowPair:
    aspects: frozenset[Aspect] = frozenset()
    if before and after:
        found = (build_finding(vars(row), by_line=comparison.by_line) for row in (before, after))
        aspects = find_differing_aspects(*found)
    return RowPair(Change(one.kind), one.place, before, after, aspects)
