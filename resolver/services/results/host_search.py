"""The rows that lead to a host, in a list that stores no hosts: the database leaves out most others, and `find_host`
decides. Storing the host of every row would slow down each check for a rare question."""

from collections.abc import Sequence

from django.db.models import F, QuerySet

from resolver.domain.redirect.web_host import LONGEST_HOST, find_host
from resolver.models import Job, Row
from resolver.models.json_search import MayHaveHost
from resolver.services.jobs.row_readings import has_expected_addresses


def must_read_hosts(job: Job, host: str) -> bool:
    """Return whether rows of this host, "" for any, are found by their URL values alone. Lists with expected addresses
    have hosts in an index."""
    return bool(host) and not has_expected_addresses(job)


def filter_possible(found: QuerySet[Row], host: str) -> QuerySet[Row]:
    """Return all rows that lead to the host, and a few others, which `leads_to` excludes."""
    return found.filter(MayHaveHost(F("urls"), host)) if len(host) <= LONGEST_HOST else found.none()


def leads_to(host: str, urls: Sequence[str]) -> bool:
    """Return whether the first URL value of a row is on the host, as in files and checks of hosts."""
    return bool(urls) and find_host(urls[0]) == host
