"""What is of no use any more is removed, a little at a time, so that nobody who writes has to wait."""

import shutil
import time
from datetime import datetime, timedelta
from pathlib import Path

from django.db import transaction
from django.db.models import Q

from resolver import conf
from resolver.models import Job, StoredAnswer
from resolver.services import jobs
from resolver.services.owners import SHELL

AT_ONCE = 2000  # answers looked at, and removed in one transaction
LEFT_BEHIND = timedelta(days=1)  # longer than any upload takes, and any command runs without a sign of life


def prune(now: datetime) -> None:
    """Everything of these kinds; may be killed at any moment, and run by several at once."""
    prune_answers(now)
    prune_jobs_of_the_shell(now)
    prune_files(now)


def prune_answers(now: datetime) -> int:
    """Remove the answers that are too old to be taken for true (P13); how many they were.

    All are looked at, some thousand at a time in the order of their numbers. An index of their ages would have to be
    written with each answer, and costs more than a look through the table a few times an hour.
    """
    since = now - conf.fresh_for()
    stale = StoredAnswer.objects.filter(
        Q(answer_at=None) | Q(answer_at__lt=since), Q(agency_at=None) | Q(agency_at__lt=since)
    )
    removed, last = 0, 0
    while True:
        ahead = StoredAnswer.objects.filter(pk__gt=last).order_by("pk").values_list("pk", flat=True)
        numbers = list(ahead[:AT_ONCE])
        if not numbers:
            return removed
        here, last = stale.filter(pk__gt=last, pk__lte=numbers[-1]), numbers[-1]
        if not here.exists():  # then SQLite's only place for a writer is not taken
            continue
        with transaction.atomic():
            # Who waits for a row while holding others may block a worker for ever that waits for those: one that is
            # being written is left, and is fresh thereafter.
            held = here.select_for_update(skip_locked=True)
            removed += StoredAnswer.objects.filter(pk__in=held.values("pk")).delete()[0]


def prune_jobs_of_the_shell(now: datetime) -> None:
    """Remove the jobs of commands that were killed: nobody can come for them."""
    for job in Job.objects.filter(owner=SHELL, heartbeat_at__lt=now - LEFT_BEHIND):
        jobs.delete(job)


def prune_files(now: datetime) -> None:
    """Remove uploads without a job (it was deleted, or its web process was killed before there was one), and what came
    in and was never taken, or is half a message to a worker: files that nobody has written to for a day. A folder among
    the latter is none of ours, and stays."""
    for folder in _untouched(conf.uploads_dir(), now):
        if not Job.objects.filter(upload=folder.name).exists():
            shutil.rmtree(folder, ignore_errors=True)
    messages = conf.messages_dir()
    half = _untouched(messages, now, "*.half") if messages else []  # the name until a message is written to its end
    for file in (*_untouched(conf.incoming_dir(), now), *half):
        if not file.is_dir():
            file.unlink(missing_ok=True)


def _untouched(folder: Path, now: datetime, pattern: str = "*") -> list[Path]:
    before = (now - LEFT_BEHIND).timestamp()
    return [path for path in folder.glob(pattern) if _last_written(path) < before]


def _last_written(path: Path) -> float:
    """Of the folder or of what lies in it; now, where it is just being removed by another."""
    try:
        return max(one.stat().st_mtime for one in (path, *(path.iterdir() if path.is_dir() else ())))
    except OSError:
        return time.time()
