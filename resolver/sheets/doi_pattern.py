"""Whether a cell looks as if a DOI stood in it, before anything is read."""

import re

_DOI = re.compile(r"(?<![\d.])10\.\d[\d.]*\s*(?:/|%2[Ff]|&#x2[Ff];|&#47;)")


def holds_doi(cell: str) -> bool:
    """A cheap test, not a reading: whether the cell has something like the beginning of a DOI."""
    return _DOI.search(cell) is not None
