"""Our own results, uploaded again: which of their columns is checked."""

import re
from collections import Counter
from collections.abc import Sequence
from urllib.parse import unquote

from resolver.sheets.header.column_names import is_doi_column_name

_BLOCK = ["doi", "doi_url", "outcome", "registration_agency"]
"""The names of result columns that stand together in every file of results. `row` and `part` may stand before them."""
_BEFORE = ("part", "row")
_CORRECTED = "corrected_doi"
_NUMBER = re.compile(r"_\d{1,9}\Z")  # where a name was taken already


def find_exported_columns(sample: Sequence[Sequence[str]]) -> tuple[int, int | None] | None:
    """Return the column to check, and the column to read where its cell is empty; None unless the first row has the
    names of our result columns.

    It is `corrected_doi`, else the column that was checked: that of the uploader's columns whose cells hold the most
    DOIs that our column `doi` has in the same row. Of results of results the newest columns count.
    """
    names = [_NUMBER.sub("", name) for name in sample[0]]
    ours = next((at for at in range(len(names) - 4, -1, -1) if names[at : at + 4] == _BLOCK), None)
    if ours is None:
        return None
    start = ours
    for name in _BEFORE:
        start -= start > 0 and names[start - 1] == name
    checked = _find_checked(sample, start, ours)
    later = range(len(names) - 1, ours, -1)
    corrected = next((at for at in later if names[at] == _CORRECTED), None)
    return (checked, None) if corrected is None else (corrected, checked)


def _find_checked(sample: Sequence[Sequence[str]], width: int, doi: int) -> int:
    """Return that of the first `width` columns that was checked. Ties go to a column that is named so, then to the
    left; if none holds the DOIs, our column `doi` has them."""
    found = Counter[int]()
    for row in sample[1:]:
        name = row[doi].casefold() if doi < len(row) else ""
        if name:
            found.update(at for at, cell in enumerate(row[:width]) if name in _folded(cell))
    if not found:
        return doi
    return min(found, key=lambda at: (-found[at], not is_doi_column_name(sample[0][at]), at))


def _folded(cell: str) -> str:
    return f"{cell}\n{unquote(cell)}".casefold()
