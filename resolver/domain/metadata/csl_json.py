"""CSL JSON of the agencies, read within bounds: every member may be missing, or of another type than the schema says.

The schema is https://resource.citationstyles.org/schema/v1.0/input/json/csl-data.json. Crossref adds members of its own
(`name` for organisations) and, in some answers, lists in place of texts; others write the year as a text.
"""

import re
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from resolver.domain.handle.wire import parse_json
from resolver.domain.metadata.markup import shorten, strip_markup
from resolver.domain.metadata.work_metadata import WorkMetadata

LONGEST_TITLE, LONGEST_TEXT, LONGEST_TYPE = 600, 200, 60  # characters that are kept
LONGEST_DOI = 2000
MOST_READ = 50  # entries of a list that are looked at
_YEAR = re.compile(r"(?<![0-9])[12][0-9]{3}(?![0-9])")
_DATES = ("issued", "published", "published-print", "published-online", "original-date", "submitted")


def decode_csl_json(body: bytes, source: str) -> WorkMetadata | None:
    """Return the work that the answer of the host `source` describes; None if it is JSON of another kind, or describes
    nothing. Raises WireError if it isn't JSON, or is nested too deeply."""
    item = parse_json(body)
    if isinstance(item, list):
        item = next(iter(item), None)
    if not isinstance(item, Mapping):
        return None
    people, is_editor = item.get("author"), False
    names = list(islice(_read_names(people), 1))
    if not names:
        people, is_editor = item.get("editor"), True
        names = list(islice(_read_names(people), 1))
    work = WorkMetadata(
        doi=_read_text(item.get("DOI"), LONGEST_DOI),
        title=_read_text(item.get("title"), LONGEST_TITLE),
        first_author=names[0] if names else "",
        authors=(len(people) if isinstance(people, list) else 1) if names else 0,
        is_editor=bool(names) and is_editor,
        year=next(filter(None, (_read_year(item.get(name)) for name in _DATES)), None),
        container=_read_text(item.get("container-title"), LONGEST_TEXT),
        publisher=_read_text(item.get("publisher"), LONGEST_TEXT),
        type=_read_text(item.get("type"), LONGEST_TYPE),
        source=source,
    )
    return work if work.title or work.first_author or work.container or work.year else None


def _read_entries(value: Any) -> list[Any]:
    return value[:MOST_READ] if isinstance(value, list) else [value]


def _read_text(value: Any, longest: int) -> str:
    """Return a text, or the first of a list that isn't empty."""
    texts = (strip_markup(entry) for entry in _read_entries(value) if isinstance(entry, str))
    return shorten(next(filter(None, texts), ""), longest)


def _read_names(people: Any) -> Iterator[str]:
    """Yield the names that can be read: "family, given", or the name of an organisation."""
    for person in _read_entries(people):
        name = _read_text(person, LONGEST_TEXT) if isinstance(person, str) else ""
        if isinstance(person, Mapping):
            particle, family, given = (
                _read_text(person.get(part), LONGEST_TEXT) for part in ("non-dropping-particle", "family", "given")
            )
            parts = [" ".join(filter(None, (particle, family))), given]
            name = ", ".join(filter(None, parts)) or _read_text(
                person.get("literal") or person.get("name"), LONGEST_TEXT
            )
        if name:
            yield shorten(name, LONGEST_TEXT)


def _read_year(date: Any) -> int | None:
    """Return the year of a CSL date: of its parts, else of its text."""
    if isinstance(date, Mapping):
        parts = date.get("date-parts")
        for _ in range(2):  # [[2020, 5, 1]], where some write [2020, 5, 1]
            parts = next(iter(parts), None) if isinstance(parts, list) else parts
        return _find_year(parts) or _find_year(date.get("raw")) or _find_year(date.get("literal"))
    return _find_year(date)


def _find_year(value: Any) -> int | None:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    found = _YEAR.search(str(value)[:LONGEST_TEXT])
    return int(found.group()) if found else None
