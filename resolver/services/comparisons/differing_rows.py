"""The rows that a comparison found different, for a page and for a file."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import QuerySet

from resolver.domain.report.change import Aspect, Change, differing_aspects
from resolver.models import Comparison, Difference, Row
from resolver.services.comparisons.compare import build_finding
from resolver.services.keyset import iterate_batches
from resolver.services.results.export import ensure_unchanged
from resolver.sheets.output.result_row import ResultRow, format_iso_utc

AT_ONCE = 1000
ORDER = ("place",)
_TEXTS: Mapping[str, Callable[[Row], str]] = {
    "outcome": lambda row: row.outcome,
    "agency": lambda row: row.ra,
    "url_values": lambda row: " | ".join(row.urls),
    "suggested_doi": lambda row: row.suggestion,
    "checked_at": lambda row: format_iso_utc(row.checked_at) or "",
    "proxy": lambda row: row.proxy,
}
_SIDES = [f"{name}_{side}" for name in _TEXTS for side in ("before", "after")]
COLUMNS = ("change", "row_before", "row_after", "input", "doi", *_SIDES)
_SHOWN = (
    "line", "input", "doi", "outcome", "ra", "urls", "alias_of", "suggestion", "others", "problems", "incomplete",
    "checked_at", "proxy",
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


@dataclass(frozen=True, slots=True)
class ChangedRow(ResultRow):
    """A row of a file with only COLUMNS."""

    told: tuple[str, ...] = ()

    def result_cells(self) -> list[str]:
        """The text under each of COLUMNS."""
        return list(self.told)


def find_differences(comparison: Comparison, kind: str = "") -> QuerySet[Difference]:
    """Return the differences (of this kind) in the order of the first list."""
    found = Difference.objects.filter(comparison=comparison).order_by(*ORDER)
    return found.filter(kind=kind) if kind else found


def load_row_pairs(comparison: Comparison, found: Sequence[Difference]) -> list[RowPair]:
    """Return the rows of both lists; two queries."""
    befores = _rows(comparison.before_id, [one.line for one in found])
    afters = _rows(comparison.after_id, [one.other_line for one in found])
    return [_pair(comparison, one, befores.get(one.line), afters.get(one.other_line)) for one in found]


def iterate_changed_rows(comparison: Comparison, kind: str = "") -> Iterator[ChangedRow]:
    """Yield all rows for a file, page by page. Raise JobChanged in the middle if one of the lists goes on."""
    for batch in iterate_batches(find_differences(comparison, kind), ORDER, AT_ONCE):
        found = load_row_pairs(comparison, batch)
        for job in (comparison.before, comparison.after):
            ensure_unchanged(job)
        yield from (ChangedRow(cells=(), told=_cells(pair)) for pair in found if pair.before or pair.after)


def _cells(pair: RowPair) -> tuple[str, ...]:
    sides = (pair.before, pair.after)
    lines = [str(row.line) if row else "" for row in sides]
    texts = [text(row) if row else "" for text in _TEXTS.values() for row in sides]
    return (str(pair.change), *lines, pair.either.input, pair.either.doi, *texts)


def _rows(job_id: UUID, lines: Sequence[int | None]) -> Mapping[int | None, Row]:
    wanted = [line for line in lines if line is not None]
    if not wanted:
        return {}
    return {row.line: row for row in Row.objects.filter(job_id=job_id, line__in=wanted).only(*_SHOWN)}


def _pair(comparison: Comparison, one: Difference, before: Row | None, after: Row | None) -> RowPair:
    aspects: frozenset[Aspect] = frozenset()
    if before and after:
        found = (build_finding(vars(row), by_line=comparison.by_line) for row in (before, after))
        aspects = differing_aspects(*found)
    return RowPair(Change(one.kind), one.place, before, after, aspects)
