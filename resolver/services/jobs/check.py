"""Checking the rows of a chunk: read, ask for each distinct name once, judge, write.

Whatever one row does, it gets an outcome of its own and all others are checked. Where reading, judging or storing it
raises an error, the row could not be asked (`proxy-error`): nothing is known of it, and nothing false is said. Where it
ends its worker, its chunk is checked line by line (`chunk_claims.py`) until that line alone is left, which is then
given up.
"""

import logging
import math
import time
import uuid
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future
from contextlib import ExitStack
from dataclasses import dataclass, field, replace

from django.utils import timezone

from resolver.domain.name.doi import fold
from resolver.domain.parsing.parse import Reading
from resolver.domain.parsing.reading import Unread
from resolver.models import Chunk, Row
from resolver.proxy.async_client import BatchResult
from resolver.proxy.config import MAX_BATCH_NAMES
from resolver.services.jobs import chunk_claims, retry
from resolver.services.jobs.cells import Read, inspect_row, read_line
from resolver.services.jobs.chunk_claims import Claim
from resolver.services.jobs.import_rows import ROWS_IN_CHUNK
from resolver.services.jobs.lifecycle import finish_if_done
from resolver.services.jobs.row_results import Batch, write
from resolver.services.leases import Clock
from resolver.services.proxy_answers.batch import ResolutionBatch
from resolver.services.proxy_answers.doi_proxy import DoiProxy
from resolver.services.proxy_answers.names import name_to_ask

MOST_NAMES, LEAST_NAMES = 250, 50  # judged and written together
UNDER_WAY = 1  # batches that are asked while one is written: with it, what a killed worker may have to do again

log = logging.getLogger(__name__)


def check_chunk(
    chunk_id: int,
    *,
    proxy: DoiProxy,
    clock: Clock = timezone.now,
    until: float = math.inf,
    names_at_most: int | None = None,
    read: Read = inspect_row,
) -> bool:
    """The same as `check_chunks` for one; whether this call is the one that completed it.

    Only the first rows that hold `names_at_most` distinct names are checked, if that is given.
    """
    return chunk_id in check_chunks(
        [chunk_id], proxy=proxy, clock=clock, until=until, names_at_most=names_at_most, read=read
    )


def check_chunks(
    chunk_ids: Iterable[int],
    *,
    proxy: DoiProxy,
    clock: Clock = timezone.now,
    until: float = math.inf,
    names_at_most: int | None = None,
    read: Read = inspect_row,
) -> set[int]:
    """Give every row of these chunks of one job its outcome; those that this call has completed.

    A chunk is passed by when somebody else holds it, or it is done, or the job has ended. May be called any number of
    times: rows that have their outcome are left as they are, and a worker that lost its claim writes nothing. After
    `until` (monotonic seconds) nothing new is asked: what was answered is written, and the chunks are given back.

    The names of the next batch, which may be the next chunk's, are asked for while one is judged and written; but for a
    chunk that was left lying: it shares its worker with no other. `read` says what a text means.
    """
    this = _CheckRound(proxy, clock, until, names_at_most, read)
    completed: set[int] = set()
    jobs: set[uuid.UUID] = set()
    knowledge = ResolutionBatch(proxy.bulk, proxy.base_url, clock())
    with proxy.bulk, ExitStack() as leases:
        steps = _steps(chunk_ids, leases, this)
        while True:
            while len(this.under_way) <= UNDER_WAY and (step := next(steps, None)):
                if step.claim.chunk.pk in this.given_up:
                    step = replace(step, batch=[])
                readings = [reading for _, reading in step.batch]
                knowledge.fresh_since = step.claim.job.fresh_since
                questions = knowledge.questions(readings, quick=step.claim.job.quick, until=until)
                this.under_way.append((step, proxy.bulk.start(questions)))
            if not this.under_way:
                break
            step, asked = this.under_way.popleft()
            answers = asked.result()
            knowledge.now = clock()
            knowledge.take_in(answers.records, answers.agencies)
            if not _settle(step, knowledge, proxy) or step.cut or names_at_most is not None:
                this.given_up.add(step.claim.chunk.pk)
            if step.last:
                chunk = step.claim.chunk.pk
                if chunk not in this.given_up and step.claim.lease.give_back(done=True):
                    completed.add(chunk)
                step.lease.close()
                jobs.add(step.claim.job.pk)
    for job_id in jobs:
        finish_if_done(job_id, clock())
    return completed


@dataclass(frozen=True, slots=True)
class _Step:
    """A part of a chunk, and whether it is the last; the lease ends when all of them are written."""

    claim: Claim
    lease: ExitStack
    batch: Batch
    last: bool
    cut: bool = False  # rows of the chunk are left that nobody has looked at


@dataclass
class _CheckRound:
    """What the chunks that are checked in one go share."""

    proxy: DoiProxy
    clock: Clock
    until: float
    names_at_most: int | None
    read: Read
    given_up: set[int] = field(default_factory=set)
    under_way: deque[tuple[_Step, Future[BatchResult]]] = field(default_factory=deque)

    def barrier(self) -> Iterator[None]:
        """Lasts until all that is under way is written."""
        while self.under_way:
            yield None


def _steps(chunk_ids: Iterable[int], leases: ExitStack, this: _CheckRound) -> Iterator[_Step | None]:
    """Chunk by chunk, each claimed when its turn comes, none after `until` but the first. None: not now."""
    alone = False
    for place, chunk_id in enumerate(chunk_ids):
        if alone:
            yield from this.barrier()
        if place and time.monotonic() >= this.until:
            return
        retry.empty(chunk_id, clock=this.clock)
        claim = chunk_claims.take(Chunk.objects.filter(pk=chunk_id), this.clock())
        if claim is None:
            continue
        lease = leases.push(ExitStack())
        lease.enter_context(chunk_claims.held(claim, this.clock))
        alone = claim.was_left_lying or claim.line_by_line
        if alone:
            yield from this.barrier()
        if claim.line_by_line:
            yield from _line_by_line(claim, lease, this)
            continue
        names_at_once = this.names_at_most or _names_at_once(this.proxy, quick=claim.job.quick)
        batches = list(_batches(claim, names_at_once, this.read))
        some = (batches or [[]])[: None if this.names_at_most is None else 1]
        for number, batch in enumerate(some, 1):
            yield _Step(claim, lease, batch, last=number == len(some))


def _line_by_line(claim: Claim, lease: ExitStack, this: _CheckRound) -> Iterator[_Step | None]:
    """Each row that was not asked yet by itself, which its chunk says beforehand: one that ends its worker ends no
    other's."""
    for row in _unasked(claim):
        yield from this.barrier()
        if time.monotonic() >= this.until or claim.chunk.pk in this.given_up:
            yield _Step(claim, lease, [], last=True, cut=True)
            return
        if row.line == claim.lost_line:
            log.error("Line %d of job %s ended %d workers", row.line, row.job_id, claim.chunk.attempts - 1)
            reading: Reading = Unread.of(row.input)
        else:
            claim.try_line(row.line)
            reading = read_line(row.input, row.cells, this.read, line=row.line, job=row.job_id)
        yield _Step(claim, lease, [(row, reading)], last=False)
    yield _Step(claim, lease, [], last=True)


def _settle(step: _Step, knowledge: ResolutionBatch, proxy: DoiProxy) -> bool:
    """Judge and write what was answered of these; whether that is all of them, and the chunk still ours."""
    quick = step.claim.job.quick
    answered = [pair for pair in step.batch if knowledge.is_complete(pair[1], quick=quick)]
    knowledge.learn_the_rest(reading for _, reading in answered)
    return write(step.claim, answered, knowledge, proxy) and len(answered) == len(step.batch)


def _names_at_once(proxy: DoiProxy, *, quick: bool) -> int:
    """As many as the budget lets through in about a second, so that results show early."""
    rate = proxy.config.rate or math.inf
    if quick:  # Which RA tells of fifty in a request
        return int(min(max(rate, 1) * MAX_BATCH_NAMES, ROWS_IN_CHUNK))
    return int(min(max(rate, LEAST_NAMES), MOST_NAMES))


def _unasked(claim: Claim) -> list[Row]:
    lines = (claim.chunk.first_line, claim.chunk.last_line)
    return list(Row.objects.filter(job=claim.job, line__range=lines, outcome="").order_by("line"))


def _batches(claim: Claim, names_at_once: int, read: Read) -> Iterator[Batch]:
    """The rows not asked yet, each with its reading, as many as hold so many distinct names.

    A row that holds several DOIs does not break a batch of Which RA: what would be too many begins the next one.
    """
    batch: Batch = []
    names: set[str] = set()
    for row in _unasked(claim):
        reading = read_line(row.input, row.cells, read, line=row.line, job=row.job_id)
        held = {fold(name) for name in (name_to_ask(reading) or row.input, *reading.others)}
        if batch and len(names | held) > names_at_once:
            yield batch
            batch, names = [], set()
        batch.append((row, reading))
        names |= held
    if batch:
        yield batch
