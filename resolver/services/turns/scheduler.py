"""Fair turns: a worker serves one owner's lists for a few seconds, so that a big list does not starve small ones.

An owner of turns is an account, or the network address of people without one (`turn_order.py`). The worker serves the
first owner, and sends its next message as soon as there is more work: the owner waits again, behind others of its rank.
So owners take turns, and all workers are busy. Of the owner's lists a new short one comes first, then the one that was
served longest ago: the worker continues its file, then checks rows. The runs of all watches are together one owner with
turns of half the length: lists that people wait for keep more than half of the workers' time, and so of the requests.

The first few rows of a list are checked at once, so that results show early. Then the whole list is prechecked as it
is read (`precheck.py`), and the records follow chunk by chunk. A fast proxy needs neither: its list is checked at once.

If the same list is uploaded twice, the later one waits for the earlier one of any owner, and takes the stored answers:
side by side, both would request each name. `recover_abandoned` resumes the work of killed workers and lost messages.
"""

import logging
import time
import uuid
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from random import uniform

from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from structlog.contextvars import bind_contextvars, unbind_contextvars

from resolver.models import ENDED, Chunk, Job, State, WaitingMessage
from resolver.services.jobs import import_rows, retry
from resolver.services.jobs.chunk_claims import filter_free_chunks, release_chunks
from resolver.services.jobs.lifecycle import build_waiting_condition, end_precheck_if_done, finish_if_done
from resolver.services.proxy_answers.configured_proxy import DoiProxy
from resolver.services.storage.clock import read_clock
from resolver.services.storage.disk_reserve import find_short_disks
from resolver.services.storage.leases import LEASE, TURN_SECONDS, Clock
from resolver.services.storage.storage_errors import FilesUnreachable
from resolver.services.turns import turn_order
from resolver.services.turns.check import LOOK_SECONDS, check_chunk, open_run
from resolver.services.turns.precheck import precheck_chunks
from resolver.services.turns.turn_order import (
    BACKGROUND,
    Send,
    TurnMessage,
    filter_for_turn,
    get_turn_owner,
    request_turn,
)
from resolver.sheets.input.layout import Layout

logger = logging.getLogger(__name__)

FIRST_NAMES = 10  # that are checked before the precheck: a second at the rate for doi.org
LOST_AFTER = timedelta(seconds=30)  # a message that waits longer may be lost
MAX_OPEN_FILES = 3  # that a worker has begun to read, and leaves for others in between

# The files that this process has open: another reader of a file must first skip all rows that are read already.
_open_files: dict[uuid.UUID, Generator[int, None, None]] = {}
# Until then (monotonic seconds) this process begins no file: it could not reach one.
_files_away_until = 0.0


def run_turn(
    owner: str,
    proxy: DoiProxy,
    *,
    send: Send,
    clock: Clock = read_clock,
    turn: float = 10.0,
    piece: float = TURN_SECONDS,
) -> None:
    """Serve the owner's lists for `turn` seconds, or until nothing is left to do. Each gets about `piece` seconds, and
    more until another list waits: it ends within `piece` seconds then, or twice as many while it is prechecked."""
    ends, over = time.monotonic() + choose_length(turn), False
    this_turn = _Turn(proxy, send, clock, piece / 2 if owner == BACKGROUND else piece, ends)
    with proxy.bulk:
        while not over:  # once in any case, however slow the start
            job = _choose_next(owner, clock(), proxy)
            if job is not None:
                # They stay bound after an error: the log of the failed task must name the list.
                bind_contextvars(list_id=str(job.pk), request_id=job.request_id)
                this_turn.serve(job)
                unbind_contextvars("list_id", "request_id")
            elif filter_for_turn(Job.objects.filter(state=State.READING, read_until__gte=clock()), owner).exists():
                # The only worker that has the file open may be between two turns.
                request_turn(owner, clock(), send)
                time.sleep(LOOK_SECONDS)
            else:
                break
            over = time.monotonic() >= ends or WaitingMessage.objects.exclude(owner=owner).exists()
    close_files_no_longer_read()
    _request_turns(clock(), send, proxy)


def choose_length(turn: float) -> float:
    """Return the seconds of one turn, at random up to a third less: turns that begin together must not end together."""
    return turn * uniform(0.7, 1)  # noqa: S311 - no secret


def recover_abandoned(now: datetime, send: Send) -> None:
    """End jobs and prechecks whose worker was killed just before it did, and send a message for each owner that has
    work and no message. The worker that gets the message finds the work, expired leases included.

    A message that has waited for long may be lost, and is sent again with the same token: if it still waits, it keeps
    its place in the queue, and the second one is a duplicate.
    """
    close_files_no_longer_read()
    for job_id in Job.objects.filter(state=State.CHECKING).values_list("pk", flat=True):
        end_precheck_if_done(job_id)
        finish_if_done(job_id, now)
    for lost in WaitingMessage.objects.filter(sent_at__lt=now - LOST_AFTER):
        if WaitingMessage.objects.filter(owner=lost.owner, token=lost.token).update(sent_at=now):
            send(TurnMessage(lost.owner, lost.token))
    _request_turns(now, send)


def put_back_list(job: Job) -> bool:
    """Take the list from the workers that hold its file or its chunks, and delete the message that waits for its owner,
    which may be lost. The caller sends another. Return whether the list was still running. Such a worker stores nothing
    more, and its chunk counts as tried once. A chunk that is to be emptied stays marked."""
    with transaction.atomic():
        # Writers of rows lock the job first, too.
        unended = Job.objects.filter(pk=job.pk).exclude(state__in=ENDED)
        if not unended.update(reader="", read_until=None, served_at=None):
            return False
        release_chunks(Chunk.objects.filter(job=job))
        WaitingMessage.objects.filter(owner=get_turn_owner(job)).delete()
    return True


def close_files_no_longer_read() -> None:
    """Close the files of lists that were read to the end, cancelled or deleted: open files take disk space."""
    if _open_files:
        read = set(Job.objects.filter(pk__in=list(_open_files), state=State.READING).values_list("pk", flat=True))
        for job_id in _open_files.keys() - read:
            del _open_files[job_id]


def leave_files_to_others(seconds: float = 60.0) -> None:
    """Begin no file in this process for so many seconds, after it could not reach one. Others may."""
    global _files_away_until
    _files_away_until = time.monotonic() + seconds


@dataclass(frozen=True, slots=True)
class _Turn:
    proxy: DoiProxy
    send: Send
    clock: Clock
    piece: float
    ends: float  # monotonic seconds

    def serve(self, job: Job) -> None:
        """Read some of the file, then check some rows, for longer if no other owner waits."""
        if filter_for_turn(_find_open_jobs(self.clock(), self.proxy), get_turn_owner(job)).exists():
            self.send_next(job)
        chunks = Chunk.objects.filter(job=job).order_by("number")
        with open_run(proxy=self.proxy, clock=self.clock) as run:
            if job.state in (State.QUEUED, State.READING) and not find_short_disks():
                self.read(job)
            retry.empty_marked_chunks(job, clock=self.clock, until=time.monotonic() + self.piece / 2)
            until = time.monotonic() + self.piece
            if _is_prechecking(job):
                self.precheck(job, chunks, until)
                if _is_prechecking(job):  # by other workers, or the file is still being read
                    return
                self.send_next(job)  # a worker that found nothing left to precheck may come back
            run.until, run.stay_on = until, partial(self.stay_on, job)
            run.check_all(self.free_chunks(chunks))

    def precheck(self, job: Job, chunks: QuerySet[Chunk], until: float) -> None:
        """Check the first few names of the list, and precheck its chunks."""
        unseen = filter_free_chunks(chunks.filter(number=0, job__done=0), self.clock())
        for chunk_id in unseen.values_list("pk", flat=True)[:1]:
            check_chunk(chunk_id, proxy=self.proxy, clock=self.clock, until=until, names_at_most=FIRST_NAMES)
        precheck_chunks(job.pk, proxy=self.proxy, clock=self.clock, until=until)

    def stay_on(self, job: Job, until: float) -> float:
        """Return until when this list is served. Leaving it costs time: the next worker reads its rows again."""
        now, owner = time.monotonic(), get_turn_owner(job)
        if not now < until < self.ends or until - now > self.piece / 2:  # there is time to look later
            return until
        if WaitingMessage.objects.exclude(owner=owner).exists():
            return until
        others = filter_for_turn(_find_open_jobs(self.clock(), self.proxy), owner).exclude(pk=job.pk)
        if others.exists() or not Job.objects.filter(pk=job.pk).exclude(state__in=ENDED).exists():
            return until
        return max(until, min(now + self.piece, self.ends))

    def read(self, job: Job) -> None:
        """Read chunks of the file: for a moment as long as the job has no checked row, so that results show early and
        other workers have chunks to check; else until another list waits."""
        began, until = self.clock(), time.monotonic() + self.piece / (2 if job.done else 10)
        reading = _open_files.pop(job.pk, None) or import_rows.read_into_rows(job.pk, clock=self.clock)
        try:
            for _ in reading:
                self.send_next(job)
                if time.monotonic() > until and (job.done == 0 or self.do_others_wait(began)):
                    _open_files[job.pk] = reading
                    break
        except FilesUnreachable as error:
            logger.warning("The uploaded file can't be reached from this worker. The list waits.", exc_info=error)
            leave_files_to_others()
        close_files_no_longer_read()
        while len(_open_files) > MAX_OPEN_FILES:
            left = next(iter(_open_files))
            oldest = _open_files.pop(left)
            # A long file is searched as a whole before its first row is read: it waits until the lease expires.
            layout = Job.objects.filter(pk=left).values_list("layout", flat=True).first()
            if layout and Layout.from_json(layout).complete:
                import_rows.give_file_back(oldest)

    def free_chunks(self, chunks: QuerySet[Chunk]) -> Iterator[int]:
        """Yield the chunks that no worker holds at that moment."""
        unended, last = chunks.exclude(job__state__in=ENDED), -1
        while found := filter_free_chunks(unended.filter(number__gt=last), self.clock()).first():
            last = found.number
            yield found.pk

    def do_others_wait(self, began: datetime) -> bool:
        not_served_since = Q(served_at=None) | Q(served_at__lte=began)
        return _find_open_jobs(self.clock(), self.proxy).filter(not_served_since).exists()

    def send_next(self, job: Job) -> None:
        request_turn(get_turn_owner(job), self.clock(), self.send)


def _request_turns(now: datetime, send: Send, proxy: DoiProxy | None = None) -> None:
    """Send for each owner with work that no worker holds, also if their list has waited for one that has ended."""
    waiting = _find_open_jobs(now, proxy).annotate(turn_owner=turn_order.turn_owner)
    for owner in waiting.order_by("background", "turn_owner").values_list("turn_owner", flat=True).distinct():
        request_turn(owner, now, send)


def _choose_next(owner: str, now: datetime, proxy: DoiProxy) -> Job | None:
    """Return the owner's next list, marked as served; None if other workers hold all its work."""
    waiting = filter_for_turn(_find_open_jobs(now, proxy), owner)
    for _ in range(3):  # another worker may choose the same at the same moment
        job = waiting.order_by(turn_order.short_first, F("served_at").asc(nulls_first=True), "created_at").first()
        if job is None:
            return None
        ours = {"served_at": now, "proxy": proxy.base_url, **({"sample": True} if proxy.sample else {})}
        if proxy.config.is_fast and job.prechecking:  # a check without it is as quick
            ours |= {"prechecking": False, "precheck": None}
        if Job.objects.filter(pk=job.pk, served_at=job.served_at).update(**ours):
            return job
    return None


def _find_open_jobs(now: datetime, proxy: DoiProxy | None) -> QuerySet[Job]:
    """Return open jobs with work that no worker holds: a file to read, while the disks have room, or a chunk to
    precheck or, after the precheck, to check. A job waits for an older identical one.

    A job of another proxy (from the shell, or from before the settings changed) is left to its workers while it has
    any. A process that can't reach the files leaves them to others.
    """
    unread = Q(import_rows.READER.build_unattended_condition(now), state__in=(State.QUEUED, State.READING))
    open_here = Q(state=State.READING, pk__in=list(_open_files))
    if proxy is not None and time.monotonic() < _files_away_until:
        unread = Q(pk__in=[])
    to_read = Q(pk__in=[]) if find_short_disks() else unread | open_here
    chunks = filter_free_chunks(Chunk.objects.filter(job=OuterRef("pk")), now)
    to_precheck = Q(Exists(chunks.filter(prechecked=False)), prechecking=True)
    to_check = Q(Exists(chunks), prechecking=False)
    found = Job.objects.exclude(state__in=ENDED).filter(to_read | to_precheck | to_check)
    found = found.exclude(build_waiting_condition(now))
    if proxy is None:
        return found
    held = Chunk.objects.filter(job=OuterRef("pk"), claimed_until__gte=now)
    return found.filter(Q(proxy=proxy.base_url) | Q(heartbeat_at__lt=now - LEASE) & ~Q(Exists(held)))


def _is_prechecking(job: Job) -> bool:
    return Job.objects.filter(pk=job.pk, prechecking=True).exists()
