"""The Registration Agencies by the names that Which RA gives them (R5, R6), with full name and where to report a DOI.

The agencies are those of the DOI Foundation's list (`LIST`), with the spellings of recorded answers. No answer with BSI
Identify or HAND has been seen, so their names come from their service handles (`10.SERV/BSI`, `10.SERV/HAND`). The home
pages are those in the Foundation's list or in the agencies' own documents; BSI Identify has none there. If an agency
has a page for questions, this is `address`: Crossref's request form, DataCite's support site. Otherwise it is the home
page over HTTPS, or the Foundation's list. All were taken from public documents on 22 November 2026, without requests to
the sites. The prefixes come from records and answers of Which RA, and from the service handles of prefixes. A name that
is not in the table gets no address: the list grows.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from doi_reading import Message

FOUNDATION = "https://www.doi.org/"
LIST = "https://www.doi.org/the-community/existing-registration-agencies/"


@dataclass(frozen=True, slots=True)
class Contact:
    """An agency. `name`: as Which RA gives it. `full`: its own name. `address`: an https URL where to report a DOI, or
    "". `examples`: some of its prefixes. `seen`: answers with this name have been seen."""

    name: str
    full: str
    address: str = ""
    home: str = ""
    examples: tuple[str, ...] = ()
    seen: bool = True

    @property
    def both(self) -> str:
        """The names for a sentence. "Public", the DOI Foundation's own code, is left out: readers don't know it."""
        return self.full if self.name in (self.full, "Public") else f"{self.name} ({self.full})"

    @property
    def title(self) -> str:
        """Its own name without an article, to stand alone."""
        return self.full.removeprefix("the ")


def _build_contact(name: str, full: str, home: str, prefixes: str, *, report: str = "", seen: bool = True) -> Contact:
    return Contact(name, full, report or home, home, tuple(prefixes.split()), seen)


_CONTACTS = (
    _build_contact("Airiti", "Airiti", "http://www.airiti.com/en/page_doi.html", "10.6338 10.6620", report=LIST),
    _build_contact("BSI", "BSI Identify", LIST, "10.21", seen=False),
    _build_contact("CNKI", "China National Knowledge Infrastructure", "https://www.cnki.net/", "10.13209 10.16087"),
    _build_contact(
        "Crossref",
        "Crossref",
        "https://www.crossref.org/",
        "10.1038 10.1109 10.1371",
        report="https://support.crossref.org/hc/en-us/requests/new",
    ),
    _build_contact(
        "DataCite", "DataCite", "https://datacite.org/", "10.3207 10.5061", report="https://support.datacite.org/"
    ),
    _build_contact("EIDR", "Entertainment ID Registry", "https://www.eidr.org/", "10.5240"),
    _build_contact("HAND", "HAND", "https://www.handidentity.com/", "10.23", report=LIST, seen=False),
    _build_contact(
        "ISTIC",
        "Institute of Scientific and Technical Information of China",
        "http://dx.chinadoi.cn/",
        "10.3760 10.3969 10.7666",
        report=LIST,
    ),
    _build_contact("JaLC", "Japan Link Center", "https://japanlinkcenter.org/top/", "10.24507 10.51094"),
    _build_contact(
        "KISTI", "Korea Institute of Science and Technology Information", "https://www.doi.or.kr/", "10.5012"
    ),
    _build_contact(
        "mEDRA", "Multilingual European DOI Registration Agency", "https://www.medra.org/", "10.1430 10.4416 10.26321"
    ),
    _build_contact("OP", "Publications Office of the European Union", "https://op.europa.eu/", "10.2791 10.2903"),
    _build_contact("Public", Message("the DOI Foundation"), FOUNDATION, "10.1000"),
)
CONTACTS: Mapping[str, Contact] = MappingProxyType({contact.name.lower(): contact for contact in _CONTACTS})
"""Contacts by name in lower case, in the order of names."""


def find_contact(name: str) -> Contact:
    """Return the agency that Which RA calls `name`, in upper or lower case. An unknown one has only this name."""
    return CONTACTS.get(name.lower(), Contact(name, name))
