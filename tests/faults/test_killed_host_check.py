"""kill -9 in the middle of a check of hosts: another worker goes on, and every host gets its verdict once."""

from pathlib import Path

import pytest
from django.utils import timezone

from resolver.models import HostCheck, Row
from resolver.services.hosts.check import start_host_check
from resolver.services.jobs import import_rows
from resolver.services.proxy_answers.configured_proxy import proxy_from_settings
from resolver.services.turns.check import check_chunk
from tests.faults.conftest import upload, wait_until, worker
from tests.portal_processes import kill_group

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

IMPATIENT = "tests.faults.impatient"
HOSTS = 3000
WITHIN = 90  # seconds


def test_a_check_of_hosts_survives_its_killed_worker(environment: dict[str, str], tmp_path: Path) -> None:
    job = upload("doi\n" + "".join(f"10.5555/nourl-{number}\n" for number in range(HOSTS)), environment)
    for chunk_id in list(import_rows.read_into_rows(job.pk)):
        check_chunk(chunk_id, proxy=proxy_from_settings())
    rows = list(Row.objects.filter(job=job).order_by("line"))
    for row in rows:  # inside the network, so no worker contacts them
        row.urls, row.outcome = [f"https://10.0.{row.line // 250}.{row.line % 250}/"], "resolved"
    Row.objects.bulk_update(rows, ["urls", "outcome"], batch_size=500)
    job.refresh_from_db()
    job.counts = {**job.counts, "outcome": {"resolved": HOSTS}}
    job.save(update_fields=["counts"])
    check = start_host_check(job, now=timezone.now())

    def with_verdict() -> int:
        return check.found.exclude(verdict="").count()

    first, second = tmp_path / "first.log", tmp_path / "second.log"
    with worker(environment, first, app=IMPATIENT) as process:
        wait_until(lambda: with_verdict() > 0, WITHIN, process, first)
        kill_group(process)
    assert 0 < with_verdict() < HOSTS
    judged = dict(check.found.exclude(verdict="").values_list("name", "checked_at"))
    with worker(environment, second, app=IMPATIENT) as process:
        wait_until(lambda: HostCheck.objects.get().done, WITHIN, process, second)
    assert set(check.found.values_list("verdict", "rows")) == {("not-contacted", 1)}
    assert with_verdict() == HOSTS
    assert dict(check.found.filter(name__in=list(judged)).values_list("name", "checked_at")) == judged
