"""The Registration Agencies by the names that Which RA gives them (R5, R6): what each is called, and where to report a
DOI.

The agencies are those of the DOI Foundation's list (`LIST`), the spellings those of recorded answers; of BSI Identify
and HAND no answer has been seen, so their names are taken from their service handles (`10.SERV/BSI`, `10.SERV/HAND`).
The home pages are those that the Foundation's list links to, or the agencies' own documents name; BSI Identify has none
there. Where an agency has a page for questions it is `address`: Crossref's request form, DataCite's support site. Else
it is the home page over HTTPS, or the Foundation's list. All were taken on 22 November 2026 from public documents, not
by asking the sites. The prefixes are of records and of answers of Which RA that were seen, and of the service handles
of prefixes. A name that is not in the table gets no address: the list grows.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from resolver.domain.message import Message

FOUNDATION = "https://www.doi.org/"
LIST = "https://www.doi.org/the-community/existing-registration-agencies/"


@dataclass(frozen=True, slots=True)
class Contact:
    """An agency: `name` as Which RA gives it, `full` its own, `address` an https URL where to report a DOI, or "" where
    none is known. `examples`: some of the prefixes that it answers for. `seen`: the name has been seen in answers."""

    name: str
    full: str
    address: str = ""
    home: str = ""
    examples: tuple[str, ...] = ()
    seen: bool = True

    @property
    def both(self) -> str:
        """The names in a sentence; of the DOI Foundation's own "Public" nobody has heard."""
        return self.full if self.name in (self.full, "Public") else f"{self.name} ({self.full})"

    @property
    def title(self) -> str:
        """Its own name, where it stands alone."""
        return self.full.removeprefix("the ")


def _agency(name: str, full: str, home: str, prefixes: str, *, report: str = "", seen: bool = True) -> Contact:
    return Contact(name, full, report or home, home, tuple(prefixes.split()), seen)


_CONTACTS = (
    _agency("Airiti", "Airiti", "http://www.airiti.com/en/page_doi.html", "10.6338 10.6620", report=LIST),
    _agency("BSI", "BSI Identify", LIST, "10.21", seen=False),
    _agency("CNKI", "China National Knowledge Infrastructure", "https://www.cnki.net/", "10.13209 10.16087"),
    _agency(
        "Crossref",
        "Crossref",
        "https://www.crossref.org/",
        "10.1038 10.1109 10.1371",
        report="https://support.crossref.org/hc/en-us/requests/new",
    ),
    _agency("DataCite", "DataCite", "https://datacite.org/", "10.3207 10.5061", report="https://support.datacite.org/"),
    _agency("EIDR", "Entertainment ID Registry", "https://www.eidr.org/", "10.5240"),
    _agency("HAND", "HAND", "https://www.handidentity.com/", "10.23", report=LIST, seen=False),
    _agency(
        "ISTIC",
        "Institute of Scientific and Technical Information of China",
        "http://dx.chinadoi.cn/",
        "10.3760 10.3969 10.7666",
        report=LIST,
    ),
    _agency("JaLC", "Japan Link Center", "https://japanlinkcenter.org/top/", "10.24507 10.51094"),
    _agency("KISTI", "Korea Institute of Science and Technology Information", "https://www.doi.or.kr/", "10.5012"),
    _agency(
        "mEDRA", "Multilingual European DOI Registration Agency", "https://www.medra.org/", "10.1430 10.4416 10.26321"
    ),
    _agency("OP", "Publications Office of the European Union", "https://op.europa.eu/", "10.2791 10.2903"),
    _agency("Public", Message("the DOI Foundation"), FOUNDATION, "10.1000"),
)
CONTACTS: Mapping[str, Contact] = MappingProxyType({contact.name.lower(): contact for contact in _CONTACTS})
"""By their names in small letters, in that order."""


def contact(name: str) -> Contact:
    """Who is meant by a name that Which RA gave, in any case; one that nobody knows is named as it is."""
    return CONTACTS.get(name.lower(), Contact(name, name))
