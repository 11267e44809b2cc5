"""The hosts of a list with their verdicts: counted, filtered, and as a file."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from django.db.models import Count, QuerySet

from resolver.domain.redirect.host_verdict import FAULTS
from resolver.models import CheckedHost, HostCheck, Job
from resolver.services.storage.keyset import iterate_batches
from resolver.sheets.output.result_row import ResultRow, format_iso_utc

ORDER = ("place",)
COLUMNS = ("host", "scheme", "port", "rows", "verdict", "detail", "checked_at")
AT_ONCE = 1000


@dataclass(frozen=True, slots=True)
class HostRow(ResultRow):
    """A row of a file with only COLUMNS."""

    told: tuple[str, ...] = ()

    def list_result_cells(self) -> list[str]:
        """The text under each of COLUMNS."""
        return list(self.told)


def find_host_check(job: Job) -> HostCheck | None:
    """Return the check of the list's hosts, under way or done; None if nobody has started one."""
    return HostCheck.objects.filter(job=job).first()


def find_hosts(check: HostCheck, *, faulty: bool = False) -> QuerySet[CheckedHost]:
    """Return the hosts that have been collected, those with the most rows first; `faulty`: those with a fault."""
    found = check.found.filter(place__gt=0).order_by(*ORDER)
    return found.filter(verdict__in=FAULTS) if faulty else found


def count_verdicts(check: HostCheck) -> Mapping[str, int]:
    """Return the number of hosts by verdict; "" for those without one."""
    return dict(find_hosts(check).order_by().values_list("verdict").annotate(hosts=Count("pk")))


def iterate_host_rows(check: HostCheck, *, faulty: bool = False) -> Iterator[HostRow]:
    """Yield the hosts for a file, page by page."""
    for batch in iterate_batches(find_hosts(check, faulty=faulty), ORDER, AT_ONCE):
        yield from (HostRow(cells=(), told=_build_cells(host)) for host in batch)


def _build_cells(host: CheckedHost) -> tuple[str, ...]:
    scheme, moment = "https" if host.tls else "http", format_iso_utc(host.checked_at) or ""
    return (host.name, scheme, str(host.port), str(host.rows), host.verdict, str(host.detail), moment)
