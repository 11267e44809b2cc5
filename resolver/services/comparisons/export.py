"""The file of a comparison: one row for each difference, with both sides."""

from collections.abc import Callable, Iterator, Mapping

from resolver.domain.display.times_and_durations import format_iso_utc
from resolver.models import Comparison, Row
from resolver.services.comparisons.differing_rows import ORDER, RowPair, find_differences, load_row_pairs
from resolver.services.jobs.row_readings import has_expected_addresses, is_split
from resolver.services.results.export import ensure_unchanged
from resolver.services.storage.keyset import iterate_batches

_TEXTS: Mapping[str, Callable[[Row], str]] = {
    "outcome": lambda row: row.outcome,
    "agency": lambda row: row.ra,
    "url_values": lambda row: " | ".join(row.urls),
    "suggested_doi": lambda row: row.suggestion,
    "checked_at": lambda row: format_iso_utc(row.checked_at) or "",
    "proxy": lambda row: row.proxy,
}
_AUDITED: Mapping[str, Callable[[Row], str]] = {**_TEXTS, "address": lambda row: row.address}
_PARTS = ("part_before", "part_after")


def _has_parts(comparison: Comparison) -> bool:
    return is_split(comparison.before) or is_split(comparison.after)


def list_columns(comparison: Comparison) -> tuple[str, ...]:
    """Return the names of the columns: with the parts if one of the lists has a row for each DOI of a cell, and with
    the classes of the addresses if one has expected addresses."""
    rows = ("row_before", "row_after", *(_PARTS if _has_parts(comparison) else ()))
    return (
        "change",
        *rows,
        "input",
        "doi",
        *(f"{name}_{side}" for name in _choose_texts(comparison) for side in ("before", "after")),
    )


def _choose_texts(comparison: Comparison) -> Mapping[str, Callable[[Row], str]]:
    return _AUDITED if any(map(has_expected_addresses, (comparison.before, comparison.after))) else _TEXTS


def iterate_lines(comparison: Comparison, kind: str = "") -> Iterator[tuple[str, ...]]:
    """Yield the cells of each difference, page by page. Raises JobChanged if a list is being checked again."""
    texts, parts = _choose_texts(comparison), _has_parts(comparison)
    for batch in iterate_batches(find_differences(comparison, kind), ORDER):
        found = load_row_pairs(comparison, batch)
        for job in (comparison.before, comparison.after):
            ensure_unchanged(job)
        yield from (_build_cells(pair, texts, parts=parts) for pair in found if pair.before or pair.after)


def _build_cells(pair: RowPair, texts: Mapping[str, Callable[[Row], str]], *, parts: bool) -> tuple[str, ...]:
    sides = (pair.before, pair.after)
    lines = [str(row.row) if row else "" for row in sides]
    lines += [str(row.part or "") if row else "" for row in sides] if parts else []
    texts_of_sides = [text(row) if row else "" for text in texts.values() for row in sides]
    return (str(pair.change), *lines, pair.either.input, pair.either.doi, *texts_of_sides)
