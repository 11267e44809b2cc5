"""Going on with a job that has ended: the rows without an answer, or without all of it, are asked, and no others."""

import time
from datetime import datetime

from django.db import transaction
from django.db.models import Max

from resolver.domain.report.report import COULD_NOT_ASK
from resolver.models import Job, Row, State
from resolver.services.jobs import reopening
from resolver.services.proxy_answers.doi_proxy import Proxy
from resolver.sheets.input.read import Layout

AT_ONCE = 0.5  # seconds: a person waits, and a list of some thousand rows shows at once what is left


class StillRunning(Exception):
    """The job has not ended: what is left is being asked anyway."""


class NothingToAsk(Exception):
    """Every row of the job has its whole answer."""


def left_to_ask(job: Job) -> int:
    """How many rows `ask_again` would ask: those that could not be asked, or not for all, and those of a job
    that was stopped before anybody asked; none while the job runs. Of a job that was stopped before its file was read
    to the end, the rows that are known of: there are more."""
    if not job.ended:
        return 0
    in_vain = sum(job.counts["outcome"].get(str(outcome), 0) for outcome in COULD_NOT_ASK)
    unread = not job.layout.get("complete", True)  # nobody knows how many rows more there are: one at least
    return in_vain + job.incomplete + max(int(unread), job.total - job.done)


def ask_again(job: Job, *, proxy: Proxy, now: datetime) -> None:
    """Take the job up again at that proxy, all or nothing; `job` is as it then is. Rows that have their whole answer
    keep it.

    The chunks are marked, and emptied of the rows that could not be asked for half a second; workers go on with the
    rest (`reopening.py`), and until then these rows keep their outcome and are counted. So it takes no longer for a
    million rows than for thousands. Raises StillRunning, NothingToAsk, or Job.DoesNotExist where it was deleted
    meanwhile. The caller starts `tasks.read_job` once this is committed; the sweep does it when nobody else could.
    """
    with transaction.atomic():
        # Writers of rows hold this lock too. Whoever comes second finds the job running.
        held = Job.objects.select_for_update().get(pk=job.pk)
        if not held.ended:
            raise StillRunning
        if not left_to_ask(held):
            raise NothingToAsk
        held.error, held.state = _goes_on_as(held)
        reopening.mark(held)
        # Few rows of each chunk are left, or what Which RA said of them is stored: asking it first would gain nothing.
        held.surveying = False
        held.finished_at, held.heartbeat_at, held.proxy = None, now, proxy.base_url
        held.save(update_fields=("state", "error", "surveying", "finished_at", "heartbeat_at", "proxy"))
    reopening.empty_next(held, clock=lambda: now, until=time.monotonic() + AT_ONCE)
    job.refresh_from_db()


def _goes_on_as(job: Job) -> tuple[str, State]:
    """The error that stays, and the state: queued where lines of the file are still to be read, else checking."""
    if job.state == State.FAILED:
        return job.error, State.CHECKING  # a line that cannot be read: it stays so, but the rows before it are asked
    last = Row.objects.filter(job=job).aggregate(line=Max("line"))["line"] or 0
    layout = Layout.from_json(job.layout)
    return "", State.CHECKING if layout.complete and last >= layout.total else State.QUEUED
