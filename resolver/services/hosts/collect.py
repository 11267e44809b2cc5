"""Collect the hosts of a list in one pass over its rows, in pieces that each leave a complete state."""

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime

from django.db import transaction
from django.db.models import Q, Sum

from resolver.domain.redirect.web_host import find_web_host
from resolver.models import CheckedHost, HostCheck, Row, raw_sql
from resolver.services.storage.keyset import Edge, filter_beyond
from resolver.services.storage.leases import Clock, Lease

MOST_ADDRESSES = 20  # schemes and ports of one host that are counted


def collect_piece(
    lease: Lease[HostCheck], clock: Clock, *, at_once: int = 2000, most_counted: int = 100_000, most_hosts: int = 10_000
) -> bool:
    """Count the next `at_once` rows by host. Return False if the lease is lost. `most_counted`: different hosts whose
    rows are counted, to find the `most_hosts` with the most rows, which are checked."""
    check = lease.row
    edge = None if check.collected_up_to is None else Edge((check.collected_up_to,))
    rows = list(
        filter_beyond(Row.objects.filter(job=check.job_id), ("line",), edge).values_list("line", "urls")[:at_once]
    )
    counted = _count_hosts(urls for _, urls in rows)
    with transaction.atomic():
        if not lease.renew(clock()):
            return False
        _add(check, counted, most_counted)
        if len(rows) == at_once:
            check.collected_up_to = rows[-1][0]
        else:
            _leave_out(check, most_hosts)
            _number(check)
            check.collected = True
        check.save(update_fields=["collected_up_to", "collected", "hosts", "rows", "left_out"])
    return True


def forget_counts(check: HostCheck, job_ended: datetime) -> None:
    """Have rows counted anew; a host keeps its verdict while its port and scheme stay. The caller saves the check."""
    check.found.update(rows=0, addresses={}, place=0)
    check.job_ended, check.collected, check.collected_up_to = job_ended, False, None
    check.rows = check.left_out = 0


def _count_hosts(rows: Iterable[Sequence[str]]) -> dict[str, Counter[str]]:
    """Return the number of rows by scheme and port, for each host. A row counts by its first URL value."""
    counted: dict[str, Counter[str]] = {}
    for urls in rows:
        if urls and (host := find_web_host(urls[0])):
            counted.setdefault(host.name, Counter())[f"{'https' if host.tls else 'http'}:{host.port}"] += 1
    return counted


def _add(check: HostCheck, counted: dict[str, Counter[str]], most: int) -> None:
    stored = raw_sql.select_rows(
        CheckedHost, ("name", "rows", "addresses", "port", "tls"), ("host_check", check.pk), ("name", list(counted))
    )
    known = {name: (rows, addresses, (port, bool(tls))) for name, rows, addresses, port, tls in stored}
    changed, moved = [], []
    for name, more in counted.items():
        check.rows += more.total()
        if name not in known:
            if check.hosts >= most:
                check.left_out += more.total()
                continue
            check.hosts += 1
        rows, before, place = known.get(name, (0, {}, None))
        addresses: Counter[str] = Counter(before)
        addresses.update(more)
        scheme, _, port = addresses.most_common(1)[0][0].partition(":")
        if place not in (None, (int(port), scheme == "https")):
            moved.append(name)  # its verdict is about another port
        kept = dict(addresses.most_common(MOST_ADDRESSES))
        changed.append((check.pk, name, int(port), scheme == "https", rows + more.total(), kept))
    columns = ("host_check", "name", "port", "tls", "rows", "addresses")
    raw_sql.insert_rows(CheckedHost, columns, changed, unique=columns[:2], update=columns[2:])
    check.found.filter(name__in=moved).update(verdict="", detail="", checked_at=None)


def _leave_out(check: HostCheck, most: int) -> None:
    """Remove hosts beyond the most that are checked, and those of an earlier count that have no row any more."""
    last = check.found.order_by("-rows", "name").values_list("rows", "name")[most - 1 : most].first()
    beyond = Q(rows=0)
    if last is not None:
        beyond |= Q(rows__lt=last[0]) | Q(rows=last[0], name__gt=last[1])
    check.left_out += check.found.filter(beyond).aggregate(rows=Sum("rows", default=0))["rows"]
    check.found.filter(beyond).delete()
    check.hosts = check.found.count()


def _number(check: HostCheck) -> None:
    hosts = list(check.found.order_by("-rows", "name").only("pk"))
    for place, host in enumerate(hosts, start=1):
        host.place = place
    raw_sql.update_rows(hosts, ["place"])
