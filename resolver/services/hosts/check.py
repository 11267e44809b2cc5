"""Check the hosts of a list, each with one connection, by a worker in turns of some seconds. A verdict is stored as
soon as it is there, so a killed worker repeats only the hosts that it was contacting."""

import math
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Q, QuerySet

from resolver.domain.redirect.web_host import HostCode, HostVerdict
from resolver.domain.report.outcome import Outcome
from resolver.models import CheckedHost, HostCheck, Job, raw_sql
from resolver.proxy.host_reachability import check_host
from resolver.services.hosts.collect import collect_piece, forget_counts
from resolver.services.jobs.lifecycle import ensure_ended
from resolver.services.storage.clock import read_clock
from resolver.services.storage.leases import MOST_UNDER_WAY, TURN_SECONDS, Clock, Lease, LeaseColumns

FRESH = timedelta(hours=1)  # for which a verdict is used, in any list
CONNECTIONS = 16  # of one worker

_LEASES = LeaseColumns("claim", "claimed_until")
_VERDICT = ("verdict", "detail", "checked_at")


class HostChecksOff(Exception):
    """The operator of the portal forbids checks of hosts."""


class NoHosts(Exception):
    """No row of the list has a web address, as in a quick check."""


def may_have_hosts(job: Job) -> bool:
    """Return whether any row of the list has a web address. A quick check doesn't read records."""
    return not job.quick and bool(job.counts["outcome"].get(str(Outcome.RESOLVED)))


def start_host_check(job: Job, *, now: datetime) -> HostCheck:
    """Start the check of the list's hosts, or return the one under way; `continue_host_check` does the work. Raises
    HostChecksOff, JobStillRunning, NoHosts, and Job.DoesNotExist if the list was deleted."""
    if not settings.HOST_CHECKS:
        raise HostChecksOff
    with transaction.atomic():
        job = Job.objects.select_for_update().get(pk=job.pk)
        ensure_ended(job)
        if not may_have_hosts(job):
            raise NoHosts
        ended = job.finished_at or job.created_at
        check, is_new = HostCheck.objects.get_or_create(job=job, defaults={"job_ended": ended, "started_at": now})
        check = HostCheck.objects.select_for_update().get(pk=check.pk)
        if not is_new and check.done:
            if check.job_ended != ended:
                forget_counts(check, ended)
            check.found.filter(verdict=HostCode.UNCHECKED).update(checked_at=None)
            check.started_at, check.finished_at, check.done = now, None, False
            check.save()  # all columns: no worker writes a check that is done
    return check


def continue_host_check(
    check_id: int, *, until: float = math.inf, clock: Clock = read_clock, allow_private: bool = False
) -> bool:
    """Collect or contact hosts until that time (monotonic seconds), but at least one piece. Return whether there is
    more for this worker to do: not if another one holds the check, or other checks come first. `allow_private`: for
    tests, whose servers are on this machine."""
    if not settings.HOST_CHECKS or check_id not in _list_under_way():
        return False
    undone = HostCheck.objects.filter(pk=check_id, done=False)
    return _LEASES.work_on(
        undone, lambda lease: _take_step(lease, clock, until, allow_private), until=until, clock=clock
    )


def check_hosts_for_turn(check_id: int) -> bool:
    """Continue for one turn, after which no further host is contacted."""
    return continue_host_check(check_id, until=time.monotonic() + TURN_SECONDS)


def reserve_abandoned(now: datetime) -> list[int]:
    """Return the checks under way that no worker holds, each once within a minute, for messages to be sent."""
    if not settings.HOST_CHECKS:
        return []
    return _LEASES.reserve(HostCheck.objects.filter(done=False, pk__in=_list_under_way()), now)


def _list_under_way() -> list[int]:
    undone = HostCheck.objects.filter(done=False).order_by("started_at", "pk")
    return list(undone.values_list("pk", flat=True)[:MOST_UNDER_WAY])


def filter_pending(check: HostCheck) -> QuerySet[CheckedHost]:
    """Return the hosts that this check still has to contact, those with the most rows first."""
    return check.found.filter(Q(checked_at=None) | Q(checked_at__lt=check.started_at - FRESH)).order_by("place")


def _take_step(lease: Lease[HostCheck], clock: Clock, until: float, allow_private: bool) -> bool:
    """Do one more piece. Return False if the lease is lost."""
    check = lease.row
    if not check.collected:
        return collect_piece(lease, clock)
    hosts = list(filter_pending(check)[:64])
    if not hosts:
        now = clock()
        check.done = lease.renew(now, done=True, finished_at=now)
        return check.done
    known = _find_fresh(hosts, clock())
    if not _store(lease, clock, known):
        return False
    others = [host for host in hosts if host not in known]
    return all(_store(lease, clock, some) for some in _contact(others, clock, until, allow_private))


def _find_fresh(hosts: list[CheckedHost], now: datetime) -> list[CheckedHost]:
    """Return the hosts that were contacted lately for any list, with the verdict of that time."""
    fresh = CheckedHost.objects.filter(name__in=[host.name for host in hosts], checked_at__gte=now - FRESH)
    fresh = fresh.exclude(verdict=HostCode.UNCHECKED).order_by("checked_at")
    latest = {(one.name, one.port, one.tls): one for one in fresh}
    found = []
    for host in hosts:
        if one := latest.get((host.name, host.port, host.tls)):
            host.verdict, host.detail, host.checked_at = one.verdict, one.detail, one.checked_at
            found.append(host)
    return found


def _contact(
    hosts: Iterable[CheckedHost], clock: Clock, until: float, allow_private: bool
) -> Iterator[list[CheckedHost]]:
    """Yield the hosts with their verdicts as they arrive. At least one is contacted, none after that time."""
    waiting, under_way = iter(hosts), dict[Future[HostVerdict], CheckedHost]()
    with ThreadPoolExecutor(CONNECTIONS, thread_name_prefix="host") as threads:
        late = False
        while True:
            while not late and len(under_way) < CONNECTIONS and (host := next(waiting, None)):
                check = threads.submit(
                    check_host, host.name, host.port, host.tls, allow_private=allow_private, timeout=5.0
                )
                under_way[check] = host
                late = time.monotonic() >= until
            if not under_way:
                return
            done, _ = wait(under_way, return_when=FIRST_COMPLETED)
            now, judged = clock(), []
            for check in done:
                host, verdict = under_way.pop(check), check.result()
                host.verdict, host.detail, host.checked_at = verdict.code, verdict.detail, now
                judged.append(host)
            yield judged


def _store(lease: Lease[HostCheck], clock: Clock, hosts: list[CheckedHost]) -> bool:
    with transaction.atomic():
        if not lease.renew(clock()):
            return False
        raw_sql.update_rows(hosts, _VERDICT)
    return True
