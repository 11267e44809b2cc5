"""Runs that something comes in between: an outage, a change of the watch, another worker, an error."""

from datetime import timedelta

import pytest

from resolver.models import Depth, Every, Job, RunState, Watch, WatchChange, WatchedRow, WatchRun
from resolver.services.jobs import lifecycle
from resolver.services.jobs.lifecycle import build_waiting_condition
from resolver.services.turns import scheduler
from resolver.services.watches import registration, row_states, runs
from resolver.services.watches.registration import WatchRefused
from tests.services.conftest import NOW, NOWHERE, make_job
from tests.services.watches.conftest import DAY, NAMES, WatchScene

A, B, C = NAMES


def states(watch: Watch) -> list[str]:
    return list(WatchRun.objects.filter(watch=watch).order_by("pk").values_list("state", flat=True))


def test_an_outage_during_the_second_check_repeats_the_run_the_next_day(scene: WatchScene) -> None:
    watch = scene.begin(scene.list_checked(), every=Every.QUARTER)
    scene.know(A, B)
    scene.do_due()
    working, broken = scene.server.url, [(C, False)]
    scene.go_to(NOWHERE)
    scene.next_day()
    watch.refresh_from_db()
    assert (states(watch), scene.told()) == (["incomplete"], [])
    assert watch.next_at == scene.now + DAY
    scene.go_to(working)
    scene.next_day()
    assert (states(watch), scene.told()) == (["incomplete", "settled"], broken)


@pytest.mark.slow
def test_what_only_a_full_check_sees_is_learned_by_a_full_check(scene: WatchScene) -> None:
    scene.know(*NAMES, without_address=B)
    watch = scene.begin(scene.list_checked(quick=True))
    (job,) = runs.advance_watches(scene.now, proxy=scene.proxy)
    registration.update_watch(watch, {"depth": Depth.FULL}, now=scene.now)
    scene.do_due()
    assert job.quick
    for _ in range(3):
        scene.next_day()
    assert scene.told() == []


@pytest.mark.slow
def test_the_same_wish_again_changes_nothing(scene: WatchScene) -> None:
    watch = scene.begin(scene.list_checked(quick=True), depth=Depth.FULL)
    scene.do_due()
    scene.know(A, B)
    for _ in range(3):
        registration.update_watch(watch, {"depth": Depth.FULL, "every": Every.DAY}, now=scene.now)
        scene.next_day()
    assert scene.told() == [(C, False)]


def test_a_note_survives_the_change_to_a_full_check(scene: WatchScene) -> None:
    scene.know(A, B)
    watch = scene.begin(scene.list_checked(quick=True))
    row_states.accept_row(watch, 3, "withdrawn")
    registration.update_watch(watch, {"depth": Depth.FULL}, now=scene.now)
    scene.do_due()
    known = WatchedRow.objects.get()
    assert (known.state, known.note) == ("accepted", "withdrawn")


def test_a_stopped_list_is_not_watched(scene: WatchScene) -> None:
    job = make_job("doi\n10.77/a\n", scene.proxy)
    lifecycle.cancel_job(job, now=NOW)
    with pytest.raises(WatchRefused) as refused:
        scene.begin(job)
    assert refused.value.reason == "stopped"


@pytest.mark.slow
def test_an_accepted_row_is_accepted_as_it_was_told(scene: WatchScene) -> None:
    watch = scene.begin(scene.list_checked(), depth=Depth.FULL)
    scene.know(A, B)
    scene.do_due()
    scene.know(*NAMES, without_address=C)
    scene.next_day()
    assert WatchChange.objects.get().outcome == "no-url"
    row_states.accept_row(watch, 3, "")
    for _ in range(3):
        scene.next_day()
    assert scene.told() == [(C, False)]


def test_a_watch_with_an_error_holds_no_other_up(scene: WatchScene, caplog: pytest.LogCaptureFixture) -> None:
    faulty = scene.begin(scene.list_checked())
    Job.objects.filter(pk=faulty.job_id).update(layout={})
    other = scene.begin(scene.list_checked("doi\n10.77/a\n"))
    scene.now = max(faulty.next_at, other.next_at)
    scene.do_due()
    assert (states(faulty), states(other)) == (["starting"], ["settled"])
    assert "could not be advanced" in caplog.text
    scene.now += DAY + timedelta(seconds=1)
    scene.do_due()
    assert states(faulty)[0] == "failed"


def test_a_worker_that_lost_the_watch_stores_nothing(scene: WatchScene) -> None:
    watch = scene.begin(scene.list_checked())
    late = runs._Advance(runs._LEASES.take(Watch.objects.filter(pk=watch.pk), NOW), scene.now, scene.proxy)  # type: ignore[arg-type]
    scene.do_due()
    with pytest.raises(runs._LeaseLost):
        late._begin()
    assert states(watch) == ["settled"]


def test_a_wish_for_a_run_during_a_run_makes_no_second_one(scene: WatchScene) -> None:
    watch = scene.begin(scene.list_checked())
    list(runs.advance_watches(scene.now, proxy=scene.proxy))
    runs.run_soon(watch, scene.now)
    scene.do_due()
    assert states(watch) == [RunState.SETTLED]


def test_a_list_of_a_person_does_not_wait_for_the_run_of_a_watch(scene: WatchScene) -> None:
    scene.begin(scene.list_checked(quick=True))
    (background,) = runs.advance_watches(scene.now, proxy=scene.proxy)
    mine = make_job("doi\n" + "\n".join(NAMES) + "\n", scene.proxy, quick=True, owner="user:99")
    Job.objects.filter(pk=mine.pk).update(created_at=background.created_at + timedelta(seconds=1))
    now = background.created_at
    assert not Job.objects.filter(build_waiting_condition(now), pk=mine.pk).exists()
    assert scheduler.get_turn_owner(background) != scheduler.get_turn_owner(mine)


def test_the_end_of_a_watch_stops_its_run(scene: WatchScene) -> None:
    watch = scene.begin(scene.list_checked())
    (job,) = runs.advance_watches(scene.now, proxy=scene.proxy)
    registration.delete_watch(watch, now=scene.now)
    job.refresh_from_db()
    assert (job.state, job.background) == ("cancelled", False)
