"""What was kept long enough is removed, and nothing else."""

from datetime import timedelta
from typing import Any

import pytest

from resolver.models import Comparison, Difference, Job, Lookup, Row
from resolver.services.comparisons import compare
from resolver.services.lookups.look_up import create_lookup
from resolver.services.maintenance import cleanup
from resolver.services.proxy_answers.configured_proxy import DoiProxy
from resolver.services.storage import batched_removal
from resolver.services.uploads import stored_uploads
from tests.services.conftest import NOW, make_job, run
from tests.stored_list import remove_deleted_lists

pytestmark = pytest.mark.django_db(transaction=True)
OLD = NOW + timedelta(days=10, seconds=1)  # ten days after what is made now


@pytest.fixture(autouse=True)
def _ten_days(settings: Any) -> None:
    settings.KEEP_DAYS = 10


def test_lookups_that_were_kept_long_enough_are_removed(proxy: DoiProxy, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(5):
        create_lookup(f"10.1000/{number}", owner="user:1", proxy=proxy, now=NOW)
    younger = create_lookup("10.1000/182", owner="user:1", proxy=proxy, now=NOW + timedelta(days=1))
    cleanup.prune_lookups(NOW + timedelta(days=10))
    assert Lookup.objects.count() == 6
    monkeypatch.setattr(batched_removal, "ITEMS_PER_TRANSACTION", 2)
    cleanup.prune_lookups(OLD)
    assert list(Lookup.objects.all()) == [younger]


def test_lists_that_have_ended_go_with_their_rows_files_and_comparisons(
    proxy: DoiProxy, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = run(make_job("10.1000/1\n10.1000/2\n10.1000/3\n10.1000/182\n10.1000/5\n", proxy), proxy)
    younger = run(make_job("10.1000/9\n", proxy), proxy)
    compare.advance_comparison(compare.get_or_create_comparison(gone, younger, now=NOW).pk)
    running = make_job("10.1000/7\n", proxy)
    Job.objects.filter(pk=younger.pk).update(created_at=NOW + timedelta(days=1))
    assert Difference.objects.count() == 6
    Job.objects.filter(pk=gone.pk).update(finished_at=NOW)
    monkeypatch.setattr(batched_removal, "ITEMS_PER_TRANSACTION", 2)
    cleanup.prune_lists(OLD)
    remove_deleted_lists()
    assert set(Job.objects.all()) == {younger, running}
    assert not Row.objects.filter(job_id=gone.pk).exists()
    assert not stored_uploads.is_stored(gone.upload)
    assert not Comparison.objects.exists()
    assert not Difference.objects.exists()


def test_two_owners_with_one_key_do_not_stop_the_pruning(proxy: DoiProxy) -> None:
    for owner in ("user:1", "user:2"):
        run(make_job("10.1000/1\n", proxy, owner=owner, idempotency_key="k"), proxy)
    Job.objects.update(finished_at=NOW)
    cleanup.prune_lists(OLD)
    remove_deleted_lists()
    assert not Job.objects.exists()


def test_nothing_is_removed_where_all_is_kept(proxy: DoiProxy, settings: Any) -> None:
    settings.KEEP_DAYS = 0
    run(make_job("10.1000/1\n", proxy), proxy)
    create_lookup("10.1000/1", owner="user:1", proxy=proxy, now=NOW)
    cleanup.prune_lists(NOW + timedelta(days=40_000))
    cleanup.prune_lookups(NOW + timedelta(days=40_000))
    assert (Job.objects.count(), Lookup.objects.count()) == (1, 1)
    assert cleanup.get_removal_time(NOW) is None


def test_comparisons_of_the_past_are_removed_and_present_ones_for_a_month_are_not(proxy: DoiProxy) -> None:
    one, two = (run(make_job(f"10.1000/{number}\n", proxy), proxy) for number in (1, 2))
    compare.advance_comparison(compare.get_or_create_comparison(one, two, now=NOW).pk)
    cleanup.prune_comparisons(NOW + cleanup.COMPARISON_LIFETIME)
    assert Comparison.objects.count() == 1
    Job.objects.filter(pk=two.pk).update(finished_at=NOW)
    cleanup.prune_comparisons(NOW)
    assert not Comparison.objects.exists()
    assert not Difference.objects.exists()
    compare.get_or_create_comparison(one, Job.objects.get(pk=two.pk), now=NOW)
    cleanup.prune_comparisons(NOW + cleanup.COMPARISON_LIFETIME + timedelta(seconds=1))
    assert not Comparison.objects.exists()


def test_a_list_that_ended_or_went_on_lately_is_kept_however_old_it_is(proxy: DoiProxy) -> None:
    late = run(make_job("10.1000/1\n", proxy), proxy)
    Job.objects.filter(pk=late.pk).update(finished_at=NOW + timedelta(days=9))
    cleanup.prune_lists(OLD)
    assert list(Job.objects.values_list("owner", flat=True)) == [late.owner]
    assert cleanup.get_removal_time(Job.objects.get()) == NOW + timedelta(days=19)
    cleanup.prune_lists(NOW + timedelta(days=20))
    remove_deleted_lists()
    assert not Job.objects.exists()
