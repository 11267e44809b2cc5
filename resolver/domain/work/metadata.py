"""What an agency says about the work behind a DOI, or why it says nothing. All texts are untrusted.

Agencies send CSL JSON, read within bounds: every member may be missing, or of another type than the schema says.

The schema is https://resource.citationstyles.org/schema/v1.0/input/json/csl-data.json. Crossref adds members of its own
(`name` for organisations) and, in some answers, lists in place of texts; others write the year as a text.
"""

import datetime
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from doi_reading import Message
from resolver.domain.handle.proxy_json import parse_json
from resolver.domain.work.authors import Person
from resolver.domain.work.events import EventKind, WorkEvent, decode_event, merge_events
from resolver.domain.work.markup import strip_markup


class NoMetadataReason(StrEnum):
    """Why there is no metadata for a DOI. `sentence` is for people."""

    NOT_REGISTERED = "not-registered"
    NO_SERVICE = "no-service"  # the DOI proxy redirects to a page for readers, or to a host that isn't in the table
    NOT_AVAILABLE = "not-available"  # HTTP 404 or 406 of the agency's service
    OTHER_FORMAT = "other-format"  # XML, BibTeX, JSON of another kind
    WEB_PAGE = "web-page"  # HTTP 200 with HTML: perhaps a passing page of a firewall
    EMPTY = "empty"  # no title, no author, no year, no container

    @property
    def sentence(self) -> Message:
        return _SENTENCES[self]


_SENTENCES = {
    NoMetadataReason.NOT_REGISTERED: Message("This DOI isn't registered, so it has no title."),
    NoMetadataReason.NO_SERVICE: Message("Its agency offers no metadata that this portal can read."),
    NoMetadataReason.NOT_AVAILABLE: Message("Its agency has no metadata for this DOI."),
    NoMetadataReason.OTHER_FORMAT: Message("Its agency offers metadata only in a format that this portal can't read."),
    NoMetadataReason.WEB_PAGE: Message("Its agency answered with a web page instead of metadata."),
    NoMetadataReason.EMPTY: Message("Its agency gives neither a title nor an author nor a year."),
}


@dataclass(frozen=True, slots=True)
class WorkMetadata:
    """The work behind a DOI, in plain text of bounded length; "" or None for what the agency doesn't give.

    `doi`: the name that the metadata is about. `first_author` is the first editor if `is_editor`; `authors`: how many
    there are. `container`: the journal, book or series. `type`: as the agency writes it (`article-journal`, `dataset`).
    `source`: the host that gave it. For comparing: all `titles`, with subtitle, short and original title; all `people`,
    authors and editors; all `years`; all `containers`; `relations`: kinds of relations to other works, as Crossref
    names them (`is-preprint-of`). `events`: retractions and corrections that the agency knows of.
    """

    doi: str = ""
    title: str = ""
    first_author: str = ""
    authors: int = 0
    is_editor: bool = False
    year: int | None = None
    container: str = ""
    publisher: str = ""
    type: str = ""
    source: str = ""
    titles: tuple[str, ...] = ()
    people: tuple[Person, ...] = ()
    years: tuple[int, ...] = ()
    containers: tuple[str, ...] = ()
    volume: str = ""
    first_page: str = ""
    relations: tuple[str, ...] = ()
    events: tuple[WorkEvent, ...] = ()


@dataclass(frozen=True, slots=True)
class NoMetadata:
    """Why there is no metadata. `source`: the host that said so, or the host to which the DOI proxy redirects."""

    reason: NoMetadataReason
    source: str = ""


MetadataAnswer = WorkMetadata | NoMetadata


def decode_metadata(stored: dict[str, Any]) -> MetadataAnswer:
    """Return the answer that was stored by `dataclasses.asdict`."""
    if "reason" in stored:
        return NoMetadata(NoMetadataReason(stored["reason"]), stored["source"])
    people = tuple(Person(**person) for person in stored.get("people", ()))
    events = tuple(decode_event(event) for event in stored.get("events", ()))
    lists = {name: tuple(value) for name, value in stored.items() if isinstance(value, list)}
    return WorkMetadata(**{**stored, **lists, "people": people, "events": events})


LONGEST_TITLE_CHARACTERS, LONGEST_TEXT_CHARACTERS = 600, 200  # that are kept
YEAR = re.compile(r"(?<![0-9])[12][0-9]{3}(?![0-9])")
_DATES = ("issued", "published", "published-print", "published-online", "original-date", "submitted")
_OTHER_DATES = ("created", "posted", "event-date", "available-date")
_TITLES = ("title-short", "short-title", "shortTitle", "original-title", "subtitle")
_CONTAINERS = ("container-title", "container-title-short", "short-container-title", "collection-title", "event")
MOST_PEOPLE, MOST_TITLES = 100, 8  # that are kept for comparing


def decode_csl_json(body: bytes, source: str) -> WorkMetadata | None:
    """Return the work that the answer of the host `source` describes; None if it is JSON of another kind, or describes
    nothing. Raises WireError if it isn't JSON, or is nested too deeply."""
    item = parse_json(body)
    if isinstance(item, list):
        item = next(iter(item), None)
    if not isinstance(item, Mapping):
        return None
    return read_csl_item(item, source)


def read_csl_item(item: Mapping[str, Any], source: str) -> WorkMetadata | None:
    """Return the work that a CSL-JSON item describes, or None if it describes nothing."""
    people, is_editor = item.get("author"), False
    name = next(_read_names(people), "")
    if not name:
        people, is_editor = item.get("editor"), True
        name = next(_read_names(people), "")
    dates = (_read_year(item.get(name)) for name in _DATES)
    years = tuple(dict.fromkeys(filter(None, dates)))
    volume, page = (_read_text(item.get(member), 60) for member in ("volume", "page"))
    work = WorkMetadata(
        doi=_read_text(item.get("DOI"), 2000),
        title=_read_text(item.get("title"), LONGEST_TITLE_CHARACTERS),
        first_author=name,
        authors=(len(people) if isinstance(people, list) else 1) if name else 0,
        is_editor=bool(name) and is_editor,
        year=next(iter(years), None),
        container=_read_text(item.get("container-title")),
        publisher=_read_text(item.get("publisher")),
        type=_read_text(item.get("type"), 60),
        source=source,
        titles=_read_titles(item),
        people=tuple(_read_people(item)),
        years=tuple(dict.fromkeys((*years, *filter(None, (_read_year(item.get(name)) for name in _OTHER_DATES))))),
        containers=tuple(dict.fromkeys(text for name in _CONTAINERS for text in _read_texts(item.get(name)))),
        volume=volume,
        first_page=re.split(r"[-‐‑–—]", page)[0].strip(),
        relations=tuple(_read_relations(item)),
        events=merge_events(_read_updates(item)),
    )
    return work if work.title or work.first_author or work.container or work.year else None


def _read_entries(value: Any, most: int = 50) -> list[Any]:
    return value[:most] if isinstance(value, list) else [value]


def _read_titles(item: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the title with and without its subtitle, and the other titles."""
    titles = [*_read_texts(item.get("title")), *(text for name in _TITLES[:-1] for text in _read_texts(item.get(name)))]
    whole = [f"{titles[0]}: {text}" for text in _read_texts(item.get("subtitle"))] if titles else []
    return tuple(dict.fromkeys((*titles, *whole)))[:MOST_TITLES]


def _read_people(item: Mapping[str, Any]) -> Iterator[Person]:
    """Yield all authors and editors. A family name that is only digits is none: DBLP numbers people of one name so."""
    people = [person for role in ("author", "editor") for person in _read_entries(item.get(role), MOST_PEOPLE)]
    for person in people:
        if isinstance(person, str):
            yield from map(Person, _read_texts(person))
        elif isinstance(person, Mapping):
            parts = [_read_text(person.get(part)) for part in ("non-dropping-particle", "family")]
            family, given = " ".join(filter(None, parts)), _read_text(person.get("given"))
            if family.isdigit():
                family = ""
            literal = "" if family or given else _read_text(person.get("literal") or person.get("name"))
            if family or given or literal:
                yield Person(family or literal, given)


def _read_relations(item: Mapping[str, Any]) -> Iterator[str]:
    relations = item.get("relation")
    if isinstance(relations, Mapping):
        yield from (kind[:60] for kind in list(relations)[:20] if isinstance(kind, str) and relations[kind])


_UPDATES = {
    **dict.fromkeys(("retraction", "partial_retraction", "withdrawal", "removal"), EventKind.RETRACTION),
    "expression_of_concern": EventKind.CONCERN,
    **dict.fromkeys(("correction", "corrigendum", "erratum", "addendum", "clarification"), EventKind.CORRECTION),
    "reinstatement": EventKind.REINSTATEMENT,
}
"""Crossref's types of updates, as far as they matter to whoever cites the work."""
_SOURCES = {"publisher": "Crossref (publisher)", "retraction-watch": "Crossref (Retraction Watch)"}


def _read_updates(item: Mapping[str, Any]) -> Iterator[WorkEvent]:
    """Yield what Crossref's `updated-by` says."""
    doi = _read_text(item.get("DOI"), 2000)
    for update in _read_entries(item.get("updated-by")):
        kind = _UPDATES.get(str(update.get("type"))) if isinstance(update, Mapping) else None
        if doi and kind:
            source = _SOURCES.get(_read_text(update.get("source"), 40), "Crossref")
            notice = _read_text(update.get("DOI"), 2000)
            yield WorkEvent(doi, kind, _read_day(update.get("updated")), notice=notice, source=source)


def _read_day(date: Any) -> str:
    """Return the day of a CSL date as ISO 8601; "" if it has none."""
    parts = date.get("date-parts") if isinstance(date, Mapping) else None
    day = next(iter(parts), None) if isinstance(parts, list) else None
    if not isinstance(day, list) or len(day) != 3 or not all(type(part) is int for part in day):
        return ""
    with suppress(ValueError):
        return datetime.date(*day).isoformat()
    return ""


def _read_texts(value: Any) -> list[str]:
    """Return all texts of a member, in plain text of bounded length."""
    texts = (strip_markup(entry) for entry in _read_entries(value, MOST_TITLES) if isinstance(entry, str))
    return [_shorten(text, LONGEST_TITLE_CHARACTERS) for text in texts if text]


def _read_text(value: Any, longest: int = LONGEST_TEXT_CHARACTERS) -> str:
    """Return a text, or the first of a list that isn't empty."""
    texts = (strip_markup(entry) for entry in _read_entries(value) if isinstance(entry, str))
    return _shorten(next(filter(None, texts), ""), longest)


def _read_names(people: Any) -> Iterator[str]:
    """Yield the names that can be read: "family, given", or the name of an organisation."""
    for person in _read_entries(people):
        name = _read_text(person) if isinstance(person, str) else ""
        if isinstance(person, Mapping):
            particle, family, given = (
                _read_text(person.get(part)) for part in ("non-dropping-particle", "family", "given")
            )
            parts = [" ".join(filter(None, (particle, family))), given]
            name = ", ".join(filter(None, parts)) or _read_text(person.get("literal") or person.get("name"))
        if name:
            yield _shorten(name, LONGEST_TEXT_CHARACTERS)


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
    found = YEAR.search(str(value)[:LONGEST_TEXT_CHARACTERS])
    return int(found.group()) if found else None


def _shorten(text: str, longest: int) -> str:
    return text if len(text) <= longest else text[: longest - 1].rstrip() + "…"
