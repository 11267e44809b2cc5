"""The hosts of a list with their verdicts: counted, filtered, and as a file."""

from collections.abc import Iterator, Mapping

from django.db.models import Count, QuerySet

from resolver.domain.display.times_and_durations import format_iso_utc
from resolver.domain.redirect.web_host import FAULTS
from resolver.models import CheckedHost, HostCheck, Job
from resolver.services.storage.keyset import iterate_batches

ORDER = ("place",)
COLUMNS = ("host", "scheme", "port", "rows", "verdict", "detail", "checked_at")


def find_host_check(job: Job) -> HostCheck | None:
    """Return the check of the list's hosts, under way or done; None if none was started."""
    return HostCheck.objects.filter(job=job).first()


def find_hosts(check: HostCheck, *, faulty: bool = False) -> QuerySet[CheckedHost]:
    """Return the hosts that have been collected, those with the most rows first; `faulty`: those with a fault."""
    found = check.found.filter(place__gt=0).order_by(*ORDER)
    return found.filter(verdict__in=FAULTS) if faulty else found


def count_verdicts(check: HostCheck) -> Mapping[str, int]:
    """Return the number of hosts by verdict; "" for those without one."""
    return dict(find_hosts(check).order_by().values_list("verdict").annotate(hosts=Count("pk")))


def iterate_host_lines(check: HostCheck, *, faulty: bool = False) -> Iterator[tuple[str, ...]]:
    """Yield the cells of each host under COLUMNS, page by page."""
    for batch in iterate_batches(find_hosts(check, faulty=faulty), ORDER):
        yield from map(_build_cells, batch)


def _build_cells(host: CheckedHost) -> tuple[str, ...]:
    scheme, moment = "https" if host.tls else "http", format_iso_utc(host.checked_at) or ""
    return (host.name, scheme, str(host.port), str(host.rows), host.verdict, str(host.detail), moment)
