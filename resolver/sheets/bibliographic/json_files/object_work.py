"""What a JSON object says of its work, under the names of CSL-JSON, Crossref, DataCite, Zotero, Lens, OpenAlex, ORCID
and others."""

from collections import deque
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any

from resolver.domain.work.row_work import RowWork
from resolver.sheets.bibliographic.described_work import MAX_AUTHORS, build_work
from resolver.sheets.bibliographic.json_files.objects import shorten

OF_OTHERS = ("reference", "citation", "cited", "citing", "relat", "funder", "updat", "review", "included")
"""The beginnings of the names of members that are about other works."""
_NAMES: Mapping[str, Sequence[str]] = {
    "title": ("title", "titles", "display_name", "dc:title"),
    "authors": ("author", "authors", "creators", "authorships", "creator", "dc:creator", "contributor"),
    "editors": ("editor", "editors"),
    "year": (
        "issued", "published", "publicationYear", "publication_year", "year_published", "year", "pubYear",
        "publication-date", "publication_date", "date_published", "date", "prism:coverDate",
    ),
    "container": (
        "container-title", "publicationTitle", "bookTitle", "proceedingsTitle", "journalTitle", "journal-title",
        "journal_title", "journal_name", "journal", "container", "host_venue", "prism:publicationName", "venue",
        "source", "short-container-title",
    ),
    "volume": ("volume", "prism:volume"),
    "pages": (
        "page", "pages", "page-first", "first_page", "firstPage", "start_page", "startPage", "prism:startingPage",
        "prism:pageRange",
    ),
}  # fmt: skip
_WORDS = {name: (rank, word) for word, names in _NAMES.items() for rank, name in enumerate(names)}
_INNER = (
    "title", "value", "literal", "display_name", "displayName", "name", "author", "credit-name", "date-parts", "year",
)  # fmt: skip
_PERSON = (("family", "given"), ("lastName", "firstName"), ("last_name", "first_name"), ("familyName", "givenName"))
_SEARCHED_OBJECTS = 300  # and lists, of a record
_SEARCHED_MEMBERS = 300  # of a list
_MOST_PEOPLE = 10 * MAX_AUTHORS  # that are looked at


def describe_object(record: Mapping[str, Any], searched: int = _SEARCHED_OBJECTS) -> RowWork:
    """Return the work by the members nearest to the top of the record: `searched` objects and lists are read."""
    found: dict[str, Any] = {}
    waiting = deque[Any]([record])
    for _ in range(searched):
        if not waiting or len(found) == len(_NAMES):
            break
        value = waiting.popleft()
        if isinstance(value, dict):
            _read_members(value, found)
            waiting += (
                each
                for name, each in value.items()
                if each and isinstance(each, dict | list) and not name.casefold().startswith(OF_OTHERS)
            )
        else:
            waiting += (each for each in value[:_SEARCHED_MEMBERS] if isinstance(each, dict | list))
    title, subtitle = found.get("title", ("", ""))
    return build_work(
        title=title,
        subtitle=subtitle,
        authors=found.get("authors") or found.get("editors", ()),
        year=found.get("year", ""),
        container=found.get("container", ""),
        volume=found.get("volume", ""),
        pages=found.get("pages", ""),
    )


def _read_members(value: Mapping[str, Any], found: dict[str, Any]) -> None:
    """Add what the members of an object say, and nothing that is found already."""
    for _, word, name in sorted((*_WORDS[name], name) for name in value.keys() & _WORDS.keys()):
        if word in found:
            continue
        member = value[name]
        if word in ("authors", "editors"):
            said: Any = _list_people(member)
        elif word == "title":
            title = _read_first(member)
            said = (title, _find_subtitle(value, member)) if title else None
        elif name == "source" and not (isinstance(member, dict) and ("title" in member or "display_name" in member)):
            said = None  # of the metadata: "Crossref"
        else:
            said = _read_first(member)
        if said:
            found[word] = said


def _find_subtitle(value: Mapping[str, Any], title: Any) -> str:
    """Return the subtitle: a member beside the title, or one of the titles of DataCite or ORCID."""
    if isinstance(title, dict):
        return _read_first(title.get("subtitle"))
    if isinstance(title, list):
        kinds = (each for each in islice(title, _SEARCHED_MEMBERS) if isinstance(each, dict))
        for each in kinds:
            if each.get("titleType") == "Subtitle":
                return _read_first(each)
    return _read_first(value.get("subtitle"))


def _list_people(value: Any) -> list[str]:
    """Return the names in a list of people, or of one; of Zotero's people with different tasks the authors."""
    if isinstance(value, dict) and not _find_pair(value):
        value = next((inner for name in _INNER if isinstance(inner := value.get(name), list)), value)
    people = value[:_MOST_PEOPLE] if isinstance(value, list) else [value]
    types = [each.get("creatorType") if isinstance(each, dict) else None for each in people]
    kept = "author" if "author" in types else next(iter(types), None)
    named = (_read_first(each) for each, kind in zip(people, types, strict=True) if kind == kept)
    return [name for name in named if name]


def _find_pair(value: Mapping[str, Any]) -> tuple[str, str] | None:
    return next((pair for pair in _PERSON if value.get(pair[0])), None)


def _read_first(value: Any) -> str:
    """Return the first text or number in what may be a list or an object of them; a person's family name first."""
    for _ in range(6):  # levels
        if isinstance(value, list):
            value = value[0] if value else ""
        elif isinstance(value, dict):
            if pair := _find_pair(value):
                return ", ".join(filter(None, (shorten(value.get(name)) for name in pair)))
            value = next((inner for name in _INNER if (inner := value.get(name))), "")
        else:
            break
    return shorten(value)
