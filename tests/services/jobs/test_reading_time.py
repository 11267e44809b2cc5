"""A worker spends a bounded time on reading one file: then its list fails with the reason, and the worker is free."""

import time

import pytest

from resolver.models import Job, Row
from resolver.services.jobs import import_rows, reading_time
from resolver.services.proxy_answers.configured_proxy import DoiProxy
from tests.services.conftest import make_job

pytestmark = pytest.mark.django_db

FIRST = "@article{a, doi={10.1000/1}}\n"
# Definitions are no rows: the reader looks for the next entry and gives nothing back for long.
ENDLESS = FIRST + "@string{a}" * 300_000


@pytest.fixture
def _little_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading_time, "LONGEST", 0.2)


@pytest.mark.usefixtures("_little_time")
def test_a_file_that_takes_too_long_fails_its_list(nowhere: DoiProxy) -> None:
    job = make_job(ENDLESS, nowhere)
    began = time.thread_time()
    list(import_rows.read_into_rows(job.id))
    assert time.thread_time() - began < 1
    job.refresh_from_db()
    assert job.state == "failed"
    assert "longer than 0 seconds to read" in job.error
    assert Row.objects.filter(job=job).count() == 1


@pytest.mark.usefixtures("_little_time")
def test_the_time_between_two_readings_does_not_count(nowhere: DoiProxy) -> None:
    job = make_job("doi\n" + "10.1000/1\n" * 30, nowhere)
    for _ in import_rows.read_into_rows(job.id, rows_in_chunk=10):
        began = time.thread_time()
        while time.thread_time() - began < 0.3:
            pass
    assert Job.objects.get(pk=job.pk).state == "checking"
