"""The runs of watches: started when they are due, checked as any list is, confirmed a day later, and settled.

Whoever advances a watch holds its lease, and each step is one transaction that ends in another state: a worker that is
killed in between repeats the step, and its successor finds either all of it or nothing.
"""

from collections.abc import Iterator
from datetime import datetime

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from resolver.domain.message import Message
from resolver.domain.report.outcome import COULD_NOT_ASK
from resolver.models import Depth, Every, Job, RunState, State, Watch, WatchedRow, WatchRun
from resolver.models.watches import OVER
from resolver.services.comparisons import reruns
from resolver.services.jobs import lifecycle, uploads
from resolver.services.jobs.recheck import recheck_rows
from resolver.services.leases import Clock, LeaseColumns
from resolver.services.proxy_answers.configured_proxy import DoiProxy
from resolver.services.quotas import QuotaReached
from resolver.services.watches import row_states
from resolver.services.watches.schedule import DAY, find_next_time
from resolver.services.webhooks import events

MOST_UNCHECKED = 0.1  # of the rows; a run with more repeats the next day
KEPT_LISTS = 3  # of a watch: the newest, with their rows
_LEASES = LeaseColumns("claim", "claimed_until")


def advance_watches(now: datetime, *, proxy: DoiProxy, clock: Clock = timezone.now) -> Iterator[Job]:
    """Do what is due at `now`, the time of the schedule. Yield the lists that are to be checked before a run goes on;
    the caller has them checked. `clock` gives the time of leases and of lists."""
    for watch_id in list(_find_due(now).order_by("next_at").values_list("pk", flat=True)):
        if job := _advance(Watch.objects.filter(pk=watch_id).select_related("job"), now, proxy, clock):
            yield job


def is_advancing(now: datetime, clock: Clock = timezone.now) -> bool:
    """Return whether another process holds a watch with something to do, or was killed over it a moment ago."""
    return _find_due(now).exclude(claim="").filter(claimed_until__gte=clock()).exists()


def run_soon(watch: Watch, now: datetime) -> None:
    """Make a run due now, unless one is under way. A paused watch goes on."""
    Watch.objects.filter(pk=watch.pk).update(next_at=now, paused_at=None)
    watch.refresh_from_db()


def find_open_run(watch: Watch) -> WatchRun | None:
    """Return the run that is under way, if any."""
    return WatchRun.objects.filter(watch=watch).exclude(state__in=OVER).select_related("job").first()


def find_newest_run(watch: Watch) -> WatchRun | None:
    """Return the newest run, over or not; None before the first."""
    return WatchRun.objects.filter(watch=watch).order_by("-started_at", "-pk").first()


def prune_runs(before: datetime) -> None:
    """Remove the runs before that time, with what was told then."""
    WatchRun.objects.filter(started_at__lt=before, state__in=OVER, mail_due=False).delete()


def _find_due(now: datetime) -> QuerySet[Watch]:
    undone = WatchRun.objects.filter(watch=OuterRef("pk")).exclude(state__in=OVER)
    return Watch.objects.filter(Exists(undone) | Q(paused_at=None, next_at__lte=now))


def _advance(one: QuerySet[Watch], now: datetime, proxy: DoiProxy, clock: Clock) -> Job | None:
    lease = _LEASES.take(one, clock())
    if lease is None:
        return None
    try:
        with lease.kept(clock):
            step = _Step(lease.row, now, proxy, clock)
            while (job := step.take()) is None and not step.waits:
                pass
            return job
    finally:
        lease.give_back()


class _Step:
    """One step of a watch after the other. `waits`: nothing more is to be done now."""

    def __init__(self, watch: Watch, now: datetime, proxy: DoiProxy, clock: Clock) -> None:
        self.watch, self.now, self.proxy, self.clock = watch, now, proxy, clock
        self.waits = False

    def take(self) -> Job | None:
        """Take the next step. Return the list that is to be checked before another one can be taken, if any."""
        run = find_open_run(self.watch)
        if run is None:
            self._begin()
            return None
        run.watch = self.watch
        if run.state == RunState.STARTING:
            return self._launch(run)
        if run.job is None:
            self._fail(run, Message("The list of this run was deleted."))
            return None
        if not run.job.ended:
            self.waits = True
            return run.job
        return self._go_on(run, run.job)

    def _begin(self) -> None:
        if self.watch.paused_at is not None or self.watch.next_at > self.now:
            self.waits = True
            return
        with transaction.atomic():
            WatchRun.objects.create(watch=self.watch, started_at=self.now)
            self._set_next(find_next_time(self.watch.first_at, Every(self.watch.every), self.now))

    def _launch(self, run: WatchRun) -> Job | None:
        quick = self.watch.depth == Depth.EXISTENCE
        try:
            job = reruns.create_rerun(
                self.watch.job,
                proxy=self.proxy,
                now=self.clock(),
                quick=quick,
                background_key=f"watch run {run.pk}",
            )
        except lifecycle.JobStillRunning:  # its owner checks it at this moment
            self.waits = True
            return None
        except uploads.FileIsGone:
            Watch.objects.filter(pk=self.watch.pk).update(paused_at=self.now)
            self.watch.paused_at = self.now
            self._fail(run, Message("The uploaded file is no longer available. Upload it again, and watch that list."))
            return None
        except QuotaReached as error:
            self._fail(run, error.args[0])
            return None
        run.job, run.state, run.total = job, RunState.CHECKING, job.total
        run.save(update_fields=("job", "state", "total"))
        return job

    def _go_on(self, run: WatchRun, job: Job) -> Job | None:
        if run.state == RunState.WAITING:
            return self._confirm(run, job)
        if job.state == State.CANCELLED:
            self._fail(run, Message("The check of the list was stopped."))
        elif run.state == RunState.CONFIRMING:
            self._settle(run, job)
        else:
            self._judge(run, job)
        return None

    def _judge(self, run: WatchRun, job: Job) -> None:
        """Say what becomes of a run that has its first answers."""
        run.total, run.checked_at = job.total, self.now
        run.unchecked = sum(job.counts["outcome"].get(str(each), 0) for each in COULD_NOT_ASK) + job.total - job.done
        if run.unchecked > run.total * MOST_UNCHECKED:
            self._end(run, RunState.INCOMPLETE)
            return
        if not self.watch.baseline:
            self._learn(run, job)
            return
        with transaction.atomic():
            if row_states.note_suspects(run, job, self.now):
                run.state = RunState.WAITING
                run.save(update_fields=("state", "total", "unchecked", "checked_at"))
                return
        self._settle(run, job)

    def _learn(self, run: WatchRun, job: Job) -> None:
        with transaction.atomic():
            WatchedRow.objects.filter(watch=self.watch).delete()
            row_states.learn_baseline(self.watch, job, self.now)
            Watch.objects.filter(pk=self.watch.pk).update(baseline=True)
            self.watch.baseline = True
            self._settle(run, job)

    def _confirm(self, run: WatchRun, job: Job) -> Job | None:
        assert run.checked_at is not None  # noqa: S101 - for the type checker
        if self.now < run.checked_at + row_states.CONFIRMED_AFTER:
            self.waits = True
            return None
        with transaction.atomic():
            recheck_rows(job, row_states.list_suspected_lines(self.watch), proxy=self.proxy, now=self.clock())
            run.state = RunState.CONFIRMING
            run.save(update_fields=("state",))
        return job

    def _settle(self, run: WatchRun, job: Job) -> None:
        """Store what is told with what is known: one transaction, so that each change is told once."""
        with transaction.atomic():
            row_states.settle_rows(run, job, self.now)
            if run.newly_broken or run.newly_working:
                run.mail_due = self.watch.mail
                run.state, run.settled_at = RunState.SETTLED, self.now
                events.record_change(run, self.clock())
            self._end(run, RunState.SETTLED)

    def _fail(self, run: WatchRun, error: Message) -> None:
        run.error = error
        self._end(run, RunState.FAILED)

    def _end(self, run: WatchRun, state: RunState) -> None:
        with transaction.atomic():
            run.state, run.settled_at = state, self.now
            run.save()
            if state != RunState.SETTLED:
                self._set_next(min(self.watch.next_at, self.now + DAY))
        self._remove_old_lists()

    def _set_next(self, at: datetime) -> None:
        Watch.objects.filter(pk=self.watch.pk).update(next_at=at)
        self.watch.next_at = at

    def _remove_old_lists(self) -> None:
        """Remove the lists of all but the newest runs: what they found is told."""
        with_lists = WatchRun.objects.filter(watch=self.watch, job__isnull=False).exclude(job=self.watch.job_id)
        for run in with_lists.select_related("job").order_by("-started_at", "-pk")[KEPT_LISTS:]:
            if run.job and not run.job.watches.exists():
                lifecycle.delete_job(run.job)
