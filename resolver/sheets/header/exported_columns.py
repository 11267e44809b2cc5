"""The column to check in our own results, uploaded again."""

import re
from collections import Counter
from collections.abc import Sequence
from urllib.parse import unquote

from resolver.sheets.header.column_names import is_doi_column_name

_BLOCK = ["doi", "doi_url", "outcome", "registration_agency"]
"""The names of result columns that are together in every file of results. `row` and `part` may precede them."""
_BEFORE = ("part", "row")
_CORRECTED, _CORRECTION = "corrected_doi", "correction"
_NUMBER = re.compile(r"_\d{1,9}\Z")  # of a name that was taken already


def find_exported_columns(sample: Sequence[Sequence[str]]) -> tuple[int, int | None] | None:
    """Return the column to check, and the column to read where its cell is empty; None unless the first row has the
    names of our result columns, or of the last two of them.

    It is `corrected_doi`, else the column that was checked: that of the uploader's columns whose cells hold the most
    DOIs that our column `doi` has in the same row. Of results of results the newest columns count.
    """
    names = [_NUMBER.sub("", name) for name in sample[0]]
    ours = next((at for at in range(len(names) - 4, -1, -1) if names[at : at + 4] == _BLOCK), None)
    if ours is None:
        return _find_corrections(sample, names)
    start = ours
    for name in _BEFORE:
        start -= start > 0 and names[start - 1] == name
    uploaded = _find_checked(sample, start, ours)
    later = range(len(names) - 1, ours, -1)
    corrected = next((at for at in later if names[at] == _CORRECTED), None)
    if corrected is not None:
        return corrected, uploaded
    # The list itself may have been one with corrections: where it had none, another column was read.
    checked = _find_checked(sample, start, ours, corrections=True)
    return checked, None if uploaded in (checked, ours) else uploaded


def _find_corrections(sample: Sequence[Sequence[str]], names: Sequence[str]) -> tuple[int, int | None] | None:
    """Return the columns if only `corrected_doi` and `correction` are left of ours."""
    last_first = range(len(names) - 2, -1, -1)
    corrected = next((at for at in last_first if list(names[at : at + 2]) == [_CORRECTED, _CORRECTION]), None)
    if corrected is None:
        return None
    checked = _find_checked(sample, corrected, corrected)
    return corrected, None if checked == corrected else checked


def _find_checked(sample: Sequence[Sequence[str]], width: int, doi: int, *, corrections: bool = False) -> int:
    """Return that of the first `width` columns that was checked, an earlier `corrected_doi` only with `corrections`;
    column `doi` of ours if none has the DOIs. Ties go to `corrected_doi`, then to a name for DOIs, then to the left."""
    named = sample[0]
    found = Counter[int]()
    for row in sample[1:]:
        name = row[doi].casefold() if doi < len(row) else ""
        if name:
            found.update(at for at, cell in enumerate(row[:width]) if name in f"{cell}\n{unquote(cell)}".casefold())
    usable = [at for at in found if corrections or _NUMBER.sub("", named[at]) != _CORRECTED]
    if not usable:
        return doi
    return min(usable, key=lambda at: (-found[at], named[at] != _CORRECTED, not is_doi_column_name(named[at]), at))
