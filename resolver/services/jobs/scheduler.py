"""Whose turn it is: workers choose the next piece of work themselves, so that a big job does not starve small ones.

The owner least recently served comes first, and of the owner's jobs the one least recently served. A worker serves a
job for a few seconds (it reads on in the file, then checks rows) and chooses again. As long as there is work that
nobody holds, one message waits in the queue: a free worker who gets it asks for the next, so all are at work.

Within a job the first few rows are checked at once, so that something is to be seen; then Which RA is asked for the
whole list as it is read (`precheck.py`); then the records, chunk by chunk.

Of the same list uploaded twice at once the later waits for the earlier, whoever owns it, and is answered by what is
stored: side by side, both would ask for each name before the other has stored the answer. What was left lying, because
a worker was killed or a message was lost, is found by the sweep.
"""

import time
import uuid
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta

from django.db import IntegrityError
from django.db.models import Exists, Max, OuterRef, Q, QuerySet
from django.utils import timezone

from resolver.models import ENDED, Chunk, Job, State, Turn
from resolver.services.jobs import import_rows, retry
from resolver.services.jobs.check import check_chunk, check_chunks
from resolver.services.jobs.chunk_claims import free
from resolver.services.jobs.lifecycle import end_survey_if_done, finish_if_done
from resolver.services.jobs.precheck import survey_chunks
from resolver.services.keyset import Edge, beyond
from resolver.services.leases import LEASE, Clock
from resolver.services.proxy_answers.doi_proxy import DoiProxy

WORKED_ON = 6 * LEASE  # since a sign of life: whoever waits longer for a list at which nobody works waits in vain
_OPEN = [state for state in State if state not in ENDED]


def waits(now: datetime) -> Q:
    """Of jobs: there is an older one with the same file, to be checked in the same way, that is being worked on.

    The older one never waits for the younger, so that nobody waits in a circle. The sub-query looks at jobs with that
    file alone.
    """
    same = {column: OuterRef(column) for column in ("digest", "column", "quick", "proxy")}
    older = Q(created_at__lt=OuterRef("created_at")) | Q(created_at=OuterRef("created_at"), pk__lt=OuterRef("pk"))
    alive = Job.objects.filter(older, state__in=_OPEN, heartbeat_at__gte=now - WORKED_ON, **same)
    return ~Q(digest="") & Q(Exists(alive))


def is_waiting(job: Job, now: datetime) -> bool:
    """Whether that is why nothing happens in the job."""
    return not job.ended and Job.objects.filter(waits(now), pk=job.pk).exists()


TURN = 5.0  # seconds for which a worker serves jobs before it looks into the queue again
PIECE = 2.0  # seconds for which it serves one job while others wait
FIRST_NAMES = 10  # that are checked before the list is surveyed: a second at the rate that doi.org is asked at
LOST_AFTER = timedelta(seconds=30)  # a message that waits longer may be lost
OPEN_FILES = 3  # files that a worker has begun to read, and leaves for others in between
POLL = 0.2

_NEVER = datetime.min.replace(tzinfo=UTC)
# The files that this process has open: a reader who comes to a file anew must pass by all rows that are read already.
_readings: dict[uuid.UUID, Iterator[int]] = {}


def ask_for_one(now: datetime) -> Iterator[str]:
    """The token of the message to be sent, or nothing when one waits already."""
    token = str(uuid.uuid4())
    none = Turn.objects.filter(Q(token="") | Q(asked_at__lt=now - LOST_AFTER), pk=1)
    if none.update(token=token, asked_at=now):
        yield token
    elif not Turn.objects.filter(pk=1).exists():
        with suppress(IntegrityError):  # another was first, and sends the message
            Turn.objects.create(pk=1, token=token, asked_at=now)
            yield token


def begin(token: str) -> bool:
    """Whether the message is the one that waits; it no longer does."""
    return bool(Turn.objects.filter(pk=1, token=token).update(token="", asked_at=None))


def is_work_left(now: datetime, proxy: DoiProxy | None = None) -> bool:
    """Whether there is work that nobody holds."""
    return _to_be_served(now, proxy).exists()


def take(proxy: DoiProxy, *, clock: Clock = timezone.now) -> Iterator[str]:
    """Serve jobs until the turn is over or nothing is left to do; yields the token of each message to be sent."""
    ends, over = time.monotonic() + TURN, False
    with proxy.bulk:
        while not over:  # once in any case, however slow the start
            job = _next(clock(), proxy)
            if job is not None:
                yield from _serve(job, proxy, clock)
            elif _is_read_elsewhere(clock()):
                # By a worker who is between two turns, perhaps, and the only one who has the file open.
                yield from ask_for_one(clock())
                time.sleep(POLL)
            else:
                break
            over = time.monotonic() >= ends
    close_what_is_no_longer_read()
    if is_work_left(clock(), proxy):
        yield from ask_for_one(clock())


def _serve(job: Job, proxy: DoiProxy, clock: Clock) -> Iterator[str]:
    """Some of the file is read, then some rows are asked for; both for longer only while nobody else waits."""
    if is_work_left(clock(), proxy):
        yield from ask_for_one(clock())
    if job.state in (State.QUEUED, State.READING):
        yield from _read(job, proxy, clock)
    retry.empty_next(job, clock=clock, until=time.monotonic() + PIECE / 2)
    until = time.monotonic() + PIECE
    chunks = Chunk.objects.filter(job=job).order_by("number")
    if _is_surveying(job):
        first = free(chunks.filter(number=0, job__done=0), clock()).values_list("pk", flat=True).first()
        if first is not None:
            check_chunk(first, proxy=proxy, clock=clock, until=until, names_at_most=FIRST_NAMES)
        survey_chunks(job.pk, proxy=proxy, clock=clock, until=until)
        if _is_surveying(job):  # others are still at it, or the file is still being read
            return
        yield from ask_for_one(clock())  # whoever found nothing left to survey may come back
    check_chunks(_one_after_the_other(chunks, clock), proxy=proxy, clock=clock, until=until)


def _one_after_the_other(chunks: QuerySet[Chunk], clock: Clock) -> Iterator[int]:
    """Those that nobody holds at the time when they are asked for."""
    unended, edge = chunks.exclude(job__state__in=ENDED), None
    while found := free(beyond(unended, ("number",), edge), clock()).values_list("pk", "number").first():
        chunk_id, number = found
        edge = Edge((number,))
        yield chunk_id


def _is_surveying(job: Job) -> bool:
    return Job.objects.filter(pk=job.pk, surveying=True).exists()


def _read(job: Job, proxy: DoiProxy, clock: Clock) -> Iterator[str]:
    """No more than one chunk, as long as no row of the job has its answer."""
    began, until = clock(), time.monotonic() + PIECE / 2
    reading = _readings.pop(job.pk, None) or import_rows.read_rows(job.pk, clock=clock)
    for _ in reading:
        yield from ask_for_one(clock())
        if job.done == 0 or (time.monotonic() > until and _do_others_wait(began, clock(), proxy)):
            _readings[job.pk] = reading
            break
    while len(_readings) > OPEN_FILES:
        _readings.pop(next(iter(_readings)))


def close_what_is_no_longer_read() -> None:
    """A list that was cancelled or deleted meanwhile: its file would stay open, and its disk space be taken."""
    if _readings:
        read = set(Job.objects.filter(pk__in=list(_readings), state=State.READING).values_list("pk", flat=True))
        for job_id in _readings.keys() - read:
            del _readings[job_id]


def _next(now: datetime, proxy: DoiProxy) -> Job | None:
    """The job to be served, marked as such; None when all work is held by others."""
    for _ in range(3):  # somebody else may choose the same at the same moment
        waiting = list(_to_be_served(now, proxy).only("owner", "served_at", "created_at", "state", "done"))
        owners = Job.objects.filter(owner__in={job.owner for job in waiting}).values_list("owner")
        served = dict(owners.annotate(Max("served_at")))
        waiting.sort(key=lambda job: (served.get(job.owner) or _NEVER, job.served_at or _NEVER, job.created_at))
        for job in waiting[:1]:
            ours = {"served_at": now, "proxy": proxy.base_url, **({"sample": True} if proxy.sample else {})}
            if Job.objects.filter(pk=job.pk, served_at=job.served_at).update(**ours):
                return job
    return None


def _to_be_served(now: datetime, proxy: DoiProxy | None) -> QuerySet[Job]:
    """Open jobs with work that nobody holds: a file that nobody reads, or a chunk that nobody surveys or,
    once the whole list is surveyed, checks.

    A job waits for an older one that asks for the very same (`waits`).

    A job that was taken in for another proxy (by the shell, or before the settings were changed) is left to whoever
    works on it, as long as somebody does.
    """
    unread = Q(import_rows.READER.unattended(now), state__in=(State.QUEUED, State.READING)) | _open_here()
    chunks = free(Chunk.objects.filter(job=OuterRef("pk")), now)
    unsurveyed = Q(Exists(chunks.filter(surveyed=False)), surveying=True)
    unchecked = Q(Exists(chunks), surveying=False)
    found = Job.objects.exclude(state__in=ENDED).filter(unread | unsurveyed | unchecked).exclude(waits(now))
    if proxy is None:
        return found
    held = Chunk.objects.filter(job=OuterRef("pk"), claimed_until__gte=now)
    return found.filter(Q(proxy=proxy.base_url) | Q(heartbeat_at__lt=now - LEASE) & ~Q(Exists(held)))


def _open_here() -> Q:
    return Q(state=State.READING, pk__in=list(_readings))


def _do_others_wait(began: datetime, now: datetime, proxy: DoiProxy) -> bool:
    not_served_since = Q(served_at=None) | Q(served_at__lte=began)
    return _to_be_served(now, proxy).filter(not_served_since).exists()


def _is_read_elsewhere(now: datetime) -> bool:
    return Job.objects.filter(state=State.READING, read_until__gte=now).exists()


def sweep(now: datetime) -> Iterator[str]:
    """End jobs, and surveys, whose worker was killed just before it could; the token of a message to be sent, if there
    is work and none waits. Which work it is, a claim that ran out included, is found by whoever gets the message."""
    close_what_is_no_longer_read()
    for job_id in Job.objects.filter(state=State.CHECKING).values_list("pk", flat=True):
        end_survey_if_done(job_id)
        finish_if_done(job_id, now)
    if is_work_left(now):
        yield from ask_for_one(now)
