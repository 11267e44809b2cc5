"""A watch that goes, with its list or its account too, while a worker stores something of it."""

from collections.abc import Callable

import pytest
from django.utils import timezone

from resolver.models import Delivery, Job, Watch, WatchChange, WatchRun
from resolver.services.account_data.removal import delete_account
from resolver.services.accounts.owners import get_user_owner, transfer_ownership
from resolver.services.jobs import lifecycle
from resolver.services.watches import registration, runs
from resolver.services.webhooks.registration import create_webhook, delete_webhook
from tests.meanwhile import another_begins_before
from tests.services.watches.conftest import NAMES, WatchScene

Delete = Callable[[WatchScene, Watch], object]


@pytest.mark.parametrize(
    "delete",
    [
        lambda scene, watch: registration.delete_watch(watch, now=scene.now),
        lambda scene, watch: lifecycle.delete_job(watch.job),
        lambda scene, watch: delete_account(scene.account),
    ],
    ids=["the watch", "its list", "its account"],
)
def test_a_watch_that_is_deleted_while_its_run_begins_leaves_nothing(scene: WatchScene, delete: Delete) -> None:
    watch = scene.begin(scene.list_checked())
    with another_begins_before('INSERT INTO "resolver_watchrun"', lambda: delete(scene, watch)):
        list(runs.advance_watches(scene.now, proxy=scene.proxy))
    assert not Watch.objects.exists()
    assert not WatchRun.objects.exists()


def test_a_watch_that_is_deleted_while_its_changes_are_stored_leaves_only_its_lists(scene: WatchScene) -> None:
    watch = scene.begin(scene.list_checked())
    scene.know(*NAMES[1:])
    scene.do_due()
    scene.next_day()
    scene.know(*NAMES)
    with another_begins_before(
        'INSERT INTO "resolver_watchchange"', lambda: registration.delete_watch(watch, now=scene.now)
    ):
        scene.next_day()
    assert not Watch.objects.exists()
    assert not WatchChange.objects.exists()
    assert Job.objects.exists()


def test_a_webhook_that_is_deleted_while_changes_are_stored_for_it_holds_up_nothing(
    scene: WatchScene, settings: object
) -> None:
    settings.WEBHOOK_ALLOW_PRIVATE = True  # type: ignore[attr-defined]
    webhook = create_webhook(scene.account, "http://127.0.0.1:9/", portal="https://portal.example", now=timezone.now())
    scene.begin(scene.list_checked(), webhook=webhook)
    scene.know(*NAMES[1:])
    scene.do_due()
    with another_begins_before('INSERT INTO "resolver_watchchange"', lambda: delete_webhook(webhook)):
        scene.next_day()
    assert scene.told() == [(NAMES[0], False)]
    assert not Delivery.objects.exists()


def test_a_watched_list_that_is_deleted_while_its_browser_logs_in_is_gone(scene: WatchScene) -> None:
    watch = scene.begin(scene.list_checked())
    account = get_user_owner(scene.account)
    transfer_ownership(account, "session:one")
    with another_begins_before('UPDATE "resolver_job"', lambda: transfer_ownership("session:one", account)):
        lifecycle.delete_job(watch.job)
    assert not Job.objects.exists()
    assert not Watch.objects.exists()
