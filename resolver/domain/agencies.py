"""The Registration Agencies by the names that Which RA gives them (R5): what each is called, and where to tell it of a
fault.

The agencies are those of the DOI Foundation's list (`LIST`), the spellings those of recorded answers. The addresses
were taken on 22 November 2026 from the agencies' and other projects' public documents, not by asking the sites:
Crossref's request form, DataCite's support site, JaLC's start page; of the others the home page, HTTPS only. Where
that was not certain (ISTIC and Airiti show plain HTTP for their DOI sites; BSI and HAND have not been seen in answers)
it is the Foundation's list, which leads to each. A name that is not in the table gets no address: the list grows.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

FOUNDATION = "https://www.doi.org/"
LIST = "https://www.doi.org/the-community/existing-registration-agencies/"


@dataclass(frozen=True, slots=True)
class Contact:
    """An agency: `name` as Which RA gives it, `full` its own, `address` an https URL or "" where none is known."""

    name: str
    full: str
    address: str = ""

    @property
    def both(self) -> str:
        """The names in a sentence; of the DOI Foundation's own "Public" nobody has heard."""
        return self.full if self.name in (self.full, "Public") else f"{self.name} ({self.full})"


_CONTACTS = (
    Contact("Airiti", "Airiti", LIST),
    Contact("BSI", "BSI Identify", LIST),
    Contact("CNKI", "China National Knowledge Infrastructure", "https://www.cnki.net/"),
    Contact("Crossref", "Crossref", "https://support.crossref.org/hc/en-us/requests/new"),
    Contact("DataCite", "DataCite", "https://support.datacite.org/"),
    Contact("EIDR", "Entertainment ID Registry", "https://www.eidr.org/"),
    Contact("HAND", "HAND", LIST),
    Contact("ISTIC", "Institute of Scientific and Technical Information of China", LIST),
    Contact("JaLC", "Japan Link Center", "https://japanlinkcenter.org/top/"),
    Contact("KISTI", "Korea Institute of Science and Technology Information", "https://www.doi.or.kr/"),
    Contact("mEDRA", "Multilingual European DOI Registration Agency", "https://www.medra.org/"),
    Contact("OP", "Publications Office of the European Union", "https://op.europa.eu/"),
    Contact("Public", "the DOI Foundation", FOUNDATION),
)
CONTACTS: Mapping[str, Contact] = MappingProxyType({contact.name.lower(): contact for contact in _CONTACTS})


def contact(name: str) -> Contact:
    """Who is meant by a name that Which RA gave, in any case; one that nobody knows is named as it is."""
    return CONTACTS.get(name.lower(), Contact(name, name))
