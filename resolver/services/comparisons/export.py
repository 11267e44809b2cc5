"""The file of a comparison: one row for each difference, with both sides."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from resolver.models import Comparison, Row
from resolver.services.comparisons.differing_rows import ORDER, RowPair, find_differences, load_row_pairs
from resolver.services.keyset import iterate_batches
from resolver.services.results.export import ensure_unchanged
from resolver.sheets.output.result_row import ResultRow, format_iso_utc

AT_ONCE = 1000

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


@dataclass(frozen=True, slots=True)
class ChangedRow(ResultRow):
    """A row of a file with only COLUMNS."""

    told: tuple[str, ...] = ()

    def result_cells(self) -> list[str]:
        """The text under each of COLUMNS."""
        return list(self.told)


def iterate_changed_rows(comparison: Comparison, kind: str = "") -> Iterator[ChangedRow]:
    """Yield all rows for a file, page by page. Raise JobChanged in the middle if one of the lists goes on."""
    for batch in iterate_batches(find_differences(comparison, kind), ORDER, AT_ONCE):
        found = load_row_pairs(comparison, batch)
        for job in (comparison.before, comparison.after):
            ensure_unchanged(job)
        yield from (ChangedRow(cells=(), told=_cells(pair)) for pair in found if pair.before or pair.after)


def _cells(pair: RowPair) -> tuple[str, ...]:
    sides = (pair.before, pair.after)
    lines = [str(row.row) if row else "" for row in sides]
    texts = [text(row) if row else "" for text in _TEXTS.values() for row in sides]
    return (str(pair.change), *lines, pair.either.input, pair.either.doi, *texts)
