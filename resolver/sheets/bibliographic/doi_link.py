"""Links: which lead to a DOI, and which elsewhere."""

import re
from functools import lru_cache
from urllib.parse import unquote

from doi_reading import Message, read
from resolver.sheets.bibliographic.notes import FOREIGN, RESOLVER

OTHER_PAGE = Message("This link has settings, or opens another page than the DOI. It is not changed.")
NO_DOI = Message("This value is something else than a DOI. Change it by hand.")
_HANDLE = r"(?:hdl:|(?:(?:https?:)?//)?hdl\.handle\.net(?::\d{1,5})?/)(?!10\.[0-9]{4})"
_REPOSITORY = re.compile(rf"\W*{_HANDLE}", re.IGNORECASE)
_RESOLVER = re.compile(rf"\W*(?!{_HANDLE}){RESOLVER}", re.IGNORECASE)
_LINK = re.compile(rf"[\W_]*(?:doi\W{{1,4}})?(?:h?ttps?\b|www\.|//|{RESOLVER})", re.IGNORECASE)
WITHIN = re.compile(r"\b(?:dx[.-]|www[.-])?doi[.-]org\b", re.IGNORECASE)
"""The resolver's host, also as a library's proxy writes it."""

read_value = lru_cache(8)(read)  # a value, and its hyperlink, are asked for by several checks in a row


def is_link(text: str) -> bool:
    """Return whether a text begins as a link, also a damaged one."""
    return bool(_LINK.match(text))


def match_resolver(text: str) -> re.Match[str] | None:
    """Match the address of the DOI resolver at the start of a text, but not with the handle of a repository."""
    return _RESOLVER.match(text)


def explain_other_link(text: str) -> Message | None:
    """Return why a link, or a text around one, leads elsewhere than to a DOI, and None if it doesn't. A library's proxy
    before the resolver is no other place."""
    if _REPOSITORY.match(text):
        return NO_DOI
    reading = read_value(text)
    codes = {each.code for each in reading.problems}
    if reading.form == "api-url":
        return OTHER_PAGE
    if match_resolver(text):
        return None
    if "publisher-url" in codes or (reading.form == "wrapped" and not WITHIN.search(unquote(text))):
        return FOREIGN
    return NO_DOI if is_link(text) and reading.form == "none" else None


def holds_doi(address: str) -> bool:
    """Return whether an address is a link to a DOI, in whatever form, and not to another page."""
    return explain_other_link(address) is None and bool(match_resolver(address) or read_value(address).doi)
