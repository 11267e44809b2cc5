"""Works as OpenAlex's REST API sends them. All texts are untrusted, and read within the bounds of `metadata.py`.

https://developers.openalex.org/api-entities/works
"""

import re
from collections.abc import Mapping
from typing import Any

from doi_reading import Message, fold
from resolver.domain.handle.proxy_json import WireError, parse_json
from resolver.domain.work.metadata import MOST_PEOPLE, WorkMetadata, read_csl_item
from resolver.domain.work.service_answers import MOST_WORKS

# The members of a work that are read here. Without a choice OpenAlex sends abstracts, topics and all citations.
OPENALEX_MEMBERS = "id,doi,title,display_name,authorships,publication_year,primary_location,biblio,type"
_DOI_LINK = re.compile(r"https?://(?:dx\.)?doi\.org/", re.IGNORECASE)


def decode_openalex_works(body: bytes, source: str) -> dict[str, WorkMetadata]:
    """Return the works of an answer of `/works` that have a DOI, by their folded names. Raises WireError."""
    found = parse_json(body)
    results = found.get("results") if isinstance(found, Mapping) else None
    if not isinstance(results, list):
        raise WireError(Message("the answer has no list of works"))
    items = (_write_as_csl(entry) for entry in results[:MOST_WORKS] if isinstance(entry, Mapping))
    works = (read_csl_item(item, source) for item in items)
    return {fold(work.doi): work for work in works if work and work.doi}


def _write_as_csl(entry: Mapping[str, Any]) -> dict[str, Any]:
    """Return the work with the members of CSL-JSON."""
    doi, place = entry.get("doi"), _get_mapping(_get_mapping(entry, "primary_location"), "source")
    biblio, authorships = _get_mapping(entry, "biblio"), entry.get("authorships")
    people = authorships[:MOST_PEOPLE] if isinstance(authorships, list) else []
    return {
        "DOI": _DOI_LINK.sub("", doi, count=1) if isinstance(doi, str) else None,
        "title": entry.get("title") or entry.get("display_name"),
        "author": [{"literal": _find_name(person)} for person in people if isinstance(person, Mapping)],
        "issued": entry.get("publication_year"),
        "container-title": place.get("display_name"),
        "publisher": place.get("host_organization_name"),
        "volume": biblio.get("volume"),
        "page": biblio.get("first_page"),
        "type": entry.get("type"),
    }


def _find_name(person: Mapping[str, Any]) -> Any:
    """Return the name as the work has it, else that of the person to whom OpenAlex assigns the work."""
    return person.get("raw_author_name") or _get_mapping(person, "author").get("display_name")


def _get_mapping(of: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    found = of.get(name)
    return found if isinstance(found, Mapping) else {}
