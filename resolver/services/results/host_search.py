"""The rows that lead to a host, in a list whose rows are stored without it: the database leaves out most others, and
the one reading of hosts decides. To store the host of every row would slow down each check for a rare question."""

from collections.abc import Sequence

from django.db.models import F, QuerySet

from resolver.domain.redirect.web_host import LONGEST_HOST, find_host
from resolver.models import Job, Row
from resolver.models.json_search import MayHaveHost
from resolver.services.jobs.row_readings import has_expected_addresses


def must_read_hosts(job: Job, host: str) -> bool:
    """Return whether rows of this host, "" for any, are only found by their URL values. Lists with expected addresses
    have the hosts in an index."""
    return bool(host) and not has_expected_addresses(job)


def filter_possible(found: QuerySet[Row], host: str) -> QuerySet[Row]:
    """Return all rows that lead to the host, and few others, which `leads_to` tells apart."""
    return found.filter(MayHaveHost(F("urls"), host)) if len(host) <= LONGEST_HOST else found.none()


def leads_to(host: str, urls: Sequence[str]) -> bool:
    """Return whether the first URL value of a row is on the host, as files and checks of hosts count it."""
    return bool(urls) and find_host(urls[0]) == host
