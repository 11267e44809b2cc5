"""The catalogue of problems: code, severity, title, sentence, clause, advice, example; for pages and docs."""

from collections.abc import Mapping
from types import MappingProxyType

from resolver.domain.problems.entry import Entry, Severity
from resolver.domain.problems.name_entries import OF_NAMES
from resolver.domain.problems.source_entries import OF_SOURCES

__all__ = ["CATALOGUE", "OF_CELLS", "OF_RECORDS", "Entry", "Severity"]

CATALOGUE: Mapping[str, Entry] = MappingProxyType({entry.code: entry for entry in (*OF_NAMES, *OF_SOURCES)})
OF_RECORDS = frozenset({"deleted", "alias", "alias-loop", "unsafe-url"})
"""The problems that no text shows: its record has them."""
OF_CELLS = frozenset({"link-differs", "from-link"})
"""The problems that no text shows alone: they are of a workbook's cell and its hyperlink, both of which stand in the
example (`domain/report/hyperlink.py`)."""
