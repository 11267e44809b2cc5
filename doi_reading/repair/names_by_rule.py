"""Names that a text beside the DOI gives by the rule of a registrant: no guesses, and none that is only repaired."""

import re
from typing import NamedTuple

from doi_reading.name.doi import fold
from doi_reading.repair.derived_names import LONGEST_WITHOUT_NAME, find_only_identifier
from doi_reading.repair.suffixes_and_file_names import find_name_of_sure_suffix
from doi_reading.tables.publisher_urls import find_names_in_address, find_numbered_names_in_address
from doi_reading.tables.registrants import REGISTRANTS

_MAY_HAVE_ONE = re.compile(
    r"[a-z]{2}/|%2f|arxiv|jstor|(?<![a-z])p\.?i\.?i(?![a-z])|(?<![a-z])(?:pii)?s[0-9]{4}|[0-9x]\([0-9]{2}\)|b97"
    r"|zenodo|figshare|elife|plos|rxiv|ssrn|nber|pangaea|dryad",
    re.IGNORECASE,
)
"""What each identifier has: most texts of a list have none of it."""
_HAS_DOI = re.compile(r"10\.[0-9]{4,9}(?:/|%2f)", re.IGNORECASE)
_DIGIT = re.compile("[0-9]")
_WHITE = re.compile(r"\s")


class NameByRule(NamedTuple):
    """A name that follows from an identifier by the rule of a registrant. `written`: as in Identifier."""

    doi: str
    registrant: str
    written: str


def find_names_by_rule(text: str) -> tuple[NameByRule, ...]:
    """Return the names that follow from the one identifier in a text that isn't given as a DOI: those of
    `derive_names`, of the other addresses that publishers use, and of suffixes of a certain registrant. Of several
    names, as a Publisher Item Identifier without signs has them, at most one is registered. () for none, for several
    identifiers, for a text with a DOI (unless the address adds to it), and for one longer than LONGEST_WITHOUT_NAME.
    """
    text = text.strip()
    if len(text) > LONGEST_WITHOUT_NAME or not _DIGIT.search(text):
        return ()
    if name := find_name_of_sure_suffix(text):
        return (_attribute(name, text),)
    if not _MAY_HAVE_ONE.search(text):
        return ()
    of_address = []
    if "/" in text:
        of_address = find_names_in_address(text) or find_numbered_names_in_address(text)
    has_doi = _HAS_DOI.search(text) is not None
    if of_address and not _WHITE.search(text):
        whole = fold(text)
        return tuple(_attribute(name, text) for name in of_address if not has_doi or fold(name) in whole)
    found = None if has_doi else find_only_identifier(text, of_address)
    return tuple(_attribute(name, found.written) for name in found.names) if found else ()


def _attribute(name: str, written: str) -> NameByRule:
    return NameByRule(name, REGISTRANTS[name.partition("/")[0]], written)
