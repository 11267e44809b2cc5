"""Remove what is no longer needed, a little at a time, so that no writer has to wait."""

from collections.abc import Collection, Mapping
from datetime import datetime, timedelta
from itertools import islice
from pathlib import Path

from django.conf import settings
from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import Exists, OuterRef, Q
from django.db.models.functions import Coalesce, Greatest

from resolver import conf
from resolver.models import ENDED, Comparison, Draft, InFlightRequest, Job, Lookup, StoredAnswer, Watch, WatchRun
from resolver.services.account_data.removal import delete_data_of_deleted_accounts
from resolver.services.accounts import quotas
from resolver.services.accounts.owners import SHELL
from resolver.services.comparisons.compare import build_current_condition
from resolver.services.doi_limits import doi_limit
from resolver.services.health.heartbeats import prune_heartbeats
from resolver.services.http.idempotent_requests import prune_kept_answers
from resolver.services.jobs import drafts, lifecycle
from resolver.services.jobs.lifecycle import OUTLIVED
from resolver.services.logins.attempts import prune_attempts
from resolver.services.maintenance.independent_steps import run_each
from resolver.services.maintenance.sqlite_space import give_space_back
from resolver.services.proxy_answers.stored_searches import prune_searches
from resolver.services.storage import batched_removal, files
from resolver.services.storage.batched_removal import remove_comparison, remove_in_batches
from resolver.services.storage.keyset import iterate_batches
from resolver.services.uploads import daily_upload_bytes, stored_uploads
from resolver.services.watches.runs import prune_runs
from resolver.services.webhooks.deliveries import prune_deliveries
from resolver.services.works import daily_searches

COMPARISON_LIFETIME = timedelta(days=30)
_TIMES = ("record_at", "agency_at", "metadata_at")  # of a stored answer
LEFT_BEHIND = timedelta(days=1)  # longer than any upload takes, or any command is silent


def prune_all(now: datetime) -> None:
    """Remove all kinds; may be killed at any moment, and run by several workers at once."""
    run_each(
        (
            ("remove stored answers", lambda: prune_answers(now)),
            ("remove answers of searches", lambda: prune_searches(now)),
            ("remove requests in flight", lambda: prune_in_flight_requests(now)),
            ("remove kept answers", lambda: prune_kept_answers(now)),
            ("remove jobs of commands", lambda: prune_shell_jobs(now)),
            ("remove data of deleted accounts", delete_data_of_deleted_accounts),
            ("remove lookups", lambda: prune_lookups(now)),
            ("remove lists", lambda: prune_lists(now)),
            ("remove comparisons", lambda: prune_comparisons(now)),
            ("remove runs of watches", lambda: prune_watch_runs(now)),
            ("remove deliveries", lambda: prune_deliveries(now)),
            ("remove heartbeats", lambda: prune_heartbeats(now)),
            ("remove drafts", lambda: drafts.prune_drafts(now)),
            ("remove files", lambda: prune_files(now)),
            # What an anonymous visitor stored stays until the retention time.
            ("remove sessions", lambda: remove_in_batches(Session.objects.filter(expire_date__lt=now), "expire_date")),
            ("remove logins that failed", lambda: prune_attempts(now)),
            ("remove counts of DOIs", doi_limit.prune_counts),
            ("remove counts of uploads", daily_upload_bytes.prune_counts),
            ("remove counts of searches", daily_searches.prune_counts),
            ("remove uses of quotas", lambda: quotas.prune_uses(now)),
            ("give space back", give_space_back),
        )
    )


def prune_answers(now: datetime) -> int:
    """Remove the answers that no longer count (P13), and the oldest of more than may be stored. Return their number."""
    answers, metadata = now - conf.answer_lifetime(), now - conf.metadata_lifetime()
    removed = _remove_answers(_build_older_condition({**dict.fromkeys(_TIMES, answers), "metadata_at": metadata}))
    beyond = StoredAnswer.objects.count() - settings.MAX_STORED_ANSWERS
    if beyond <= 0:
        return removed
    # Only the time is fetched. Answers of one moment are removed in any order.
    last = Greatest(*(Coalesce(*_TIMES[place:], *_TIMES[:place]) for place in range(len(_TIMES))))
    until = StoredAnswer.objects.order_by(last.asc()).values_list(last, flat=True)[beyond - 1]
    return removed + _remove_answers(
        _build_older_condition(dict.fromkeys(_TIMES, until + timedelta(microseconds=1))), beyond
    )


def _build_older_condition(times: Mapping[str, datetime]) -> Q:
    unused = Q()
    for column, time in times.items():
        unused &= Q((column, None)) | Q((f"{column}__lt", time))
    return unused


def _remove_answers(which: Q, most: int | None = None) -> int:
    """Read through the table, some thousand rows at a time. An index of ages, written with each answer, costs more."""
    these, removed = StoredAnswer.objects.filter(which), 0
    for batch in iterate_batches(
        StoredAnswer.objects.values_list("pk", named=True), ("pk",), batched_removal.ITEMS_PER_TRANSACTION
    ):
        if most is not None and removed >= most:
            break
        here = these.filter(pk__range=(batch[0].pk, batch[-1].pk))
        if not here.exists():  # SQLite has one writer at a time
            continue
        with transaction.atomic():
            # No deadlock with a worker: a row that is being written is left, and is fresh then.
            free = here.select_for_update(skip_locked=True).values_list("pk", flat=True)
            # Fetched first: PostgreSQL may run a query inside a DELETE once for each row, and find others each time.
            some = list(free if most is None else free[: most - removed])
            removed += StoredAnswer.objects.filter(pk__in=some).delete()[0]
    return removed


def prune_in_flight_requests(now: datetime) -> None:
    """Remove requests in flight that ended a minute ago, with their failures."""
    over = now - timedelta(minutes=1)
    # Without an end: its process was killed before it took the lease.
    InFlightRequest.objects.filter(Q(until__lt=over) | Q(until=None, asked_at__lt=over)).delete()


def prune_shell_jobs(now: datetime) -> None:
    """Remove the jobs of commands that were killed."""
    for job in Job.objects.filter(owner=SHELL, heartbeat_at__lt=now - LEFT_BEHIND):
        lifecycle.delete_job(job)


def prune_files(now: datetime) -> None:
    """Remove files that were not written to for a day: uploads without a draft or job (deleted, or its web process was
    killed), unfinished request bodies, and half messages to workers. Folders among the last two are not ours."""
    untouched = files.iterate_untouched(now - LEFT_BEHIND)
    while names := list(islice(untouched, files.FILES_PER_PAGE)):
        for name in _find_unowned(names):
            stored_uploads.delete_upload(name)
    messages = conf.broker_dir()
    # The name of a message until it is written to its end.
    half = _list_untouched(messages, now, "*.half") if messages else []
    for file in (*_list_untouched(settings.FILE_UPLOAD_TEMP_DIR, now), *half):
        file.unlink(missing_ok=True)


def _find_unowned(names: Collection[str]) -> set[str]:
    left = set(names)
    for owner in (Draft, Job):  # the draft first: it becomes a job
        left -= set(owner.objects.filter(upload__in=left).values_list("upload", flat=True))
    return left


def _list_untouched(folder: Path, now: datetime, pattern: str = "*") -> list[Path]:
    before = (now - LEFT_BEHIND).timestamp()
    found = (path for path in folder.glob(pattern) if not path.is_dir())
    return [path for path in found if files.find_last_write(path) < before]


def get_removal_time(one: Job | Lookup) -> datetime | None:
    """Return when it is removed; None if only by hand. The time of a list starts with its last end."""
    keep = conf.retention_period()
    ended = one.finished_at if isinstance(one, Job) else None
    return max(one.created_at, ended or one.created_at) + keep if keep else None


def prune_lookups(now: datetime) -> None:
    """Remove lookups beyond the retention time."""
    if (keep := conf.retention_period()) is not None:
        remove_in_batches(Lookup.objects.filter(created_at__lt=now - keep), "created_at")


def prune_lists(now: datetime) -> None:
    """Delete ended lists beyond the retention time, but none that is watched, nor the newest runs of a watch. The sweep
    removes their rows."""
    if (keep := conf.retention_period()) is not None:
        watched = Exists(Watch.objects.filter(job=OuterRef("pk"))) | Exists(WatchRun.objects.filter(job=OuterRef("pk")))
        old = Job.objects.filter(~watched, created_at__lt=now - keep, state__in=ENDED).exclude(owner=OUTLIVED)
        old = old.exclude(finished_at__gte=now - keep)
        lifecycle.disown_jobs(old)


def prune_watch_runs(now: datetime) -> None:
    """Remove the runs of watches that are older than the retention time, with the changes that they reported."""
    if (keep := conf.retention_period()) is not None:
        prune_runs(now - keep)


def prune_comparisons(now: datetime) -> None:
    """Remove the comparisons of lists that were checked again since, and those older than COMPARISON_LIFETIME."""
    for comparison in Comparison.objects.filter(
        ~build_current_condition() | Q(created_at__lt=now - COMPARISON_LIFETIME)
    ):
        remove_comparison(comparison)
