"""The hosts where agencies answer requests for metadata (content negotiation), and no others: a redirect to any other
host leads to a page for readers, or may lead anywhere.

    api.crossref.org            recorded answers of the DOI proxy, 2023 (`tests/gateway_outside/recordings.json`):
                                `/v1/works/<name>/transform`
    data.crossref.org           Crossref's support page "Content negotiation", and records with this location
    data.crosscite.org          recorded answers of the DOI proxy, 2023 (DataCite)
    data.datacite.org           Crossref's support page "Content negotiation"; DataCite's content resolver
    api.datacite.org            DataCite's REST API, which serves the same formats
    data.medra.org              the documentation of DOI content negotiation (citation.doi.org); JabRef's fetcher
    japanlinkcenter.org         an issue of DataCite about JaLC's content negotiation, 2020: `/data/<name>`
    ra.publications.europa.eu   recorded answers of the DOI proxy: `/data/<name>` (OP)

No host of ISTIC, CNKI, KISTI, Airiti or EIDR has been seen: the proxy redirects requests for their names to web pages.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from urllib.parse import urlsplit

AGENCIES_BY_HOST: Mapping[str, str] = MappingProxyType(
    {
        "api.crossref.org": "Crossref",
        "data.crossref.org": "Crossref",
        "data.crosscite.org": "DataCite",
        "data.datacite.org": "DataCite",
        "api.datacite.org": "DataCite",
        "data.medra.org": "mEDRA",
        "japanlinkcenter.org": "JaLC",
        "ra.publications.europa.eu": "OP",
    }
)
"""The agency, as Which RA names it, by host."""

_PORTS = {"http": (None, 80), "https": (None, 443)}


@dataclass(frozen=True, slots=True)
class MetadataAddress:
    """Where metadata may be requested. `foreign`: not at the DOI proxy itself."""

    url: str
    host: str
    foreign: bool = True


def find_metadata_address(url: str, proxy: str) -> MetadataAddress | None:
    """Return the address to request for a redirect to `url`, or None if the redirect must not be followed.

    Followed are hosts of the table, always over HTTPS and at its usual port, and the DOI proxy at the base address
    `proxy`, which gets requests anyway. The address is built anew from its parts, so that no two programs can read it
    differently.
    """
    try:
        parts, own = urlsplit(url), urlsplit(proxy)
        host, port = (parts.hostname or "").lower(), parts.port
    except ValueError:
        return None
    place = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    if parts.scheme == own.scheme and parts.netloc == own.netloc:
        return MetadataAddress(f"{own.scheme}://{own.netloc}{place}", host, foreign=False)
    if host in AGENCIES_BY_HOST and "@" not in parts.netloc and port in _PORTS.get(parts.scheme, ()):
        return MetadataAddress(f"https://{host}{place}", host)
    return None
