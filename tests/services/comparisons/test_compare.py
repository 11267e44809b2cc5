"""Two lists compared: what differs is stored, once, however the work is cut into pieces."""

import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from resolver.models import Comparison, Difference, Job, Row, raw_sql
from resolver.services.comparisons import compare as comparison_compare
from resolver.services.comparisons import differing_rows, export, reruns
from resolver.services.jobs import lifecycle
from resolver.services.proxy_answers.configured_proxy import DoiProxy
from resolver.services.results.export import JobChanged
from resolver.services.storage import batched_removal
from resolver.services.storage.leases import LEASE, MESSAGE_LIFETIME
from resolver.standin.server import SampleProxyServer
from tests.meanwhile import another_begins_before
from tests.services.conftest import NOW, make_job, run
from tests.services.measured_space import DIFFERENCE, measure_without_free_space
from tests.services.records_that_change import AFTER, BEFORE, LIST, records
from tests.services.registered_names import sample_proxy_where

pytestmark = pytest.mark.django_db(transaction=True)
BY_LINE = {
    "newly-broken": [(1, 1)],
    "newly-working": [(2, 2)],
    "address-changed": [(3, 3)],
    "agency-changed": [(4, 4)],
}


@pytest.fixture
def changing(tmp_path: Path) -> Iterator[SampleProxyServer]:
    with SampleProxyServer(records(tmp_path, BEFORE)) as server:
        yield server


@pytest.fixture
def two(changing: SampleProxyServer, proxy_at: Callable[..., DoiProxy], tmp_path: Path) -> tuple[Job, Job]:
    """Two runs of one list, between which the proxy has learned."""
    proxy = proxy_at(changing.url)
    first = run(make_job(LIST, proxy), proxy)
    changing.know(records(tmp_path, AFTER))
    later = Row.objects.latest("checked_at").checked_at + timedelta(microseconds=1)
    second = reruns.create_rerun(first, proxy=proxy, now=later)
    return first, run(second, proxy)


def compare(before: Job, after: Job, **options: int) -> Comparison:
    comparison = comparison_compare.get_or_create_comparison(before, after, now=NOW)
    while comparison_compare.advance_comparison(comparison.pk, until=time.monotonic(), **options):
        pass
    comparison.refresh_from_db()
    return comparison


def test_a_list_that_is_deleted_while_a_worker_compares_it_leaves_nothing(two: tuple[Job, Job]) -> None:
    comparison = comparison_compare.get_or_create_comparison(*two, now=NOW)
    with another_begins_before('INSERT INTO "resolver_difference"', lambda: lifecycle.delete_job(two[0])):
        comparison_compare.advance_comparison(comparison.pk)
    assert Job.objects.get() == two[1]
    assert not Difference.objects.exists()


def found(comparison: Comparison) -> dict[str, list[tuple[int | None, int | None]]]:
    kinds: dict[str, list[tuple[int | None, int | None]]] = {}
    for one in differing_rows.find_differences(comparison):
        kinds.setdefault(one.kind, []).append((one.line, one.other_line))
    return kinds


@pytest.mark.parametrize("at_once", [2, 3, 2000])
def test_two_runs_are_matched_by_line(two: tuple[Job, Job], at_once: int) -> None:
    comparison = compare(*two, at_once=at_once)
    assert comparison.done
    assert comparison.by_line
    assert found(comparison) == BY_LINE
    assert comparison.counts == {**dict.fromkeys(BY_LINE, 1), "unchanged": 3}


@pytest.mark.parametrize("at_once", [2, 3, 2000])
def test_other_lists_are_matched_by_name_each_name_once(
    two: tuple[Job, Job], proxy_at: Callable[..., DoiProxy], at_once: int
) -> None:
    first, again = two
    proxy = proxy_at(again.proxy)
    text = "x,doi\n1,10.77/STAYS\n2,10.77/new\n3,10.77/breaks\n4,https://doi.org/10.77/breaks\n5,nothing else\n"
    other = run(make_job(text, proxy), proxy)
    comparison = compare(first, other, at_once=at_once)
    assert not comparison.by_line
    assert found(comparison) == {
        "newly-broken": [(1, 3)],
        "only-before": [(2, None), (3, None), (4, None), (6, None)],
        "only-after": [(None, 2)],
    }
    assert comparison.counts == {"newly-broken": 1, "only-before": 4, "only-after": 1, "unchanged": 1}


def test_two_names_with_one_fingerprint_stay_two(two: tuple[Job, Job]) -> None:
    first, second = two
    Job.objects.filter(pk=second.pk).update(digest="another", rerun_of=None)
    for line, number in enumerate((5, 6, 7, 7, 7, 8), 1):  # the page ends among the same
        Row.objects.filter(line=line).update(fingerprint=number)
    comparison = compare(first, Job.objects.get(pk=second.pk), at_once=4)
    assert found(comparison) == BY_LINE
    assert comparison.counts["unchanged"] == 2


def test_a_row_that_one_run_never_came_to_is_not_answered_rather_than_gone(two: tuple[Job, Job]) -> None:
    first, second = two
    Row.objects.filter(job=second, line__gt=6).delete()
    Row.objects.filter(job=second, line=5).update(outcome="unreachable")
    Row.objects.filter(job=second, line=6).update(outcome="")
    assert found(compare(first, second)) == {**BY_LINE, "not-answered": [(5, 5), (6, 6), (7, None)]}


def test_nobody_compares_what_another_is_comparing_until_that_one_was_killed(two: tuple[Job, Job]) -> None:
    comparison = comparison_compare.get_or_create_comparison(*two, now=NOW)
    assert comparison_compare.get_or_create_comparison(*two, now=NOW) == comparison
    Comparison.objects.update(claim="another", claimed_until=NOW + LEASE)
    assert not comparison_compare.advance_comparison(comparison.pk, clock=lambda: NOW)
    assert not Difference.objects.exists()
    comparison_compare.advance_comparison(comparison.pk, clock=lambda: NOW + 2 * LEASE)
    assert found(comparison) == BY_LINE
    assert not comparison_compare.advance_comparison(comparison.pk)
    assert found(comparison) == BY_LINE


def test_a_list_that_was_taken_up_again_is_compared_anew(two: tuple[Job, Job]) -> None:
    first, second = two
    stale = compare(first, second)
    Row.objects.filter(job=second, line=5).update(outcome="not-found", urls=[])
    Job.objects.filter(pk=second.pk).update(finished_at=NOW + timedelta(days=9))
    assert not comparison_compare.is_current(stale)
    anew = compare(first, Job.objects.get(pk=second.pk))
    assert anew != stale
    assert found(anew)["newly-broken"] == [(1, 1), (5, 5)]


def test_a_list_that_goes_on_is_not_compared_any_further(two: tuple[Job, Job]) -> None:
    comparison = comparison_compare.get_or_create_comparison(*two, now=NOW)
    Job.objects.filter(pk=two[1].pk).update(state="checking")
    assert not comparison_compare.advance_comparison(comparison.pk)
    assert not Difference.objects.exists()
    with pytest.raises(lifecycle.JobStillRunning):
        comparison_compare.get_or_create_comparison(two[0], Job.objects.get(pk=two[1].pk), now=NOW)


def test_the_file_of_changes_breaks_off_when_a_list_goes_on(two: tuple[Job, Job]) -> None:
    comparison = compare(*two)
    lines = export.iterate_lines(comparison)
    assert next(lines)[:3] == ("newly-broken", "2", "2")
    Job.objects.filter(pk=two[0].pk).update(state="checking")
    with pytest.raises(JobChanged):
        list(export.iterate_lines(comparison))


def test_a_comparison_goes_with_its_lists(two: tuple[Job, Job]) -> None:
    compare(*two)
    lifecycle.delete_job(two[0])
    assert not Comparison.objects.exists()
    assert not Difference.objects.exists()


def test_a_list_that_is_deleted_meanwhile_is_not_compared(two: tuple[Job, Job]) -> None:
    comparison = comparison_compare.get_or_create_comparison(*two, now=NOW)
    lifecycle.delete_job(Job.objects.get(pk=two[1].pk))
    with pytest.raises(Job.DoesNotExist):
        comparison_compare.get_or_create_comparison(*two, now=NOW)
    assert not comparison_compare.advance_comparison(comparison.pk)


def test_a_layout_that_an_earlier_version_has_stored_is_the_same_layout(two: tuple[Job, Job]) -> None:
    first, second = two
    earlier = {key: value for key, value in first.layout.items() if key not in ("gzipped", "sheet", "complete")}
    Job.objects.filter(pk=first.pk).update(layout=earlier)
    assert reruns.are_of_one_file(Job.objects.get(pk=first.pk), second)


def test_a_comparison_whose_worker_was_killed_is_found_once_within_a_minute(two: tuple[Job, Job]) -> None:
    comparison = comparison_compare.get_or_create_comparison(*two, now=NOW)
    Comparison.objects.update(claim="dead", claimed_until=NOW)
    later = NOW + MESSAGE_LIFETIME
    assert comparison_compare.reserve_abandoned(NOW) == []
    assert comparison_compare.reserve_abandoned(later) == [comparison.pk]
    assert comparison_compare.reserve_abandoned(later) == []
    comparison_compare.advance_comparison(comparison.pk, clock=lambda: later)
    assert found(comparison) == BY_LINE
    assert comparison_compare.reserve_abandoned(later + 2 * MESSAGE_LIFETIME) == []


def test_an_owner_keeps_five_and_the_oldest_is_removed_bit_by_bit(
    proxy: DoiProxy, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batched_removal, "ITEMS_PER_TRANSACTION", 1)
    mine = [run(make_job(f"10.1000/{number}\n10.1000/x{number}\n", proxy), proxy) for number in range(4)]
    another = [run(make_job("10.1000/182\n", proxy, owner="another"), proxy) for _ in range(2)]
    compare(*another)
    made = [compare(*pair) for pair in combinations(mine, 2)]
    assert [*Comparison.objects.filter(before__in=mine).order_by("pk")] == made[1:]
    assert Comparison.objects.filter(before__in=another).exists()
    assert Difference.objects.filter(comparison__in=made[1:]).count() == 5 * 4
    undone = [
        Comparison.objects.create(
            before=mine[0],
            after=mine[1],
            before_ended=NOW,
            after_ended=NOW - timedelta(days=number),
            created_at=NOW + timedelta(days=1),
            by_line=True,
        )
        for number in range(20)
    ]
    again = compare(mine[0], mine[1])
    kept = set(Comparison.objects.filter(before__in=mine))
    assert kept == {again, *undone[-4:]}, "each holds nothing as yet"


def test_while_a_disk_is_short_nothing_is_compared(two: tuple[Job, Job], settings: Any) -> None:
    reserve = settings.DISK_RESERVE
    settings.DISK_RESERVE = 10**18
    comparison = comparison_compare.get_or_create_comparison(*two, now=NOW)
    assert not comparison_compare.advance_comparison(comparison.pk)
    assert comparison_compare.reserve_abandoned(NOW) == []
    assert not Difference.objects.exists()
    settings.DISK_RESERVE = reserve
    assert comparison_compare.reserve_abandoned(NOW) == [comparison.pk]
    assert compare(*two).done


def test_a_difference_takes_what_the_page_on_security_says(two: tuple[Job, Job]) -> None:
    comparison, rows, before = compare(*two), 20_000, measure_without_free_space()
    columns = ("comparison", "kind", "place", "line", "other_line")
    found = [(comparison.pk, "unanswered", 2 * line, line, None) for line in range(10, rows + 10)]
    raw_sql.insert_rows(Difference, columns, found)
    assert 0.3 * DIFFERENCE < (measure_without_free_space() - before) / rows < 1.05 * DIFFERENCE


def test_a_damaged_name_is_compared_as_the_one_that_it_stands_for(proxy_at: Callable[..., DoiProxy]) -> None:
    with sample_proxy_where({"10.60001/a", "10.60001/j.b.1"}) as server:
        proxy = proxy_at(server.url)
        damaged = run(make_job("doi\n10.60001/a.\n10.60001/j. b.1\n", proxy), proxy)
        sound = run(make_job("doi\n10.60001/a\n10.60001/j.b.1\n", proxy), proxy)
    assert compare(damaged, sound).counts == {"unchanged": 2}
    assert compare(sound, damaged).counts == {"unchanged": 2}
