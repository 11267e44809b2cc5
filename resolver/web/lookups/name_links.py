"""The forms and links of a DOI name: as link, doi: URI and URN, to its record page, and to look it up."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any
from urllib.parse import urlencode

from django.urls import get_script_prefix, reverse
from django.utils.translation import gettext as _

from doi_reading import encode, read
from resolver.models import Lookup

LONGEST_QUERY = 3000
"""Servers take 4,094 bytes of the line of a request, and proxies in front of them not always more."""


def build_name_context(doi: str) -> dict[str, Any]:
    """The forms of a name (label, text, and address of a link), and its record page. Empty without a name."""
    if not doi:
        return {}
    link = encode(doi)
    forms = [
        (_("DOI name"), doi, ""),
        (_("Link"), link, link),
        (_("doi: URI"), encode(doi, "uri"), ""),
        (_("URN"), encode(doi, "urn"), ""),
    ]
    return {"forms": forms, "record_page": get_record_page_url(doi)}


def get_metadata_page_url(name: str) -> str:
    """The address of the page that says what exactly this name stands for."""
    return f"{_find_address('metadata', get_script_prefix())}?{urlencode({'name': to_lookup_text(name)})}"


def build_comparison_query(lookup: Lookup) -> str:
    """What the address of `get_metadata_page_url` has more, if the work is compared with what this lookup describes."""
    return f"&lookup={lookup.pk}"


def get_record_page_url(name: str) -> str:
    """The address of the record page of exactly this name."""
    return f"{_find_address('records', get_script_prefix())}?{urlencode({'name': to_lookup_text(name)})}"


def get_edit_url(text: str) -> str:
    """The address of the front page with this text in its box; "" if that would be too long for an address."""
    query = urlencode({"text": text}, errors="replace")
    return f"{_find_address('home', get_script_prefix())}?{query}" if len(query) <= LONGEST_QUERY else ""


@lru_cache(8)
def _find_address(page: str, _path: str) -> str:
    return reverse(page)


def add_links(named: Mapping[str, Any]) -> dict[str, Any]:
    """A candidate or another DOI, with its link, the text that looks it up, and the page of what it stands for."""
    doi = named["doi"]
    return {**named, "url": encode(doi), "asks": to_lookup_text(doi), "metadata_page": get_metadata_page_url(doi)}


def to_lookup_text(name: str) -> str:
    """A text that is read as exactly this name: the name, or its link if the name is read otherwise (E11)."""
    link = encode(name)
    # A link may contain `&`, but `&lt;` in it would be decoded as HTML.
    texts = (name, link, link.replace("&", "%26"))
    return next((text for text in texts if str(read(text).doi) == name), link)
