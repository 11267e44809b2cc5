"""The titles above a table: how many rows stand above the row with the column names."""

from collections.abc import Sequence

from resolver.sheets.doi_pattern import has_doi_pattern
from resolver.sheets.header.column_names import DATA, is_doi_column_name

MOST_TITLES = 10
_LOOKED_AT = 50  # rows below a header without a telling name
_FEWEST_DOIS = 0.5  # of these rows
_FEWEST_CELLS = 0.8  # of the typical row below must have a name


def count_title_rows(sample: Sequence[Sequence[str]], wanted: str | None = None) -> int:
    """Return how many of the first rows are titles: rows without a DOI, with fewer cells than the header below them.

    `sample` has the rows with text. 0 means that the first of them is the header or has data. `wanted` is the name of a
    column that a person looks for. No row with a DOI is a title, nor any below one.
    """
    fullest = 0
    for place, row in enumerate(sample[: MOST_TITLES + 1]):
        if any(map(has_doi_pattern, row)):
            break
        filled = _count_cells(row)
        named = _is_named(row, wanted)
        if not place and named:
            break
        if place and place + 1 < len(sample):
            is_header = named and (filled > fullest or filled == 1)
            if is_header or (filled >= 2 * fullest and _has_names_only(row) and _fits(row, sample[place + 1 :])):
                return place
        fullest = max(fullest, filled)
    return 0


def _count_cells(row: Sequence[str]) -> int:
    return sum(bool(cell.strip()) for cell in row)


def _is_named(row: Sequence[str], wanted: str | None) -> bool:
    folded = (wanted or "").strip().casefold()
    return any(is_doi_column_name(cell) or (folded and cell.strip().casefold() == folded) for cell in row)


def _has_names_only(row: Sequence[str]) -> bool:
    """Return whether the cells may be names of columns: different, and without figures or links."""
    names = [cell.strip().casefold() for cell in row if cell.strip()]
    return len(set(names)) == len(names) and not any(map(DATA.search, names))


def _fits(row: Sequence[str], below: Sequence[Sequence[str]]) -> bool:
    """Return whether the row names the columns of a table with DOIs: nearly every column, and one that has them."""
    below = below[:_LOOKED_AT]
    widths = sorted(map(_count_cells, below))
    if _count_cells(row) < max(2.0, _FEWEST_CELLS * widths[len(widths) // 2]):
        return False
    return any(
        sum(column < len(other) and has_doi_pattern(other[column]) for other in below) >= _FEWEST_DOIS * len(below)
        for column, cell in enumerate(row)
        if cell.strip()
    )
