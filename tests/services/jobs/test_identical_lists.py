"""The same list uploaded twice: the later one waits, and is answered by what the earlier one has learned."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest

from resolver.models import Job
from resolver.services.jobs import incidents, lifecycle
from resolver.services.proxy_answers.configured_proxy import DoiProxy
from resolver.services.turns import scheduler
from resolver.standin.server import SampleProxyServer
from tests.services.conftest import NOW, Queue, make_job, run, serve

pytestmark = pytest.mark.django_db(transaction=True)
LIST = "doi,more\n" + "".join(f"10.5555/twin-{n},10.5555/more-{n}\n" for n in range(300))


@pytest.fixture(autouse=True)
def _no_file_open() -> Iterator[None]:
    yield
    scheduler._open_files.clear()


def served(proxy: DoiProxy) -> list[Job]:
    return list(scheduler._find_open_jobs(NOW, proxy).order_by("filename"))


def twice(proxy: DoiProxy, first: str = LIST, second: str = LIST, **options: Any) -> list[Job]:
    """The older one first."""
    made = [make_job(first, proxy), make_job(second, proxy, **options)]
    return sorted(made, key=lambda job: (job.created_at, job.pk))


def test_the_later_one_waits_until_the_earlier_one_has_ended(proxy: DoiProxy) -> None:
    earlier, later = twice(proxy)
    assert served(proxy) == [earlier]
    lifecycle.cancel_job(earlier, now=NOW)
    assert served(proxy) == [later]


def test_it_waits_for_a_list_of_somebody_else_too_and_of_three_the_oldest_goes_first(proxy: DoiProxy) -> None:
    made = [make_job(LIST, proxy, owner=f"user:{number}") for number in range(3)]
    oldest, second, last = sorted(made, key=lambda job: (job.created_at, job.pk))
    assert served(proxy) == [oldest]
    assert [incidents.find_incidents(job, now=NOW).waits for job in (oldest, second, last)] == [False, True, True]
    lifecycle.delete_job(oldest)
    assert served(proxy) == [second]
    Job.objects.filter(pk=second.pk).update(state="failed")
    assert served(proxy) == [last]


def test_the_owner_of_the_later_one_is_served_as_soon_as_the_earlier_one_has_ended(proxy: DoiProxy) -> None:
    made = [make_job(LIST, proxy, owner=owner) for owner in ("user:1", "user:2")]
    earlier, later = sorted(made, key=lambda job: (job.created_at, job.pk))
    assert run(earlier, proxy).state == "finished"
    assert [message.owner for message in serve(earlier.owner, proxy)] == [later.owner]


def test_nobody_waits_for_a_list_at_which_nobody_works(proxy: DoiProxy) -> None:
    earlier, later = twice(proxy)
    Job.objects.filter(pk=earlier.pk).update(heartbeat_at=NOW - lifecycle.WORKED_ON - timedelta(seconds=1))
    assert set(served(proxy)) == {earlier, later}
    assert not incidents.find_incidents(later, now=NOW).waits


def test_nobody_waits_for_a_list_of_the_time_before_digests(proxy: DoiProxy) -> None:
    made = twice(proxy)
    Job.objects.update(digest="")
    assert set(served(proxy)) == set(made)


def test_both_are_finished_and_every_name_was_asked_once(proxy: DoiProxy, standin: SampleProxyServer) -> None:
    made = twice(proxy, owner="user:2")
    standin.reset()
    Queue(proxy, lambda: NOW).work_off()
    for job in made:
        job.refresh_from_db()
        assert (job.state, job.counts["outcome"]) == ("finished", {"resolved": 300})
    records = [target for target in standin.requests if "/api/handles/" in target]
    assert len(records) == len(set(records)) == 300


@pytest.mark.parametrize("other", [{"quick": True}, {"column": "more"}, {"second": LIST + "10.5555/more\n"}])
def test_what_is_not_the_same_does_not_wait(proxy: DoiProxy, other: dict[str, Any]) -> None:
    made = twice(proxy, **other)
    assert set(served(proxy)) == set(made)
