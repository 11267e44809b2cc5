"""A big job does not starve a small one: real worker processes, a real broker, one database."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from resolver.models import Job
from resolver.standin.server import SampleProxyServer
from tests.faults.conftest import upload, wait_until, worker

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

BIG = 30_000
WITHIN = 60  # seconds; alone it takes two to five, and what the test is about is that the big list goes on after it


@pytest.fixture
def standin() -> Iterator[SampleProxyServer]:
    """One that takes its time, so that no processor is busy with what a test does not wait for."""
    with SampleProxyServer(latency=0.1) as server:
        yield server


def names(count: int, label: str) -> str:
    return "doi\n" + "".join(f"10.5555/{label}-{n}\n" for n in range(count))


def finished(job: Job) -> Callable[[], bool]:
    return lambda: Job.objects.get(pk=job.pk).state == "finished"


def test_ten_rows_uploaded_during_a_big_job_are_finished_within_seconds(
    environment: dict[str, str], tmp_path: Path
) -> None:
    log = tmp_path / "log"
    with worker(environment, log) as process:
        big = upload(names(BIG, "big"), environment)
        wait_until(lambda: Job.objects.get(pk=big.pk).done > 0, 60, process, log)
        for owner in ("session:1", "session:2"):  # the big job's own, and another
            small = upload(names(10, f"small-{owner[-1]}"), environment, owner=owner)
            wait_until(finished(small), WITHIN, process, log)
        assert Job.objects.get(pk=big.pk).done < BIG


def test_two_big_files_that_are_being_read_do_not_keep_a_small_one_waiting(
    environment: dict[str, str], tmp_path: Path
) -> None:
    log = tmp_path / "log"
    with worker(environment, log) as process:
        big = [upload(names(BIG, f"big-{n}"), environment, owner=f"session:{n}") for n in (1, 2)]
        wait_until(lambda: all(Job.objects.get(pk=job.pk).done > 0 for job in big), 60, process, log)
        small = upload(names(10, "small"), environment, owner="session:3")
        wait_until(finished(small), WITHIN, process, log)
        states = {Job.objects.get(pk=job.pk).state for job in big}
        assert states <= {"reading", "checking"}


def test_at_the_slow_rate_of_doi_org_too(environment: dict[str, str], tmp_path: Path) -> None:
    log = tmp_path / "log"
    environment |= {"PROXY_CONCURRENCY": "4", "PROXY_RATE": "10"}
    with worker(environment, log) as process:
        big = upload(names(5000, "big"), environment)
        wait_until(lambda: Job.objects.get(pk=big.pk).done > 0, 60, process, log)
        small = upload(names(10, "small"), environment, owner="session:2")
        wait_until(finished(small), WITHIN, process, log)
        assert Job.objects.get(pk=big.pk).done < 500
