"""The titles above a table: the number of rows above the one with the column names."""

from collections.abc import Sequence
from itertools import takewhile

from resolver.sheets.doi_pattern import has_doi_pattern
from resolver.sheets.header.column_names import DATA, is_doi_column_name, rank_doi_name

MAX_TITLE_ROWS = 10  # above a header that only its shape shows


def count_title_rows(sample: Sequence[Sequence[str]], wanted: str | None = None) -> int:
    """Return the number of titles: rows without a DOI above the header, and above all rows with DOIs. `sample` has the
    rows with text. 0: the first of them is the header or has data. `wanted` is the column name that a person chose."""
    named = find_named_header(sample, wanted)
    if named is not None:
        return named
    above = _take_rows_above(sample)
    is_without_dois = len(above) == len(sample) and not wanted
    fullest = 0
    for place, row in enumerate(above):
        filled = _count_cells(row)
        is_named = _has_name(row, wanted)
        if not place and is_named:
            break
        if place and place + 1 < len(sample):
            near = place <= MAX_TITLE_ROWS
            if is_named and (filled > fullest or (filled == 1 and near) or (filled == fullest > 1 and is_without_dois)):
                return place
            if near and filled >= 2 * fullest and _has_names_only(row) and _fits(row, sample[place + 1 :]):
                return place
        fullest = max(fullest, filled)
    return 0


def find_named_header(sample: Sequence[Sequence[str]], wanted: str | None = None) -> int | None:
    """Return the index of the row above all DOIs that names their column, None if there is none. Of several it is the
    one with the wanted name, then with a sure one, then the fullest, then the first."""
    folded = _fold(wanted or "")
    above = _take_rows_above(sample)
    with_dois = {place for row in sample[len(above) :] for place, cell in enumerate(row) if has_doi_pattern(cell)}
    found = []
    for place, row in enumerate(above):
        names = [row[column] for column in with_dois if column < len(row)]
        filled = _count_cells(row)
        is_wanted = bool(folded) and any(_fold(name) == folded for name in names)
        is_sure = any(map(is_doi_column_name, names))
        # "see DOI" may be an entry of a list.
        is_likely = (filled > 1 or not place) and any(rank_doi_name(name) is not None for name in names)
        if is_wanted or is_sure or is_likely:
            found.append((not is_wanted, not is_sure, -filled, place))
    return min(found)[-1] if found else None


def _take_rows_above(sample: Sequence[Sequence[str]]) -> list[Sequence[str]]:
    return list(takewhile(lambda row: not any(map(has_doi_pattern, row)), sample))


def _count_cells(row: Sequence[str]) -> int:
    return sum(bool(cell.strip()) for cell in row)


def _fold(name: str) -> str:
    return name.strip().casefold()


def _has_name(row: Sequence[str], wanted: str | None) -> bool:
    folded = _fold(wanted or "")
    return any(is_doi_column_name(cell) or (folded and _fold(cell) == folded) for cell in row)


def _has_names_only(row: Sequence[str]) -> bool:
    """Return whether the cells may be names of columns: different, and without figures or links."""
    names = [_fold(cell) for cell in row if cell.strip()]
    return len(set(names)) == len(names) and not any(map(DATA.search, names))


def _fits(row: Sequence[str], below: Sequence[Sequence[str]]) -> bool:
    """Return whether the row names nearly every column of a table, and one with DOIs in half of its first 50 rows."""
    below = below[:50]
    widths = sorted(map(_count_cells, below))
    if _count_cells(row) < max(2.0, 0.8 * widths[len(widths) // 2]):
        return False
    return any(
        sum(column < len(other) and has_doi_pattern(other[column]) for other in below) >= 0.5 * len(below)
        for column, cell in enumerate(row)
        if cell.strip()
    )
