"""The agencies' services for lists of works, built from the settings. Each has its own limit over all processes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.conf import settings

from resolver.domain.handle.answers import Failure
from resolver.proxy.limits import Budget
from resolver.proxy.proxy_config import ProxyConfig
from resolver.proxy.work_lists import WORK_SERVICES, WorkAnswers, WorkService
from resolver.services.proxy_answers.configured_proxy import PATIENCE_SECONDS, build_config, keep_client, open_budget

IN_FLIGHT = 2  # requests to one service


@dataclass(frozen=True)
class MetadataService:
    """One agency's service: its address, and its limit."""

    service: WorkService
    config: ProxyConfig
    budget: Budget

    def find_works(self, names: Sequence[str]) -> WorkAnswers | Failure:
        """Return the works of one list of names. Raises Paused."""
        return keep_client(self.config, self.budget, PATIENCE_SECONDS).find_works(names, self.service)


def services_from_settings() -> Mapping[str, MetadataService]:
    """Return the services by their agencies. Without a contact address the slower public limits hold."""
    found = {}
    for agency, service in WORK_SERVICES.items():
        rate = service.a_second if settings.CONTACT_EMAIL else min(service.a_second, 1.0)
        config = build_config(settings.METADATA_SERVICE_URL or service.root, IN_FLIGHT, rate)
        found[agency] = MetadataService(service, config, open_budget(f"budget-{agency.lower()}", IN_FLIGHT, rate))
    return found
