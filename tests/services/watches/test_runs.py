"""The runs of a watch: what is told, and what isn't."""

from datetime import timedelta

import pytest

from resolver.models import Depth, Every, Job, RunState, Watch, WatchedRow, WatchRun
from resolver.services.jobs import lifecycle
from resolver.services.jobs.sharing import share_job
from resolver.services.maintenance.cleanup import prune_lists
from resolver.services.uploads import stored_uploads
from resolver.services.watches import registration, row_states, runs
from tests.services.conftest import NOWHERE
from tests.services.watches.conftest import DAY, NAMES, WatchScene
from tests.stored_list import remove_deleted_lists

A, B, C = NAMES


def states(watch: Watch) -> list[str]:
    """The states of its runs, in their order."""
    return list(WatchRun.objects.filter(watch=watch).order_by("pk").values_list("state", flat=True))


@pytest.mark.slow
def test_twelve_quiet_runs_tell_nothing(scene: WatchScene) -> None:
    watch = scene.begin(scene.list_checked())
    scene.do_due()
    for _ in range(11):
        scene.next_day()
    assert states(watch) == ["settled"] * 12
    assert scene.told() == []


def test_a_flicker_tells_nothing(scene: WatchScene) -> None:
    watch = scene.begin(scene.list_checked())
    scene.know(A, B)
    scene.do_due()
    assert states(watch) == ["waiting"]
    scene.know(*NAMES)
    scene.next_day()
    scene.next_day()
    assert (states(watch), scene.told()) == (["settled"] * 3, [])
    assert not WatchedRow.objects.exists()


def test_a_break_is_told_once_after_two_checks_a_day_apart_and_its_end_once(scene: WatchScene) -> None:
    scene.begin(scene.list_checked())
    scene.know(A, B)
    scene.do_due()
    scene.now += DAY - timedelta(seconds=1)
    scene.do_due()
    assert scene.told() == []
    scene.now += timedelta(seconds=1)
    scene.do_due()
    assert scene.told() == [(C, False)]
    for _ in range(3):
        scene.next_day()
    assert scene.told() == [(C, False)]
    scene.know(*NAMES)
    for _ in range(3):
        scene.next_day()
    assert scene.told() == [(C, False), (C, True)]


def test_only_the_rows_that_broke_are_checked_again(scene: WatchScene) -> None:
    scene.begin(scene.list_checked(), depth=Depth.FULL)
    scene.know(A, B)
    scene.do_due()
    before = scene.server.watch.total
    scene.now += DAY - timedelta(seconds=1)
    Watch.objects.update(next_at=scene.now + 30 * DAY)
    scene.now += timedelta(seconds=1)
    scene.do_due()
    assert scene.server.watch.total - before <= 4
    assert scene.told() == [(C, False)]


def test_what_is_broken_when_the_watch_begins_is_not_told_but_that_it_works_is(scene: WatchScene) -> None:
    scene.know(A, B)
    scene.begin(scene.list_checked())
    scene.do_due()
    scene.next_day()
    assert scene.told() == []
    scene.know(*NAMES)
    scene.next_day()
    assert scene.told() == [(C, True)]


def test_an_existence_run_says_nothing_of_addresses(scene: WatchScene) -> None:
    scene.know(*NAMES, without_address=C)
    job = scene.list_checked()
    scene.begin(job)
    scene.do_due()
    assert scene.told() == []
    assert WatchedRow.objects.get().outcome == "no-url"


@pytest.mark.slow
def test_a_missing_address_is_a_break_for_a_full_check(scene: WatchScene) -> None:
    scene.begin(scene.list_checked(), depth=Depth.FULL)
    scene.know(*NAMES, without_address=B)
    scene.do_due()
    scene.next_day()
    assert scene.told() == [(B, False)]


def test_a_record_that_begins_to_lead_nowhere_is_a_break_and_works_only_when_its_doi_was_checked(
    scene: WatchScene,
) -> None:
    scene.begin(scene.list_checked(), depth=Depth.FULL)
    scene.know(*NAMES, b="https://doi.org/10.77/nowhere")
    scene.do_due()
    scene.next_day()
    assert scene.told() == [(B, False)]
    assert WatchedRow.objects.get().outcome == "leads-to-missing"
    scene.know(*NAMES, b="https://doi.org/10.5555/error-1")
    scene.next_day()
    assert scene.told() == [(B, False)]
    scene.know(*NAMES)
    scene.next_day()
    assert scene.told() == [(B, False), (B, True)]


@pytest.mark.slow
def test_the_first_full_run_of_a_list_that_was_checked_quickly_only_learns(scene: WatchScene) -> None:
    scene.know(*NAMES, without_address=B)
    watch = scene.begin(scene.list_checked(quick=True), depth=Depth.FULL)
    scene.do_due()
    scene.next_day()
    assert (states(watch), scene.told()) == (["settled"] * 2, [])
    assert WatchedRow.objects.get().state == "broken"


def test_a_run_with_more_than_a_tenth_unchecked_tells_nothing_and_repeats_the_next_day(scene: WatchScene) -> None:
    watch = scene.begin(scene.list_checked(), every=Every.MONTH)
    scene.go_to(NOWHERE)
    scene.do_due()
    watch.refresh_from_db()
    assert states(watch) == ["incomplete"]
    assert watch.next_at == scene.now + DAY
    assert (scene.told(), WatchedRow.objects.count()) == ([], 0)


def test_after_downtime_one_run_is_made_up(scene: WatchScene) -> None:
    watch = scene.begin(scene.list_checked())
    scene.now += 40 * DAY
    scene.do_due()
    watch.refresh_from_db()
    assert states(watch) == ["settled"]
    assert scene.now < watch.next_at <= scene.now + DAY


@pytest.mark.slow
def test_an_accepted_row_is_silent_until_it_changes(scene: WatchScene) -> None:
    watch = scene.begin(scene.list_checked(), depth=Depth.FULL)
    scene.know(A, B)
    scene.do_due()
    scene.next_day()
    assert row_states.accept_row(watch, 3, "withdrawn by its publisher")
    scene.next_day()
    assert scene.told() == [(C, False)]
    scene.know(*NAMES, without_address=C)
    scene.next_day()
    scene.next_day()
    assert scene.told() == [(C, False), (C, False)]
    assert not row_states.accept_row(watch, 1, "it works")


def test_a_list_that_its_owner_checks_holds_the_run_up(scene: WatchScene) -> None:
    job = scene.list_checked()
    watch = scene.begin(job)
    Job.objects.filter(pk=job.pk).update(state="checking")
    scene.do_due()
    assert states(watch) == ["starting"]
    Job.objects.filter(pk=job.pk).update(state="finished")
    scene.do_due()
    assert states(watch) == ["settled"]


def test_without_its_file_the_watch_pauses_and_says_why(scene: WatchScene) -> None:
    job = scene.list_checked()
    watch = scene.begin(job)
    stored_uploads.delete_upload(job.upload)
    scene.do_due()
    watch.refresh_from_db()
    assert watch.paused_at is not None
    assert "no longer available" in WatchRun.objects.get().error


@pytest.mark.parametrize("how", ["cancelled", "deleted"])
def test_a_run_whose_list_was_stopped_fails_and_another_follows_the_next_day(scene: WatchScene, how: str) -> None:
    watch = scene.begin(scene.list_checked())
    (job,) = runs.advance_watches(scene.now, proxy=scene.proxy)
    if how == "deleted":
        lifecycle.delete_job(job)
    else:
        lifecycle.cancel_job(job, now=scene.now)
    scene.do_due()
    assert states(watch) == ["failed"]
    scene.next_day()
    assert states(watch) == ["failed", "settled"]


@pytest.mark.slow
def test_only_the_lists_of_the_newest_runs_are_kept(scene: WatchScene) -> None:
    job = scene.list_checked()
    watch = scene.begin(job)
    scene.do_due()
    for _ in range(5):
        scene.next_day()
    kept = WatchRun.objects.filter(watch=watch, job__isnull=False)
    assert kept.count() == runs.KEPT_LISTS
    prune_lists(scene.now)
    remove_deleted_lists()
    assert set(Job.objects.values_list("pk", flat=True)) == {job.pk, *kept.values_list("job", flat=True)}


@pytest.mark.slow
def test_a_shared_list_of_an_old_run_stays(scene: WatchScene) -> None:
    watch = scene.begin(scene.list_checked())
    scene.do_due()
    shared = WatchRun.objects.get(watch=watch).job
    assert shared is not None
    share_job(shared)
    for _ in range(5):
        scene.next_day()
    assert Job.objects.get(pk=shared.pk).owner == watch.owner


def test_a_paused_watch_does_not_run_and_goes_on_with_its_schedule(scene: WatchScene) -> None:
    watch = scene.begin(scene.list_checked())
    registration.update_watch(watch, {"paused": True}, now=scene.now)
    scene.next_day()
    assert states(watch) == []
    registration.update_watch(watch, {"paused": False}, now=scene.now)
    assert scene.now < watch.next_at <= scene.now + DAY
    scene.next_day()
    assert states(watch) == [RunState.SETTLED]
