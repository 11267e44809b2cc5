"""A file of results is that of one state of the job, or it breaks off."""

import pytest

from resolver.models import Job
from resolver.services.jobs import lifecycle, retry
from resolver.services.proxy_answers.configured_proxy import DoiProxy
from resolver.services.results import export as files
from resolver.services.results.export import JobChanged, iterate_results
from tests.services.conftest import NOW, make_job, run
from tests.services.jobs.test_retry import go_on, numbered

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def job(nowhere: DoiProxy, monkeypatch: pytest.MonkeyPatch) -> Job:
    monkeypatch.setattr(files, "BATCH_ROWS", 50)
    return run(make_job(numbered(130), nowhere), nowhere)


def test_a_download_breaks_off_when_the_list_is_taken_up_again(job: Job, proxy: DoiProxy) -> None:
    taken = iterate_results(job)
    first = next(taken)
    retry.retry_job(Job.objects.get(pk=job.pk), proxy=proxy, now=NOW)
    rest = []
    with pytest.raises(JobChanged):
        rest.extend(taken)
    assert {row.outcome for row in [first, *rest]} == {"unreachable"}


def test_nor_does_it_go_on_when_the_list_has_ended_again_meanwhile(job: Job, proxy: DoiProxy) -> None:
    taken = iterate_results(job)
    next(taken)
    retry.retry_job(Job.objects.get(pk=job.pk), proxy=proxy, now=NOW)
    assert go_on(Job.objects.get(pk=job.pk), proxy).state == "finished"
    with pytest.raises(JobChanged):
        list(taken)


def test_nor_when_it_is_deleted(job: Job) -> None:
    taken = iterate_results(job)
    next(taken)
    lifecycle.delete_job(Job.objects.get(pk=job.pk))
    with pytest.raises(JobChanged):
        list(taken)


def test_left_in_peace_it_has_every_row_once(job: Job) -> None:
    assert [row.line for row in iterate_results(job)] == list(range(1, 131))
