"""The runs of watches: started when due, checked like any list, confirmed a day later, and settled.

A worker holds the lease of the watch that it advances. Each step is one transaction that ends in another state, so that
the successor of a killed worker finds all of the step or nothing.
"""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from uuid import UUID

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from doi_reading import Message
from resolver.domain.report.outcome import COULD_NOT_ASK
from resolver.models import Depth, Every, Job, RunState, State, Watch, WatchRun
from resolver.models.watches import OVER
from resolver.services.accounts.owners import get_account_owner
from resolver.services.accounts.quotas import QuotaReached
from resolver.services.comparisons import reruns
from resolver.services.jobs import lifecycle
from resolver.services.jobs.retry import recheck_rows
from resolver.services.proxy_answers.configured_proxy import DoiProxy
from resolver.services.storage.clock import read_clock
from resolver.services.storage.leases import Lease, LeaseColumns
from resolver.services.uploads import stored_uploads
from resolver.services.watches import row_states
from resolver.services.watches.schedule import DAY, find_next_time
from resolver.services.webhooks import events

MOST_UNCHECKED_SHARE = 0.1  # of the rows; a run with more is repeated the next day
KEPT_LISTS = 3  # of a watch: the newest, with their rows
GONE = Message("The uploaded file is no longer available. Upload it again, and watch that list.")
_LEASES = LeaseColumns("claim", "claimed_until")

log = logging.getLogger(__name__)


def advance_watches(now: datetime, *, proxy: DoiProxy) -> Iterator[Job]:
    """Take the steps that are due at `now`, the time of the schedule. Yield each list that the caller must have checked
    before its run continues. Leases and lists have the real time. Errors of a watch are logged, and delay no other."""
    for watch_id in list(_find_due(now).order_by("next_at").values_list("pk", flat=True)):
        try:
            job = _advance(watch_id, now, proxy)
        except Exception:
            log.exception("Watch %s could not be advanced", watch_id)
            _give_up_late_run(watch_id, now)
        else:
            if job is not None:
                yield job


def is_advancing(now: datetime) -> bool:
    """Return whether another process holds a watch that is due, or was killed a moment ago while it did."""
    return _find_due(now).exclude(claim="").filter(claimed_until__gte=read_clock()).exists()


def run_soon(watch: Watch, now: datetime) -> None:
    """Make a run due now, unless one is under way, and resume a paused watch."""
    soon = {} if find_open_run(watch) else {"next_at": now}
    Watch.objects.filter(pk=watch.pk).update(paused_at=None, **soon)
    watch.refresh_from_db()


def find_open_run(watch: Watch) -> WatchRun | None:
    """Return the run that is under way, if any."""
    return WatchRun.objects.filter(watch=watch).exclude(state__in=OVER).select_related("job").first()


def find_newest_run(watch: Watch) -> WatchRun | None:
    """Return the newest run, over or not; None before the first."""
    return WatchRun.objects.filter(watch=watch).order_by("-started_at", "-pk").first()


def prune_runs(before: datetime) -> None:
    """Remove the runs before that time with the changes that they reported."""
    WatchRun.objects.filter(started_at__lt=before, state__in=OVER, mail_due=False).delete()


def _find_due(now: datetime) -> QuerySet[Watch]:
    """Return the watches that are due, but none of a disabled account or of a list that is being deleted."""
    undone = WatchRun.objects.filter(watch=OuterRef("pk")).exclude(state__in=OVER)
    due = Watch.objects.filter(Exists(undone) | Q(paused_at=None, next_at__lte=now))
    inactive = User.objects.filter(is_active=False).values_list("pk", flat=True)
    due = due.exclude(job__owner=lifecycle.OUTLIVED)
    return due.exclude(owner__in=[get_account_owner(account) for account in inactive])


def _advance(watch_id: UUID, now: datetime, proxy: DoiProxy) -> Job | None:
    lease = _LEASES.take(Watch.objects.filter(pk=watch_id), read_clock())
    if lease is None:
        return None
    try:
        with lease.keep(read_clock):
            advance = _Advance(lease, now, proxy)
            while (job := advance.take_step()) is None and not advance.waits:
                pass
        return job
    except _LeaseLost:
        return None
    finally:
        lease.give_back()


def _give_up_late_run(watch_id: UUID, now: datetime) -> None:
    """Fail a run that has had errors for a day: the next run may work."""
    late = WatchRun.objects.filter(watch=watch_id, started_at__lt=now - DAY).exclude(state__in=OVER)
    error = Message("The run kept failing. The portal's log has the error.")
    late.update(state=RunState.FAILED, settled_at=now, error=error)


class _LeaseLost(Exception):
    """Another worker has the watch, or it was deleted."""


class _Advance:
    """The steps of a watch, one after the other. `waits`: nothing more can be done now. Each step reads the watch and
    its run again under the lease, in its own transaction."""

    def __init__(self, lease: Lease[Watch], now: datetime, proxy: DoiProxy) -> None:
        self.lease, self.now, self.proxy = lease, now, proxy
        self.waits = False

    def take_step(self) -> Job | None:
        """Take the next step. Return the list that must be checked before another step, if any."""
        run = find_open_run(self.lease.row)
        if run is None:
            self._begin()
            return None
        if run.state == RunState.STARTING:
            return self._launch(run)
        if run.job is not None and not run.job.ended:
            self.waits = True
            return run.job
        return self._continue(run)

    @contextmanager
    def _held(self, run: WatchRun | None = None) -> Iterator[Watch]:
        """Lock the watch in a transaction. Raises _LeaseLost, also if the run is no longer in that state."""
        with transaction.atomic():
            watch = self.lease.find_row().select_for_update().first()
            if watch is None:
                raise _LeaseLost
            if run is not None and not WatchRun.objects.filter(pk=run.pk, state=run.state).exists():
                raise _LeaseLost
            yield watch

    def _begin(self) -> None:
        with self._held() as watch:
            if watch.paused_at is not None or watch.next_at > self.now:
                self.waits = True
                return
            WatchRun.objects.create(watch=watch, started_at=self.now)
            self._set_next(watch, find_next_time(watch.first_at, Every(watch.every), self.now))

    def _launch(self, run: WatchRun) -> Job | None:
        """Create the list of the run. A repetition for the same run returns the same list."""
        watch = self.lease.row
        try:
            job = reruns.create_rerun(
                watch.job,
                proxy=self.proxy,
                now=read_clock(),
                quick=watch.depth == Depth.EXISTENCE,
                compare=watch.compare,
                background_key=f"watch run {run.pk}",
            )
        except lifecycle.JobStillRunning:  # its owner has it checked at this moment
            self.waits = True
            return None
        except stored_uploads.FileIsGone:
            with self._held(run):
                Watch.objects.filter(pk=watch.pk).update(paused_at=self.now)
                self._fail(run, GONE)
            return None
        except QuotaReached as error:
            with self._held(run):
                self._fail(run, error.args[0])
            return None
        try:
            with self._held(run):
                run.job, run.state, run.total = job, RunState.CHECKING, job.total
                run.save()
        except _LeaseLost:
            if not Watch.objects.filter(pk=watch.pk).exists():
                lifecycle.delete_job(job)
            raise
        return job

    def _continue(self, run: WatchRun) -> Job | None:
        with self._held(run) as watch:
            run.watch = watch
            job = run.job
            if job is None or job.owner == lifecycle.OUTLIVED:
                self._fail(run, Message("The list of this run was deleted."))
            elif run.state == RunState.WAITING:
                return self._confirm(run, job)
            elif job.state == State.CANCELLED:
                self._fail(run, Message("The check of the list was stopped."))
            elif self._count(run, job):
                self._end(run, RunState.INCOMPLETE)
            elif run.state == RunState.CONFIRMING:
                self._settle(run, job, seen_since=run.checked_at)
            else:
                self._judge(run, job)
        self._release_old_lists()
        return None

    def _count(self, run: WatchRun, job: Job) -> bool:
        """Count the rows that couldn't be checked. Return whether these are too many."""
        run.total = job.total
        run.unchecked = sum(job.counts["outcome"].get(str(each), 0) for each in COULD_NOT_ASK) + job.total - job.done
        return run.unchecked > run.total * MOST_UNCHECKED_SHARE

    def _judge(self, run: WatchRun, job: Job) -> None:
        """Settle a run that has its first answers, or let it wait if rows must be checked a second time."""
        run.checked_at = self.now
        watch = run.watch
        if not watch.baseline and not job.quick:
            row_states.learn_full_baseline(watch, job, self.now)
            Watch.objects.filter(pk=watch.pk).update(baseline=True)
        before = run.started_at - row_states.CONFIRMED_AFTER
        if row_states.note_suspects(run, job, self.now, seen_since=before):
            run.state = RunState.WAITING
            run.save()
        else:
            self._settle(run, job, seen_since=before)

    def _confirm(self, run: WatchRun, job: Job) -> Job | None:
        """Have the rows that broke checked a second time when that is due."""
        assert run.checked_at is not None  # noqa: S101 - for the type checker
        if self.now < run.checked_at + row_states.CONFIRMED_AFTER:
            self.waits = True
            return None
        suspected = list(row_states.find_suspects(run.watch).values_list("line", flat=True))
        recheck_rows(job, suspected, proxy=self.proxy, now=read_clock())
        run.state = RunState.CONFIRMING
        run.save()
        return job

    def _settle(self, run: WatchRun, job: Job, *, seen_since: datetime | None) -> None:
        """Store the changes with the states of the rows in one transaction, so that each change is reported once. A row
        that was first seen broken by `seen_since` is confirmed."""
        row_states.settle_rows(run, job, self.now, seen_since=seen_since or self.now)
        if run.newly_broken or run.newly_working:
            run.mail_due = run.watch.mail
        self._end(run, RunState.SETTLED)
        if run.newly_broken or run.newly_working:
            events.record_change(run, read_clock())

    def _fail(self, run: WatchRun, error: Message) -> None:
        run.error = error
        self._end(run, RunState.FAILED)

    def _end(self, run: WatchRun, state: RunState) -> None:
        """End the run. If it has no complete result, another follows the next day."""
        run.state, run.settled_at = state, self.now
        run.save()
        if state != RunState.SETTLED or row_states.find_suspects(run.watch).exists():
            self._set_next(run.watch, min(run.watch.next_at, self.now + DAY))

    def _set_next(self, watch: Watch, at: datetime) -> None:
        Watch.objects.filter(pk=watch.pk).update(next_at=at)
        watch.next_at = at

    def _release_old_lists(self) -> None:
        """Have the lists of all but the newest runs removed: their changes are stored. A list that its owner shares,
        watches, reviews or has checked at this moment becomes a list like any other."""
        watch = self.lease.row
        with_lists = WatchRun.objects.filter(watch=watch, job__isnull=False).exclude(job=watch.job_id)
        for run in with_lists.select_related("job").order_by("-started_at", "-pk")[KEPT_LISTS:]:
            job = run.job
            WatchRun.objects.filter(pk=run.pk).update(job=None)
            if job and job.ended and not (job.share_token or job.review_version or job.watches.exists()):
                lifecycle.disown_job(job)
