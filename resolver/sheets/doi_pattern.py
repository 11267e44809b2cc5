"""A quick test for DOIs in cells."""

import re

_DOI = re.compile(r"(?<![\d.])10\.\d[\d.]*\s*(?:/|%2[Ff]|&#x2[Ff];|&#47;)")


def has_doi_pattern(cell: str) -> bool:
    """Whether the cell contains something like the beginning of a DOI. It is not read."""
    return _DOI.search(cell) is not None
