"""Works as the agencies' REST APIs send them: Crossref's `/works` and DataCite's `/dois`. All texts are untrusted, and
read within the bounds of `metadata.py`.

Crossref: https://api.crossref.org/swagger-ui/index.html (nearly CSL-JSON). DataCite:
https://support.datacite.org/reference/get_dois (JSON:API).
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from doi_reading import Message, fold
from resolver.domain.handle.proxy_json import WireError, parse_json
from resolver.domain.work.metadata import WorkMetadata, read_csl_item

_NO_LIST = Message("the answer has no list of works")
MOST_WORKS = 100  # that are read of one answer
# The texts of `NotFoundException` in https://github.com/kermitt2/biblio-glutton: "No matching document found", "Cannot
# find records for the input query.", "Best bibliographical record did not passed the post-validation" and others.
_NO_RECORD = re.compile(r"\b(?:cannot find|no)\b.{0,40}\b(?:records?|document)\b|validation", re.IGNORECASE)


def decode_crossref_works(body: bytes, source: str) -> dict[str, WorkMetadata]:
    """Return the works of an answer of `/works` or `/works/<name>` by their folded names. Raises WireError."""
    message = _get_member(_parse_object(body), "message")
    items = message.get("items") if isinstance(message, Mapping) else None
    return _collect(items if isinstance(items, list) else [message], source)


def decode_datacite_works(body: bytes, source: str) -> dict[str, WorkMetadata]:
    """Return the works of an answer of `/dois` or `/dois/<name>` by their folded names. Raises WireError."""
    data = _get_member(_parse_object(body), "data")
    entries = data if isinstance(data, list) else [data]
    return _collect([_write_as_csl(entry) for entry in entries[:MOST_WORKS] if isinstance(entry, Mapping)], source)


def decode_crossref_record(body: bytes, source: str) -> dict[str, WorkMetadata]:
    """Return the only work of an answer that is a record of Crossref's without anything around it, as biblio-glutton
    sends it, by its folded name; none if it has no DOI. Raises WireError."""
    return _collect([_parse_object(body)], source)


def says_no_record(body: bytes) -> bool:
    """Return whether biblio-glutton says here, with HTTP 404, that no record fits. Other servers, and its own for a
    wrong path, say with that status that they don't know the address."""
    try:
        found = _parse_object(body)
    except WireError:
        return False
    message = found.get("message")
    return found.keys() == {"message"} and isinstance(message, str) and bool(_NO_RECORD.search(message[:200]))


def _parse_object(body: bytes) -> Mapping[str, Any]:
    found = parse_json(body)
    if not isinstance(found, Mapping):
        raise WireError(_NO_LIST)
    return found


def _get_member(found: Mapping[str, Any], name: str) -> Any:
    if not isinstance(found.get(name), Mapping | list):
        raise WireError(_NO_LIST)
    return found[name]


def _collect(items: list[Any], source: str) -> dict[str, WorkMetadata]:
    works = (read_csl_item(item, source) for item in items[:MOST_WORKS] if isinstance(item, Mapping))
    return {fold(work.doi): work for work in works if work and work.doi}


def _write_as_csl(entry: Mapping[str, Any]) -> dict[str, Any]:
    """Return DataCite's entry with the members that CSL-JSON and Crossref have."""
    given = entry.get("attributes")
    of = given if isinstance(given, Mapping) else {}
    titles = [title for title in _list_mappings(of.get("titles")) if isinstance(title.get("title"), str)]
    main = [title["title"] for title in titles if not title.get("titleType")]
    types, container, dates = of.get("types"), of.get("container"), _list_mappings(of.get("dates"))
    return {
        "DOI": of.get("doi") or entry.get("id"),
        "title": main or [title["title"] for title in titles],
        "subtitle": [title["title"] for title in titles if title.get("titleType") == "Subtitle"],
        "original-title": [title["title"] for title in titles if title.get("titleType") in _OTHER_TITLES],
        "author": list(_read_creators(of.get("creators"))),
        "editor": list(_read_creators(of.get("contributors"), role="Editor")),
        "issued": of.get("publicationYear"),
        "created": next((date.get("date") for date in dates if date.get("dateType") == "Created"), None),
        "available-date": next((date.get("date") for date in dates if date.get("dateType") == "Available"), None),
        "container-title": container.get("title") if isinstance(container, Mapping) else None,
        "publisher": of.get("publisher"),
        "type": types.get("citeproc") if isinstance(types, Mapping) else None,
        "relation": {
            _RELATIONS[relation["relationType"]]: [relation]
            for relation in _list_mappings(of.get("relatedIdentifiers"))
            if isinstance(relation.get("relationType"), str) and relation["relationType"] in _RELATIONS
        },
    }


_OTHER_TITLES = frozenset({"AlternativeTitle", "TranslatedTitle", "Other"})
_RELATIONS = {
    "IsVersionOf": "is-version-of",
    "HasVersion": "has-version",
    "IsNewVersionOf": "is-new-version-of",
    "IsPreviousVersionOf": "is-previous-version-of",
    "IsIdenticalTo": "is-identical-to",
    "IsTranslationOf": "is-translation-of",
    "HasTranslation": "has-translation",
}


def _read_creators(people: Any, role: str = "") -> Iterator[dict[str, Any]]:
    for person in _list_mappings(people):
        if not role or person.get("contributorType") == role:
            family, given = person.get("familyName"), person.get("givenName")
            yield {"family": family, "given": given} if family else {"literal": person.get("name")}


def _list_mappings(value: Any) -> list[Mapping[str, Any]]:
    return [entry for entry in value[:MOST_WORKS] if isinstance(entry, Mapping)] if isinstance(value, list) else []
