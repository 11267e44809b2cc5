"""The watches of an owner: created, changed, ended, and found."""

from collections.abc import Container, Mapping
from datetime import datetime
from typing import Any
from uuid import UUID, uuid4

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet, Sum

from resolver.models import Depth, Every, Job, State, Watch, WatchChange, WatchedRow, Webhook
from resolver.services.accounts.owners import find_account_id, get_account_owner
from resolver.services.accounts.secret_addresses import make_secret, may_be_secret
from resolver.services.jobs.lifecycle import cancel_job, ensure_ended
from resolver.services.jobs.row_readings import compares_works
from resolver.services.storage.batched_removal import remove_watches
from resolver.services.uploads import stored_uploads
from resolver.services.watches import row_states
from resolver.services.watches.mail_addresses import find_usable_address
from resolver.services.watches.runs import find_open_run
from resolver.services.watches.schedule import choose_first_time, find_next_time


class WatchRefused(ValueError):
    """The watch can't have these properties. `reason` is a code: `too-many`, `too-many-names`, `stopped`, `no-file`,
    `not-compared`, `no-mail-address` or `no-webhook`."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def create_watch(
    job: Job,
    *,
    every: Every,
    depth: Depth,
    portal: str,
    language: str,
    now: datetime,
    name: str = "",
    compare: bool | None = None,
    mail: bool = False,
    webhook: Webhook | None = None,
    watch_id: UUID | None = None,
) -> Watch:
    """Watch the list from now on. Rows that are broken today are known, and not reported. `compare`: whether runs
    compare works; None: as the list does. An earlier watch with that `watch_id`, of a killed request, is returned
    unchanged. The webhook must be one of the owner's. Raises WatchRefused and JobStillRunning."""
    if watch_id and (earlier := Watch.objects.filter(pk=watch_id).first()):
        return earlier
    ensure_ended(job)
    if job.state == State.CANCELLED:  # some rows were never checked
        raise WatchRefused("stopped")
    if not stored_uploads.is_stored(job.upload):
        raise WatchRefused("no-file")
    if compare and not compares_works(job):
        raise WatchRefused("not-compared")
    watch_id = watch_id or uuid4()
    first = choose_first_time(watch_id, every, now)
    watch = Watch(
        id=watch_id,
        owner=job.owner,
        job=job,
        name=name,
        every=every,
        depth=depth,
        compare=compares_works(job) if compare is None else compare,
        mail=mail,
        webhook=webhook,
        portal=portal.rstrip("/"),
        language=language,
        created_at=now,
        first_at=first,
        next_at=first,
        baseline=not (job.quick and depth == Depth.FULL),  # a quick check sees no missing addresses
        feed_token=make_secret(),
    )
    _check_channels(watch, ("mail", "webhook"))
    with transaction.atomic():
        # Watches of one account are created one after the other: two at once could exceed the bound together.
        if (account := find_account_id(job.owner)) is not None:
            list(User.objects.select_for_update().filter(pk=account))
        _check_bounds(job)
        watch.save(force_insert=True)
        row_states.learn_baseline(watch, job, now)
    return watch


def update_watch(watch: Watch, changes: Mapping[str, Any], *, now: datetime) -> None:
    """Change columns of the watch: name, every, depth, compare, mail, webhook, and `paused`. Raises WatchRefused."""
    columns = {name: value for name, value in changes.items() if name != "paused" and getattr(watch, name) != value}
    paused = changes.get("paused")
    for column, value in columns.items():
        setattr(watch, column, value)
    _check_channels(watch, columns)
    if columns.get("compare") and not compares_works(watch.job):
        raise WatchRefused("not-compared")
    if "every" in columns:
        watch.first_at = watch.next_at = choose_first_time(watch.pk, Every(watch.every), now)
        columns |= {"first_at": watch.first_at, "next_at": watch.next_at}
    if columns.get("depth") == Depth.FULL and watch.job.quick:
        columns["baseline"] = False
    if paused is not None and paused != (watch.paused_at is not None):
        columns["paused_at"] = now if paused else None
        if not paused:
            columns["next_at"] = find_next_time(watch.first_at, Every(watch.every), now)
    if columns:
        Watch.objects.filter(pk=watch.pk).update(**columns)
        watch.refresh_from_db()


def delete_watch(watch: Watch, *, now: datetime) -> None:
    """End the watch, and remove its rows and changes. The lists of its runs stay; a running one is stopped."""
    run = find_open_run(watch)
    Job.objects.filter(watch_runs__watch=watch).update(background=False)
    remove_watches(Watch.objects.filter(pk=watch.pk))
    if run is not None and run.job is not None and not run.job.ended:
        cancel_job(run.job, now=now)


def find_watches(owner: str) -> QuerySet[Watch]:
    """Return the owner's watches, newest first."""
    return Watch.objects.filter(owner=owner).select_related("job", "webhook")


def find_watch_by_feed_token(token: str) -> Watch | None:
    """Return the watch whose feed has this secret in its address."""
    return Watch.objects.filter(feed_token=token).select_related("job").first() if may_be_secret(token) else None


def find_changes(watch: Watch) -> QuerySet[WatchChange]:
    """Return the reported changes of the watch, newest first."""
    return WatchChange.objects.filter(watch=watch).order_by("-id")


def find_rows(watch: Watch, *states: str) -> QuerySet[WatchedRow]:
    """Return the rows in these states, in the order of the list."""
    return WatchedRow.objects.filter(watch=watch, state__in=states).order_by("line")


def _check_bounds(job: Job) -> None:
    watched = Watch.objects.filter(owner=job.owner)
    if watched.count() >= settings.MAX_WATCHES:
        raise WatchRefused("too-many")
    names = watched.aggregate(rows=Sum("job__total"))["rows"] or 0
    if names + job.total > settings.MAX_WATCHED_NAMES:
        raise WatchRefused("too-many-names")


def _check_channels(watch: Watch, changed: Container[str]) -> None:
    """Raise WatchRefused for a newly chosen channel that doesn't exist."""
    if "mail" in changed and watch.mail and find_usable_address(watch.owner) is None:
        raise WatchRefused("no-mail-address")
    webhook = watch.webhook if "webhook" in changed else None
    if webhook is not None and get_account_owner(webhook.account_id) != watch.owner:
        raise WatchRefused("no-webhook")
