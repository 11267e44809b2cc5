"""What an account may use on one day: lists, rows and requests."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.base import ContentFile
from django.db import connection, transaction

from resolver import conf
from resolver.models import AccountQuota, Chunk, DailyUse, Draft, Job
from resolver.services.account_data.removal import delete_owner_data
from resolver.services.accounts import owners
from resolver.services.accounts.quotas import QuotaReached, count_request, list_quotas
from resolver.services.comparisons.reruns import create_rerun
from resolver.services.http.request_run import ATTEMPT, RequestRun
from resolver.services.jobs import drafts, import_rows, lifecycle, retry
from resolver.services.maintenance.cleanup import prune_all
from resolver.services.proxy_answers.configured_proxy import DoiProxy
from resolver.services.results.export import iterate_results
from resolver.services.turns.check import check_chunk
from tests.meanwhile import another_connection
from tests.services.conftest import NOW, make_job, run, undone

pytestmark = pytest.mark.django_db(transaction=True)
OWNER = "user:1"


def left(owner: str = OWNER, now: datetime = NOW) -> dict[str, int]:
    return {quota.kind: quota.left for quota in list_quotas(owner, now)}


def numbered(rows: int) -> str:
    return "doi\n" + "".join(f"10.5555/{n}\n" for n in range(rows))


def test_without_a_setting_nothing_is_counted(proxy: DoiProxy) -> None:
    make_job(numbered(3), proxy)
    assert count_request(OWNER, NOW) is None
    assert left() == {}
    assert not DailyUse.objects.exists()


def test_a_list_counts_with_its_rows_and_the_next_that_is_too_long_is_refused_whole(
    proxy: DoiProxy, settings: Any
) -> None:
    settings.MAX_LISTS_PER_DAY, settings.MAX_ROWS_PER_DAY = 3, 10
    make_job(numbered(7), proxy)
    assert left() == {"lists": 2, "rows": 3}
    with pytest.raises(QuotaReached) as refused:
        make_job(numbered(4), proxy)
    assert str(refused.value) == (
        "Rows of lists that you can check today: 3 of 10. This list has 4. Try again after midnight (UTC), or check "
        "a part of it."
    )
    assert refused.value.seconds == 12 * 3600
    assert left() == {"lists": 2, "rows": 3}
    assert Job.objects.count() == len(list(conf.uploads_dir().iterdir())) == 1
    make_job(numbered(3), proxy)
    assert left() == {"lists": 1, "rows": 0}


def test_the_next_day_begins_at_midnight_utc(proxy: DoiProxy, settings: Any) -> None:
    settings.MAX_LISTS_PER_DAY = 1
    make_job(numbered(1), proxy)
    last, first = (datetime(2026, 3, day, hour, 59, 59, tzinfo=UTC) for day, hour in ((1, 23), (2, 0)))
    assert (left(now=last), left(now=first)) == ({"lists": 0}, {"lists": 1})


def test_another_run_of_the_file_counts_and_ending_it_gives_nothing_back(proxy: DoiProxy, settings: Any) -> None:
    settings.MAX_ROWS_PER_DAY = 10
    job = run(make_job(numbered(4), proxy), proxy)
    create_rerun(job, proxy=proxy, now=NOW)
    assert left() == {"rows": 2}
    lifecycle.cancel_job(Job.objects.exclude(pk=job.pk).get(), now=NOW)
    assert left() == {"rows": 2}


def test_rows_of_unknown_number_count_as_they_are_read_and_the_list_is_read_to_its_end(
    proxy: DoiProxy, settings: Any
) -> None:
    settings.MAX_ROWS_PER_DAY = 5
    job = make_job("doi\n" + "10.5555/a 10.5555/b\n" * 4, proxy, split=True)
    assert left() == {"rows": 1}  # there is a row for each line at least
    for _ in import_rows.read_into_rows(job.pk, clock=lambda: NOW, rows_in_chunk=3):
        pass
    job.refresh_from_db()
    assert (job.total, left()) == (8, {"rows": 0})
    with pytest.raises(QuotaReached):
        make_job(numbered(1), proxy)


def test_a_list_of_unknown_length_is_refused_if_it_has_at_least_more_rows_than_are_left(
    proxy: DoiProxy, settings: Any
) -> None:
    settings.MAX_ROWS_PER_DAY = 5
    make_job(numbered(2), proxy)
    with pytest.raises(QuotaReached, match=r"today: 3 of 5\. This list has at least 4"):
        make_job("doi\n" + "10.5555/a 10.5555/b\n" * 4, proxy, split=True)
    assert (left(), Job.objects.count()) == ({"rows": 3}, 1)


def test_lists_of_unknown_length_that_wait_together_count_before_they_are_read(proxy: DoiProxy, settings: Any) -> None:
    settings.MAX_ROWS_PER_DAY = 6
    make_job("doi\n" + "10.5555/a 10.5555/b\n" * 4, proxy, split=True)
    with pytest.raises(QuotaReached, match=r"2 of 6\. This list has at least 4"):
        make_job("doi\n" + "10.5555/c 10.5555/d\n" * 4, proxy, split=True)
    assert Job.objects.count() == 1


def test_a_retry_counts_no_row_again(proxy: DoiProxy, nowhere: DoiProxy, settings: Any) -> None:
    settings.MAX_LISTS_PER_DAY, settings.MAX_ROWS_PER_DAY = 5, 10
    job = run(make_job(numbered(4), nowhere), nowhere)
    assert job.counts["outcome"] == {"unreachable": 4}
    retry.retry_job(job, proxy=proxy, now=NOW)
    for chunk in [*undone(job), *import_rows.read_into_rows(job.pk, clock=lambda: NOW)]:
        check_chunk(chunk, proxy=proxy)
    job.refresh_from_db()
    assert job.counts["outcome"] == {"resolved": 4}
    assert left() == {"lists": 4, "rows": 6}


def test_a_retry_of_a_list_that_was_stopped_and_downloaded_counts_the_rows_that_it_reads(
    proxy: DoiProxy, settings: Any
) -> None:
    settings.MAX_ROWS_PER_DAY = 100
    job = make_job("doi\n" + "10.5555/a 10.5555/b\n" * 4, proxy, split=True)
    lifecycle.cancel_job(job, now=NOW)
    assert len(list(iterate_results(job))) == 8  # now its length is known
    retry.retry_job(job, proxy=proxy, now=NOW)
    list(import_rows.read_into_rows(job.pk, clock=lambda: NOW, rows_in_chunk=3))
    assert left() == {"rows": 92}


@pytest.mark.parametrize(("options", "has"), [({}, "This list has 4."), ({"split": True}, "This list has at least 4.")])
def test_nobody_is_told_to_wait_with_a_list_that_is_longer_than_the_quota_of_a_day(
    proxy: DoiProxy, settings: Any, options: dict[str, bool], has: str
) -> None:
    settings.MAX_ROWS_PER_DAY = 3
    with pytest.raises(QuotaReached) as refused:
        make_job(numbered(4), proxy, **options)
    assert str(refused.value) == f"Rows of lists that you can check in a day: 3. {has} Check it in parts."
    assert refused.value.seconds is None


def test_who_waits_until_the_next_day_is_not_too_early(settings: Any) -> None:
    settings.MAX_REQUESTS_PER_DAY = 1
    late = datetime(2026, 3, 1, 23, 59, 58, 500_000, tzinfo=UTC)
    count_request(OWNER, late)
    with pytest.raises(QuotaReached) as refused:
        count_request(OWNER, late)
    assert refused.value.seconds == 2
    assert count_request(OWNER, late + timedelta(seconds=2)) is not None


def test_an_operator_gives_one_account_other_numbers(settings: Any) -> None:
    settings.MAX_LISTS_PER_DAY, settings.MAX_ROWS_PER_DAY = 1, 10
    account = User.objects.create_user("ada")
    AccountQuota.objects.create(account=account, lists=5, rows=0, requests=7)
    owner = owners.get_user_owner(account)
    assert left(owner) == {"lists": 5, "requests": 7}
    assert left("user:0") == {"lists": 1, "rows": 10}
    AccountQuota.objects.update(lists=None)
    assert left(owner) == {"lists": 1, "requests": 7}


def test_a_reader_that_goes_on_counts_no_row_twice(proxy: DoiProxy, settings: Any) -> None:
    settings.MAX_ROWS_PER_DAY = 100
    job = make_job("doi\n" + "10.5555/a 10.5555/b\n" * 4, proxy, split=True)
    killed = import_rows.read_into_rows(job.pk, clock=lambda: NOW, rows_in_chunk=3)
    next(killed)
    list(import_rows.read_into_rows(job.pk, clock=lambda: NOW + timedelta(minutes=1), rows_in_chunk=3))
    assert Chunk.objects.count() == 3
    assert left() == {"rows": 92}


def test_of_uploads_at_the_same_moment_no_more_are_accepted_than_fit(proxy: DoiProxy, settings: Any) -> None:
    settings.MAX_LISTS_PER_DAY = 3

    def upload(_: int) -> bool:
        try:
            make_job(numbered(1), proxy)
        except QuotaReached:
            return False
        finally:
            connection.close()
        return True

    with ThreadPoolExecutor(8) as workers:
        accepted = list(workers.map(upload, range(8)))
    assert (accepted.count(True), Job.objects.count(), left()) == (3, 3, {"lists": 0})


def test_a_draft_that_does_not_fit_stays_for_tomorrow(proxy: DoiProxy, settings: Any) -> None:
    settings.MAX_ROWS_PER_DAY = 2
    draft = drafts.create_from_file(ContentFile(numbered(3).encode()), "list.csv", owner=OWNER, now=NOW)
    with pytest.raises(QuotaReached):
        drafts.start_draft(draft, proxy=proxy, now=NOW)
    assert Draft.objects.get() == draft
    settings.MAX_ROWS_PER_DAY = 3
    assert drafts.start_draft(draft, proxy=proxy, now=NOW + timedelta(hours=13)).total == 3


@pytest.mark.parametrize("owner", ["session:abc", owners.SHELL])
def test_who_has_no_account_has_no_quota(proxy: DoiProxy, settings: Any, owner: str) -> None:
    settings.MAX_LISTS_PER_DAY = 1
    for _ in range(2):
        make_job(numbered(1), proxy, owner=owner)
    assert left(owner) == {}


def test_each_account_has_its_own(proxy: DoiProxy, settings: Any) -> None:
    settings.MAX_REQUESTS_PER_DAY = 1
    assert count_request(OWNER, NOW) == list_quotas(OWNER, NOW)[0]
    assert (left(), left("user:12")) == ({"requests": 0}, {"requests": 1})
    with pytest.raises(QuotaReached):
        count_request(OWNER, NOW)


def test_a_request_that_the_web_server_runs_again_counts_once(settings: Any) -> None:
    settings.MAX_REQUESTS_PER_DAY = 5
    attempt = ATTEMPT.set(RequestRun())
    try:
        runs = [count_request(OWNER, NOW) for _ in range(3)]
    finally:
        ATTEMPT.reset(attempt)
    assert [run.left for run in runs if run] == [4, 4, 4]
    assert left() == {"requests": 4}


def test_what_was_used_is_removed_with_the_account_and_after_two_days(proxy: DoiProxy, settings: Any) -> None:
    settings.MAX_LISTS_PER_DAY = 5
    gone, kept = (owners.get_user_owner(User.objects.create_user(name)) for name in ("ada", "eve"))
    for owner in (gone, kept):
        make_job(numbered(1), proxy, owner=owner)
    delete_owner_data(gone)
    assert [use.owner for use in DailyUse.objects.all()] == [kept]
    prune_all(NOW + timedelta(days=1))
    assert DailyUse.objects.exists()
    prune_all(NOW + timedelta(days=2))
    assert not DailyUse.objects.exists()


def test_a_request_of_an_account_that_is_deleted_at_that_moment_is_counted_for_nobody(settings: Any) -> None:
    settings.MAX_REQUESTS_PER_DAY = 5
    account = User.objects.create_user("ada")
    owner = owners.get_user_owner(account)
    count_request(owner, NOW)
    with another_connection(lambda: count_request(owner, NOW)) as another:
        with transaction.atomic():
            account.delete()
            another.begin()
        quota = another.get_result()
        assert quota is not None
        assert quota.left == 4
    prune_all(NOW + timedelta(days=2))
    assert not DailyUse.objects.exists()
