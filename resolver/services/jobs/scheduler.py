"""Fair turns: a task serves one owner's lists for a few seconds, so that a big list does not starve small ones.

For each owner whose lists have work that nobody holds, one message waits in the queue (`Wakeup`). The worker that takes
it serves that owner, and sends the owner's next message as soon as there is more work: other workers may join in, and
it goes to the end of the queue, behind those of other owners. So owners take turns, and all workers are at work. Of the
owner's lists the one least recently served comes first: the worker reads on in its file, then checks rows.

Within a list the first few rows are checked at once, so that something is to be seen; then Which RA is asked for the
whole list as it is read (`precheck.py`); then the records, chunk by chunk.

If the same list is uploaded twice, the later one waits for the earlier one, whoever owns it, and is answered by what is
stored: side by side, both would ask for each name before the other has stored the answer. What a killed worker or a
lost message leaves behind is found by `recover_abandoned`.
"""

import time
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import IntegrityError, transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.utils import timezone

from resolver.models import ENDED, Chunk, Job, State, Wakeup
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


def waits_for_identical_job(now: datetime) -> Q:
    """Of jobs: there is an older one with the same file, to be checked in the same way, that is being worked on.

    The older one never waits for the younger, so that nobody waits in a circle. The sub-query looks at jobs with that
    file alone.
    """
    same = {column: OuterRef(column) for column in ("digest", "column", "quick", "proxy")}
    older = Q(created_at__lt=OuterRef("created_at")) | Q(created_at=OuterRef("created_at"), pk__lt=OuterRef("pk"))
    alive = Job.objects.filter(older, state__in=_OPEN, heartbeat_at__gte=now - WORKED_ON, **same)
    return ~Q(digest="") & Q(Exists(alive))


def is_waiting_for_identical_job(job: Job, now: datetime) -> bool:
    """Whether that is why nothing happens in the job."""
    return not job.ended and Job.objects.filter(waits_for_identical_job(now), pk=job.pk).exists()


TURN = 5.0  # seconds for which a worker serves an owner before it looks into the queue again
PIECE = 2.0  # seconds for which it serves one list while others wait
FIRST_NAMES = 10  # that are checked before the list is surveyed: a second at the rate that doi.org is asked at
LOST_AFTER = timedelta(seconds=30)  # a message that waits longer may be lost
OPEN_FILES = 3  # files that a worker has begun to read, and leaves for others in between
POLL = 0.2

# The files that this process has open: a reader who comes to a file anew must pass by all rows that are read already.
_readings: dict[uuid.UUID, Iterator[int]] = {}


@dataclass(frozen=True, slots=True)
class TurnMessage:
    """What the task of a turn is given: whom to serve, and the token that tells it from its doubles."""

    owner: str
    token: str


def request_turn(owner: str, now: datetime) -> Iterator[TurnMessage]:
    """The message to be sent for the owner; nothing if one waits already."""
    if Wakeup.objects.filter(owner=owner).exists():
        return
    message = TurnMessage(owner, str(uuid.uuid4()))
    try:
        with transaction.atomic():
            Wakeup.objects.create(owner=owner, token=message.token, sent_at=now)
    except IntegrityError:  # another was first, and sends its own
        return
    yield message


def begin_turn(message: TurnMessage) -> bool:
    """Whether it is the message that waits; it no longer does."""
    return bool(Wakeup.objects.filter(owner=message.owner, token=message.token).delete()[0])


def is_work_left(now: datetime, proxy: DoiProxy | None = None) -> bool:
    """Whether there is work that nobody holds."""
    return _to_be_served(now, proxy).exists()


def serve(owner: str, proxy: DoiProxy, *, clock: Clock = timezone.now) -> Iterator[TurnMessage]:
    """Serve the owner's lists until the turn is over or nothing is left to do; yields each message to be sent."""
    ends, over = time.monotonic() + TURN, False
    with proxy.bulk:
        while not over:  # once in any case, however slow the start
            job = _next(owner, clock(), proxy)
            if job is not None:
                yield from _serve(job, proxy, clock)
            elif _is_read_elsewhere(owner, clock()):
                # By a worker who is between two turns, perhaps, and the only one who has the file open.
                yield from request_turn(owner, clock())
                time.sleep(POLL)
            else:
                break
            over = time.monotonic() >= ends or Wakeup.objects.exclude(owner=owner).exists()
    close_unread_files()
    yield from _request_turns(clock(), proxy)


def _request_turns(now: datetime, proxy: DoiProxy | None = None) -> Iterator[TurnMessage]:
    """For each owner with work that nobody holds: also for those whose list has waited for one that has ended."""
    for owner in _to_be_served(now, proxy).order_by("owner").values_list("owner", flat=True).distinct():
        yield from request_turn(owner, now)


def _serve(job: Job, proxy: DoiProxy, clock: Clock) -> Iterator[TurnMessage]:
    """Some of the file is read, then some rows are asked for; both for longer only while nobody else waits."""
    if _to_be_served(clock(), proxy).filter(owner=job.owner).exists():
        yield from request_turn(job.owner, clock())
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
        yield from request_turn(job.owner, clock())  # whoever found nothing left to survey may come back
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


def _read(job: Job, proxy: DoiProxy, clock: Clock) -> Iterator[TurnMessage]:
    """No more than one chunk, as long as no row of the job has its answer."""
    began, until = clock(), time.monotonic() + PIECE / 2
    reading = _readings.pop(job.pk, None) or import_rows.read_rows(job.pk, clock=clock)
    for _ in reading:
        yield from request_turn(job.owner, clock())
        if job.done == 0 or (time.monotonic() > until and _do_others_wait(began, clock(), proxy)):
            _readings[job.pk] = reading
            break
    while len(_readings) > OPEN_FILES:
        _readings.pop(next(iter(_readings)))


def close_unread_files() -> None:
    """A list that was cancelled or deleted meanwhile: its file would stay open, and its disk space be taken."""
    if _readings:
        read = set(Job.objects.filter(pk__in=list(_readings), state=State.READING).values_list("pk", flat=True))
        for job_id in _readings.keys() - read:
            del _readings[job_id]


def _next(owner: str, now: datetime, proxy: DoiProxy) -> Job | None:
    """The owner's list to be served, marked as such; None when all its work is held by others."""
    waiting = _to_be_served(now, proxy).filter(owner=owner)
    for _ in range(3):  # another worker may choose the same at the same moment
        job = waiting.order_by(F("served_at").asc(nulls_first=True), "created_at").first()
        if job is None:
            return None
        ours = {"served_at": now, "proxy": proxy.base_url, **({"sample": True} if proxy.sample else {})}
        if Job.objects.filter(pk=job.pk, served_at=job.served_at).update(**ours):
            return job
    return None


def _to_be_served(now: datetime, proxy: DoiProxy | None) -> QuerySet[Job]:
    """Open jobs with work that nobody holds: a file that nobody reads, or a chunk that nobody surveys or,
    once the whole list is surveyed, checks.

    A job waits for an older one that asks for the very same (`waits_for_identical_job`).

    A job that was taken in for another proxy (by the shell, or before the settings were changed) is left to whoever
    works on it, as long as somebody does.
    """
    unread = Q(import_rows.READER.unattended(now), state__in=(State.QUEUED, State.READING)) | _open_here()
    chunks = free(Chunk.objects.filter(job=OuterRef("pk")), now)
    unsurveyed = Q(Exists(chunks.filter(surveyed=False)), surveying=True)
    unchecked = Q(Exists(chunks), surveying=False)
    found = (
        Job.objects.exclude(state__in=ENDED)
        .filter(unread | unsurveyed | unchecked)
        .exclude(waits_for_identical_job(now))
    )
    if proxy is None:
        return found
    held = Chunk.objects.filter(job=OuterRef("pk"), claimed_until__gte=now)
    return found.filter(Q(proxy=proxy.base_url) | Q(heartbeat_at__lt=now - LEASE) & ~Q(Exists(held)))


def _open_here() -> Q:
    return Q(state=State.READING, pk__in=list(_readings))


def _do_others_wait(began: datetime, now: datetime, proxy: DoiProxy) -> bool:
    not_served_since = Q(served_at=None) | Q(served_at__lte=began)
    return _to_be_served(now, proxy).filter(not_served_since).exists()


def _is_read_elsewhere(owner: str, now: datetime) -> bool:
    return Job.objects.filter(owner=owner, state=State.READING, read_until__gte=now).exists()


def recover_abandoned(now: datetime) -> Iterator[TurnMessage]:
    """End jobs, and surveys, whose worker was killed just before it could; yields a message for each owner with work
    for whom none waits. Which work it is, a lease that ran out included, is found by the worker that gets the message.

    A message that has waited for long may be lost, and is sent again with its own token: if it still waits, it keeps
    its place in the queue, and the second one is its double.
    """
    close_unread_files()
    for job_id in Job.objects.filter(state=State.CHECKING).values_list("pk", flat=True):
        end_survey_if_done(job_id)
        finish_if_done(job_id, now)
    for lost in Wakeup.objects.filter(sent_at__lt=now - LOST_AFTER):
        if Wakeup.objects.filter(owner=lost.owner, token=lost.token).update(sent_at=now):
            yield TurnMessage(lost.owner, lost.token)
    yield from _request_turns(now)
