"""The agencies' services, from the settings. Each has its own limit over all processes, beside the DOI proxy's."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from zlib import crc32

from django.conf import settings

from resolver.domain.agencies.metadata_services import AGENCIES_BY_HOST
from resolver.domain.handle.answers import Failure
from resolver.domain.work.found_works import OWN_SERVICE
from resolver.proxy.limits import Budget
from resolver.proxy.limits.proxy_health import BackoffPolicy
from resolver.proxy.metadata_requests import LONGEST_PAUSE_SECONDS
from resolver.proxy.proxy_config import ProxyConfig
from resolver.proxy.work_lists import WORK_SERVICES, WorkAnswers, WorkService
from resolver.services.proxy_answers.configured_proxy import PATIENCE_SECONDS, build_config, keep_client, open_budget


@dataclass(frozen=True, slots=True)
class ServiceRate:
    """How many requests a second a service allows those who name a contact, and others. A lower rate that it says holds
    for an hour; a higher one doesn't."""

    named: float
    public: float
    in_flight: int = 2


LISTS = "lists"
RATES: Mapping[tuple[str, str], ServiceRate] = MappingProxyType(
    {
        # Crossref's support page (December 2025).
        ("Crossref", LISTS): ServiceRate(3.0, 1.0),
        ("Crossref", ""): ServiceRate(10.0, 5.0),
        # DataCite's: 1,000 requests in five minutes, whatever they ask for; 500 without a contact.
        ("DataCite", ""): ServiceRate(3.0, 1.5),
        # OpenAlex allows 100 with a key, and counts what they cost.
        ("OpenAlex", ""): ServiceRate(10.0, 10.0),
        # A server in the operator's house: fast enough for a list, and slow enough for a small machine. If it is too
        # much, the server says so by 429 or 503.
        (OWN_SERVICE, ""): ServiceRate(20.0, 20.0, in_flight=4),
    }
)
"""By the agency, as Which RA names it, or another service; and for its lists, if they have a limit of their own. A
search counts as a list."""
OTHERS = ServiceRate(1.0, 1.0)  # of agencies that say nothing
FAILURE_PAUSE_SECONDS = 60.0


@dataclass(frozen=True)
class MetadataService:
    """One agency's service: its address, and its limit."""

    service: WorkService
    config: ProxyConfig
    lists: Budget
    single: Budget

    def find_works(self, names: Sequence[str]) -> WorkAnswers | Failure:
        """Return the works of one list of names. Raises ServicePaused, at once while the service is out of order."""
        budget = self.lists if len(names) > 1 else self.single
        return keep_client(self.config, budget, PATIENCE_SECONDS).find_works(names, self.service)


def services_from_settings() -> Mapping[str, MetadataService]:
    """Return the services by their agencies. Without a contact address the slower public limits hold."""
    return {agency: _build_service(agency, service) for agency, service in WORK_SERVICES.items()}


def _build_service(agency: str, service: WorkService) -> MetadataService:
    lists, in_place = get_rate(agency), settings.METADATA_SERVICE_URL
    config = build_config(in_place or service.root, lists.in_flight, lists.named)
    return MetadataService(
        service, config, open_service_budget(agency, LISTS, in_place), open_service_budget(agency, "", in_place)
    )


def find_budget(host: str) -> Budget:
    """Return the limit of requests for single names to an agency's service, by its host. Raises KeyError for a host
    that isn't in the table of services."""
    return open_service_budget(AGENCIES_BY_HOST[host], "", settings.METADATA_SERVICE_URL)


def get_rate(service: str, kind: str = LISTS) -> ServiceRate:
    """Return the limit of the service for requests of this kind: LISTS, or "" for single names."""
    return RATES.get((service, kind)) or RATES.get((service, ""), OTHERS)


def open_service_budget(service: str, kind: str, in_place: str) -> Budget:
    """Return the budget of the service for requests of this kind. `in_place`: the address of a server that answers in
    its place, or "". That server has a budget of its own: its limits and failures aren't those of the service."""
    limit = get_rate(service, kind)
    parts = ["budget", service.lower(), kind if (service, kind) in RATES else ""]
    if in_place:
        parts.append(f"{crc32(in_place.encode()):08x}")
    policy = BackoffPolicy(
        longest_pause=LONGEST_PAUSE_SECONDS,
        first_pause=10.0,
        failure_pause=FAILURE_PAUSE_SECONDS,
        heeds_rate=True,
        server=f"The service {service}",
    )
    rate = limit.named if settings.CONTACT_EMAIL else limit.public
    return open_budget("-".join(filter(None, parts)), limit.in_flight, rate, policy)
