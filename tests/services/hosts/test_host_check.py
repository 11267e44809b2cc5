"""The hosts of a list: collected with their rows, each contacted once, also after a kill."""

import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from resolver.domain.redirect.web_host import HostCode
from resolver.models import CheckedHost, HostCheck, Job, Row
from resolver.proxy.host_reachability import REFUSED
from resolver.services.hosts import check as host_check
from resolver.services.hosts import collect
from resolver.services.hosts.check import HostChecksOff, NoHosts, continue_host_check, start_host_check
from resolver.services.jobs import lifecycle
from resolver.services.jobs.lifecycle import JobStillRunning
from resolver.services.maintenance import cleanup
from resolver.services.proxy_answers.configured_proxy import DoiProxy
from resolver.services.storage import batched_removal
from resolver.services.storage.leases import LEASE, Lease
from resolver.standin.server import SampleProxyServer
from tests.meanwhile import another_begins_before
from tests.services.conftest import NOW, make_job, run
from tests.stored_list import remove_deleted_lists

pytestmark = pytest.mark.django_db(transaction=True)
Listed = Callable[..., Job]


class CountingServer:
    """A web server on this machine that counts the connections."""

    def __init__(self) -> None:
        self.server, self.accepted = socket.create_server(("127.0.0.1", 0), backlog=100), 0
        self.port = int(self.server.getsockname()[1])
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self.server.accept()
            except OSError:
                return
            self.accepted += 1
            connection.close()


@contextmanager
def counting() -> Iterator[CountingServer]:
    server = CountingServer()
    try:
        yield server
    finally:
        server.server.shutdown(socket.SHUT_RDWR)
        server.server.close()


@pytest.fixture
def listed(proxy_at: Callable[..., DoiProxy], tmp_path: Path) -> Iterator[Listed]:
    """`listed(addresses, …)`: a checked list with a DOI for each address, in this order; "" has none."""
    with SampleProxyServer() as standin:
        proxy = proxy_at(standin.url)

        def make(addresses: list[str], **options: Any) -> Job:
            standin.know(_records(tmp_path, addresses))
            names = "".join(f"10.77/{number}-{len(addresses)}\n" for number in range(len(addresses)))
            return run(make_job(f"doi\n{names}", proxy, **options), proxy)

        yield make


def _records(folder: Path, addresses: list[str]) -> Path:
    made = [
        {"doi": f"10.77/{number}-{len(addresses)}", "ra": "Crossref", "values": [_url(address)] if address else []}
        for number, address in enumerate(addresses)
    ]
    path = folder / "records.json"
    path.write_text(json.dumps({"prefixes": {"10.77": "Crossref"}, "records": made}))
    return path


def _url(address: str) -> dict[str, Any]:
    data = {"format": "string", "value": address}
    return {"index": 1, "type": "URL", "data": data, "ttl": 86400, "timestamp": "2026-01-01T00:00:00Z"}


def check(job: Job, *, now: datetime = NOW, allow_private: bool = True) -> HostCheck:
    started = start_host_check(job, now=now)
    while continue_host_check(started.pk, until=time.monotonic(), clock=lambda: now, allow_private=allow_private):
        pass
    started.refresh_from_db()
    return started


def verdicts(of: HostCheck) -> list[tuple[str, int, str]]:
    return list(of.found.values_list("name", "rows", "verdict"))


def test_each_host_has_its_rows_and_is_contacted_once(listed: Listed) -> None:
    with counting() as server:
        here = f"http://127.0.0.1:{server.port}"
        job = listed([f"{here}/a", f"{here}/b", f"{here}/c", "http://127.0.0.2:1/a", "", "ftp://old.example/"])
        done = check(job)
        assert verdicts(done) == [("127.0.0.1", 3, "answers"), ("127.0.0.2", 1, "no-answer")]
        assert server.accepted == 1
    assert (done.done, done.rows, done.hosts, done.left_out, done.finished_at) == (True, 4, 2, 0, NOW)
    assert done.found.get(name="127.0.0.2").detail == REFUSED


def test_the_most_frequent_scheme_and_port_of_a_host_is_checked(listed: Listed) -> None:
    job = listed(["https://10.0.0.1/a", "http://10.0.0.1:8080/a", "http://10.0.0.1:8080/b"])
    done = check(job, allow_private=False)
    assert list(done.found.values_list("port", "tls", "rows", "verdict")) == [(8080, False, 3, "not-contacted")]


def test_two_spellings_of_a_name_are_one_host(listed: Listed) -> None:
    job = listed(["https://BÜCHER.example:22/", "https://xn--bcher-kva.example.:22/"])
    assert verdicts(check(job, allow_private=False)) == [("xn--bcher-kva.example", 2, "not-contacted")]


def test_a_name_too_long_for_dns_is_a_host_that_does_not_exist(listed: Listed) -> None:
    done = check(listed(["https://" + "ü." * 60 + "example/"]), allow_private=False)
    assert [(rows, verdict) for _, rows, verdict in verdicts(done)] == [(1, "no-such-host")]


def test_pieces_of_any_size_count_the_same(listed: Listed) -> None:
    job = listed([f"http://10.0.0.{number % 3}/" for number in range(7)])
    lease = _take(start_host_check(job, now=NOW))
    while not lease.row.collected:
        assert collect.collect_piece(lease, lambda: NOW, at_once=2)
    assert list(lease.row.found.values_list("name", "rows")) == [("10.0.0.0", 3), ("10.0.0.1", 2), ("10.0.0.2", 2)]


def test_a_host_with_more_ports_than_are_counted_keeps_all_its_rows(listed: Listed) -> None:
    ports = collect.MOST_ADDRESSES + 10
    job = listed([f"http://10.0.0.1:{8000 + number}/" for number in range(ports)])
    lease = _take(start_host_check(job, now=NOW))
    while not lease.row.collected:
        assert collect.collect_piece(lease, lambda: NOW, at_once=ports - 1)
    assert list(lease.row.found.values_list("rows", flat=True)) == [ports]
    assert lease.row.rows == ports


@pytest.mark.parametrize(("counted", "checked"), [(100, 2), (2, 100)])
def test_hosts_beyond_the_most_are_left_out_and_their_rows_counted(listed: Listed, counted: int, checked: int) -> None:
    job = listed(["http://10.0.0.1/", "http://10.0.0.2/", "http://10.0.0.2/b", "http://10.0.0.3/"])
    lease = _take(start_host_check(job, now=NOW))
    collect.collect_piece(lease, lambda: NOW, most_counted=counted, most_hosts=checked)
    found = HostCheck.objects.get()
    assert list(found.found.values_list("name", "rows")) == [("10.0.0.2", 2), ("10.0.0.1", 1)]
    assert (found.hosts, found.rows, found.left_out) == (2, 4, 1)


def _take(started: HostCheck) -> Lease[HostCheck]:
    lease = host_check._LEASES.take(HostCheck.objects.filter(pk=started.pk), NOW)
    assert lease is not None
    return lease


def test_a_host_that_was_checked_for_another_list_is_not_contacted_within_an_hour(listed: Listed) -> None:
    with counting() as server:
        address = f"http://127.0.0.1:{server.port}/"
        check(listed([address]))
        later = NOW + timedelta(minutes=59)
        again = check(listed([address, address], owner="user:2"), now=later)
        assert server.accepted == 1
        assert verdicts(again) == [("127.0.0.1", 2, "answers")]
        assert again.found.get().checked_at == NOW
        check(listed([address, address, address]), now=NOW + timedelta(minutes=61))
        assert server.accepted == 2


def test_a_second_check_contacts_the_hosts_again_after_an_hour_and_keeps_them_until_then(listed: Listed) -> None:
    with counting() as server:
        job = listed([f"http://127.0.0.1:{server.port}/"])
        check(job)
        check(job, now=NOW + timedelta(minutes=30))
        assert server.accepted == 1
        started = start_host_check(job, now=NOW + timedelta(hours=2))
        assert verdicts(started) == [("127.0.0.1", 1, "answers")]
        check(job, now=NOW + timedelta(hours=2))
        assert server.accepted == 2


def test_what_could_not_be_checked_is_tried_by_the_next_check_and_never_taken_over(listed: Listed) -> None:
    with counting() as server:
        job = listed([f"http://127.0.0.1:{server.port}/"])
        check(job).found.update(verdict=HostCode.UNCHECKED)
        assert [one[2] for one in verdicts(check(job, now=NOW + timedelta(minutes=1)))] == ["answers"]
        assert server.accepted == 2


def test_after_the_list_was_checked_again_its_rows_are_counted_anew(listed: Listed) -> None:
    job = listed(["http://10.0.0.1/", "http://10.0.0.2/"])
    check(job, allow_private=False)
    job.rows.filter(line=1).update(urls=["http://10.0.0.2/"])
    Job.objects.update(finished_at=NOW + timedelta(days=1))
    assert verdicts(check(job, allow_private=False)) == [("10.0.0.2", 2, "not-contacted")]


def test_what_a_killed_worker_left_is_continued_with_the_hosts_that_have_no_verdict(listed: Listed) -> None:
    with counting() as server:
        job = listed([f"http://127.0.0.1:{server.port}/", "http://127.0.0.2:1/"])
        started = start_host_check(job, now=NOW)
        assert continue_host_check(started.pk, until=0, clock=lambda: NOW, allow_private=True)  # collects
        assert continue_host_check(started.pk, until=0, clock=lambda: NOW, allow_private=True)  # contacts one
        _take(started)  # and is killed
        assert not continue_host_check(started.pk, clock=lambda: NOW, allow_private=True)
        assert host_check.reserve_abandoned(NOW) == []
        later = NOW + LEASE + timedelta(seconds=1)
        assert host_check.reserve_abandoned(later) == [started.pk]
        assert host_check.reserve_abandoned(later) == []
        assert not continue_host_check(started.pk, clock=lambda: later, allow_private=True)
        assert [one[2] for one in verdicts(started)] == ["answers", "no-answer"]
        assert server.accepted == 1


def test_a_quick_list_and_one_without_addresses_have_nothing_to_check(listed: Listed) -> None:
    for job in (listed(["http://10.0.0.1/"], quick=True), listed([""])):
        with pytest.raises(NoHosts):
            start_host_check(job, now=NOW)


def test_a_running_list_is_not_checked(proxy: DoiProxy) -> None:
    with pytest.raises(JobStillRunning):
        start_host_check(make_job("10.1000/182\n", proxy), now=NOW)


def test_the_operator_can_forbid_checks_also_those_under_way(listed: Listed, settings: Any) -> None:
    with counting() as server:
        job = listed([f"http://127.0.0.1:{server.port}/"])
        started = start_host_check(job, now=NOW)
        settings.HOST_CHECKS = False
        assert not continue_host_check(started.pk, allow_private=True)
        assert host_check.reserve_abandoned(NOW) == []
        with pytest.raises(HostChecksOff):
            start_host_check(job, now=NOW)
        assert server.accepted == 0


def test_the_hosts_go_with_their_list(listed: Listed, settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.KEEP_DAYS = 10
    one, two = listed(["http://10.0.0.1/", "http://10.0.0.2/"]), listed(["http://10.0.0.3/"])
    for job in (one, two):
        check(job, allow_private=False)
    lifecycle.delete_job(two)
    assert set(CheckedHost.objects.values_list("name", flat=True)) == {"10.0.0.1", "10.0.0.2"}
    Job.objects.update(finished_at=NOW)
    monkeypatch.setattr(batched_removal, "ITEMS_PER_TRANSACTION", 1)
    cleanup.prune_lists(NOW + timedelta(days=11))
    remove_deleted_lists()
    assert not CheckedHost.objects.exists()
    assert not HostCheck.objects.exists()


def test_a_list_that_is_deleted_while_a_worker_counts_its_hosts_leaves_nothing(listed: Listed) -> None:
    job = listed(["https://127.0.0.1:9/"])
    check = start_host_check(job, now=NOW)
    with another_begins_before('INSERT INTO "resolver_checkedhost"', lambda: lifecycle.delete_job(job)):
        continue_host_check(check.pk, until=0)
    assert not Job.objects.exists()
    assert not CheckedHost.objects.exists()


def test_a_list_that_is_deleted_meanwhile_ends_its_check(listed: Listed) -> None:
    job = listed(["http://10.0.0.1/"])
    started = start_host_check(job, now=NOW)
    lease = _take(started)
    lifecycle.delete_job(job)
    assert not collect.collect_piece(lease, lambda: NOW)
    assert not CheckedHost.objects.exists()


def test_a_host_at_another_port_than_before_has_no_verdict_until_it_is_contacted(listed: Listed) -> None:
    job = listed(["http://10.0.0.1/", "http://10.0.0.2/"])
    check(job, allow_private=False)
    Row.objects.filter(job=job, line=1).update(urls=["https://10.0.0.1/"])
    Job.objects.filter(pk=job.pk).update(finished_at=NOW + timedelta(seconds=1))
    started = start_host_check(job, now=NOW)
    assert continue_host_check(started.pk, until=0, clock=lambda: NOW)  # collects
    found = {one.name: (one.tls, one.verdict, one.checked_at) for one in started.found.all()}
    assert found == {"10.0.0.1": (True, "", None), "10.0.0.2": (False, "not-contacted", NOW)}


def test_two_checks_are_under_way_and_the_third_waits_for_the_end_of_one(listed: Listed) -> None:
    first, second, third = (
        start_host_check(listed([f"http://10.0.0.{number}/"] * number), now=NOW + timedelta(seconds=number))
        for number in (1, 2, 3)
    )
    assert not continue_host_check(third.pk, until=0)
    assert not third.found.exists()
    assert host_check.reserve_abandoned(NOW) == [first.pk, second.pk]
    HostCheck.objects.filter(pk=first.pk).update(done=True)
    assert host_check.reserve_abandoned(NOW) == [third.pk]
    assert continue_host_check(third.pk, until=0)
