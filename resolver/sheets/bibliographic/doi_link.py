"""Links: which lead to a DOI, and what of one a link to the DOI alone would lose."""

import re
from functools import lru_cache
from urllib.parse import unquote

from doi_reading import Message, read
from doi_reading.tables.link_parameters import is_tracking
from resolver.sheets.bibliographic.notes import FOREIGN, RESOLVER
from resolver.sheets.left_out import NotWritable

OTHER_PAGE = Message("This link has settings, or opens another page than the DOI. It is not changed.")
NO_DOI = Message("This value is something else than a DOI. Change it by hand.")
_HANDLE = r"(?:hdl:|(?:(?:https?:)?//)?hdl\.handle\.net(?::\d{1,5})?/)(?!10\.[0-9]{4})"
_REPOSITORY = re.compile(rf"\W*{_HANDLE}", re.IGNORECASE)
_RESOLVER = re.compile(rf"\W*(?!{_HANDLE}){RESOLVER}", re.IGNORECASE)
_LINK = re.compile(rf"[\W_]*(?:doi\W{{1,4}})?(?:h?ttps?\b|www\.|//|{RESOLVER})", re.IGNORECASE)
_WITHIN = re.compile(r"\b(?:dx[.-]|www[.-])?doi[.-]org\b", re.IGNORECASE)
_BEHIND = re.compile(r"[?#].*", re.DOTALL)
_PARAMETERS = re.compile(r"[?#&][^?#&]*")
_NOT_LAST = ".,;:!?)]'>\"”&#"

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
    if "publisher-url" in codes or (reading.form == "wrapped" and not _WITHIN.search(unquote(text))):
        return FOREIGN
    return NO_DOI if is_link(text) and reading.form == "none" else None


def holds_doi(address: str) -> bool:
    """Return whether an address is a link to a DOI, in whatever form, and not to another page."""
    return explain_other_link(address) is None and bool(match_resolver(address) or read_value(address).doi)


def ensure_nothing_lost(text: str, name: str) -> None:
    """Raise NotWritable if this link has a query or a fragment that the name would not have. What only measures visits
    may go."""
    resolvers = list(_WITHIN.finditer(text := unquote(text)))
    behind = _BEHIND.search(text, resolvers[-1].end() if resolvers else 0)
    for part in _PARAMETERS.findall(behind.group().strip().rstrip(_NOT_LAST) if behind else ""):
        key = part[1:].partition("=")[0].casefold()
        is_measure = part[0] != "#" and is_tracking(key)
        if key and not is_measure and part[1:].casefold() not in _list_parameters(name):
            raise NotWritable(Message("“{text}” after the DOI would be lost. Change it by hand.", text=part))


def _list_parameters(name: str) -> set[str]:
    return {part[1:].casefold() for part in _PARAMETERS.findall(name)}
