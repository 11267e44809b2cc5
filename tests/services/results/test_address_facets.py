"""The numbers of rows by class and host of their address: of the whole list, and under other filters."""

import pytest

from resolver.models import Job, Row
from resolver.services.jobs import host_counts, retry
from resolver.services.proxy_answers.configured_proxy import DoiProxy
from resolver.services.results.facets import count_facets
from resolver.services.results.row_queries import ALL, RowFilter
from tests.services.conftest import NOW

pytestmark = pytest.mark.django_db

LIST = """doi,target
10.1000/182,http://www.doi.org/hb.html
10.1000/182,https://www.doi.org/hb.html
10.1000/182,https://other.example/
10.5555/one,https://other.example/
10.5555/missing,https://other.example/
10.5555/error-1,https://other.example/
"""


LIST_OPTIONS = {"expected_column": "target"}


@pytest.fixture
def job(checked_job: Job) -> Job:
    return checked_job


def other_host(job: Job) -> str:
    return Row.objects.get(job=job, line=4).host


def test_of_the_whole_list_classes_and_hosts_are_counted(job: Job) -> None:
    found = count_facets(job, ALL)
    assert found.address == {"same": 1, "same-page": 1, "other-host": 2, "no-address": 1}
    assert found.host == {"www.doi.org": 3, other_host(job): 1}


def test_each_is_counted_under_all_filters_but_its_own(job: Job) -> None:
    found = count_facets(job, RowFilter(address="elsewhere", host="www.doi.org"))
    assert found.fit == 1
    assert {key: rows for key, rows in found.address.items() if key} == {"same": 1, "same-page": 1, "other-host": 1}
    assert found.host == {"www.doi.org": 1, other_host(job): 1}
    assert found.outcome == {"resolved": 1}


def test_of_a_long_list_one_class_or_host_is_known(job: Job, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("resolver.services.results.facets.MAX_ROWS_TO_COUNT", 3)
    assert count_facets(job, RowFilter(address="elsewhere")).fit == 3
    assert count_facets(job, RowFilter(address="same")).fit == 1
    assert count_facets(job, RowFilter(host="www.doi.org")).fit == 3
    assert count_facets(job, RowFilter(host="www.doi.org", address="same")).fit is None


def test_hosts_are_counted_once_at_the_end(job: Job, django_assert_num_queries) -> None:
    job = Job.objects.get(pk=job.pk)
    with django_assert_num_queries(0):
        assert host_counts.count_hosts(job)["www.doi.org"] == 3


def test_a_job_that_runs_again_has_no_old_counts_of_hosts(job: Job, proxy: DoiProxy) -> None:
    retry.retry_job(job, proxy=proxy, now=NOW)
    assert "host" not in Job.objects.get(pk=job.pk).counts


def test_the_hosts_beyond_the_first_ones_are_counted_together(job: Job, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("resolver.services.jobs.host_counts.MOST_COUNTED_HOSTS", 1)
    assert host_counts.keep_host_counts(job) == {"www.doi.org": 3, "": 1}
    assert list(Job.objects.get(pk=job.pk).counts["host"].items()) == [("www.doi.org", 3), ("", 1)]


def test_a_chosen_host_beyond_the_first_ones_has_its_rows(job: Job, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("resolver.services.jobs.host_counts.MOST_COUNTED_HOSTS", 1)
    host = other_host(job)
    host_counts.keep_host_counts(job)
    for exact in (25_000, 3):
        monkeypatch.setattr("resolver.services.results.facets.MAX_ROWS_TO_COUNT", exact)
        found = count_facets(job, RowFilter(host=host.upper()))
        assert (found.host, found.fit) == ({"www.doi.org": 3, host: 1}, 1)
