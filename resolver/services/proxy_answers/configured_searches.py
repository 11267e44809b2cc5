"""The services that are searched for works, from the settings. A search of Crossref counts as a list there, one of
DataCite as any request: they share the limits of the requests for metadata."""

from dataclasses import dataclass, replace

from django.conf import settings

from resolver.domain.handle.answers import Failure
from resolver.domain.redirect.web_host import find_host
from resolver.domain.work.found_works import OWN_SERVICE
from resolver.domain.work.search_query import SearchQuery
from resolver.proxy.client import Begin
from resolver.proxy.limits import Budget
from resolver.proxy.proxy_config import ProxyConfig
from resolver.proxy.work_searches import SEARCH_SERVICES, Hits, SearchService, choose_own_service
from resolver.services.proxy_answers.configured_proxy import PATIENCE_SECONDS, build_config, keep_client
from resolver.services.proxy_answers.configured_services import LISTS, get_rate, open_service_budget

SECONDS, OWN_SECONDS = 1.0, 0.2  # of an answer


@dataclass(frozen=True)
class ConfiguredSearch:
    """One service with its address and its limit. `name`: what a found work shows."""

    name: str
    service: SearchService
    config: ProxyConfig
    budget: Budget
    key: str = ""

    @property
    def host(self) -> str:
        return find_host(self.config.root)

    def count_a_second(self) -> float:
        """Return how many searches a second come to an end, if the service has its usual speed."""
        limits = self.budget.limits
        return min(limits.rate, limits.concurrency / (OWN_SECONDS if self.name == OWN_SERVICE else SECONDS))

    def search(self, query: SearchQuery, *, begin: Begin, once: bool = False) -> Hits | Failure:
        """Return the hits, in any thread. `begin` is called before each attempt, and its errors are raised; `once`: in
        one attempt, for a person who waits. Raises ServicePaused, at once while the service is out of order."""
        config = replace(self.config, attempts=1, least_attempts=1) if once else self.config
        return keep_client(config, self.budget, PATIENCE_SECONDS).search(query, self.service, self.key, begin=begin)


def searches_from_settings() -> list[ConfiguredSearch]:
    """Return the services in the order in which they are searched; none if SEARCH forbids it. The operator's own is
    searched in place of all others, so that titles don't leave the house."""
    if not settings.SEARCH:
        return []
    if settings.SEARCH_URL:
        return [_build(OWN_SERVICE, choose_own_service(settings.SEARCH_URL), settings.SEARCH_URL)]
    return [
        _build(name, service, settings.METADATA_SERVICE_URL)
        for name, service in SEARCH_SERVICES.items()
        if settings.OPENALEX_KEY or not service.key_name
    ]


def _build(name: str, service: SearchService, in_place: str) -> ConfiguredSearch:
    rate = get_rate(name)
    config = build_config(in_place or service.root, rate.in_flight, rate.named)
    key = settings.OPENALEX_KEY if service.key_name else ""
    return ConfiguredSearch(name, service, config, open_service_budget(name, LISTS, in_place), key)
