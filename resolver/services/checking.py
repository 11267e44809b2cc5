"""Checking the rows of a chunk: read, ask for each distinct name once, judge, write."""

import math
import time
import uuid
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future
from contextlib import ExitStack
from dataclasses import dataclass, replace
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from resolver.domain.doi import fold
from resolver.domain.reading import Reading
from resolver.models import ENDED, Chunk, Job, Row, State, writing
from resolver.proxy.bulk import Answers
from resolver.proxy.config import MAX_BATCH_NAMES
from resolver.services import claims, duplicates, reopening
from resolver.services.asking import Proxy
from resolver.services.cells import inspect_row
from resolver.services.claims import Claim
from resolver.services.jobs import ROWS_IN_CHUNK, Clock, finish_if_done
from resolver.services.knowledge import Knowledge, name_to_ask
from resolver.services.reports import fill_row

MOST_NAMES, LEAST_NAMES = 250, 50  # judged and written together
UNDER_WAY = 1  # batches that are asked while one is written: with it, what a killed worker may have to do again

_RESULT_COLUMNS = (
    "doi", "key", "url", "outcome", "ra", "ra_status", "prefix_ra", "prefix_status", "urls", "problems", "messages",
    "suggestion", "exist_too", "others", "alias_of", "incomplete", "doubtful", "checked_at", "proxy", "fingerprint",
    "same_as",
)  # fmt: skip

Batch = list[tuple[Row, Reading]]


def check_chunk(
    chunk_id: int,
    *,
    proxy: Proxy,
    clock: Clock = timezone.now,
    until: float = math.inf,
    names_at_most: int | None = None,
) -> bool:
    """The same as `check_chunks` for one; whether this call is the one that completed it.

    Only the first rows that hold `names_at_most` distinct names are checked, if that is given.
    """
    return chunk_id in check_chunks([chunk_id], proxy=proxy, clock=clock, until=until, names_at_most=names_at_most)


def check_chunks(
    chunk_ids: Iterable[int],
    *,
    proxy: Proxy,
    clock: Clock = timezone.now,
    until: float = math.inf,
    names_at_most: int | None = None,
) -> set[int]:
    """Give every row of these chunks of one job its outcome; those that this call has completed.

    A chunk is passed by when somebody else holds it, or it is done, or the job has ended. May be called any number of
    times: rows that have their outcome are left as they are, and a worker that lost its claim writes nothing. After
    `until` (monotonic seconds) nothing new is asked: what was answered is written, and the chunks are given back.

    The names of the next batch, which may be the next chunk's, are asked for while one is judged and written.
    """
    completed: set[int] = set()
    given_up: set[int] = set()
    jobs: set[uuid.UUID] = set()
    knowledge = Knowledge(proxy.bulk, proxy.base_url, clock())
    under_way: deque[tuple[_Step, Future[Answers]]] = deque()
    with proxy.bulk, ExitStack() as leases:
        steps = _steps(chunk_ids, leases, proxy, clock, until, names_at_most)
        while True:
            while len(under_way) <= UNDER_WAY and (step := next(steps, None)):
                if step.claim.chunk.pk in given_up:
                    step = replace(step, batch=[])
                readings = [reading for _, reading in step.batch]
                knowledge.fresh_since = step.claim.job.fresh_since
                questions = knowledge.questions(readings, quick=step.claim.job.quick, until=until)
                under_way.append((step, proxy.bulk.start(questions)))
            if not under_way:
                break
            step, asked = under_way.popleft()
            answers = asked.result()
            knowledge.take_in(answers.records, answers.agencies)
            if not _settle(step, knowledge, proxy, clock()) or names_at_most is not None:
                given_up.add(step.claim.chunk.pk)
            if step.last:
                chunk = step.claim.chunk.pk
                if chunk not in given_up and claims.ours(step.claim).update(done=True):
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


def _steps(
    chunk_ids: Iterable[int],
    leases: ExitStack,
    proxy: Proxy,
    clock: Clock,
    until: float,
    names_at_most: int | None,
) -> Iterator[_Step]:
    """Chunk by chunk, each claimed when its turn comes, none after `until` but the first."""
    for place, chunk_id in enumerate(chunk_ids):
        if place and time.monotonic() >= until:
            return
        reopening.empty(chunk_id, clock=clock)
        claim = claims.take(Chunk.objects.filter(pk=chunk_id), clock())
        if claim is None:
            continue
        lease = leases.push(ExitStack())
        lease.enter_context(claims.held(claim, clock))
        batches = list(_batches(claim, names_at_most or _names_at_once(proxy, quick=claim.job.quick)))
        some = (batches or [[]])[: None if names_at_most is None else 1]
        for number, batch in enumerate(some, 1):
            yield _Step(claim, lease, batch, last=number == len(some))


def _settle(step: _Step, knowledge: Knowledge, proxy: Proxy, now: datetime) -> bool:
    """Judge and write what was answered of these; whether that is all of them, and the chunk still ours."""
    quick = step.claim.job.quick
    answered = [pair for pair in step.batch if knowledge.is_complete(pair[1], quick=quick)]
    knowledge.learn_the_rest(reading for _, reading in answered)
    return _write(step.claim, answered, knowledge, proxy, now) and len(answered) == len(step.batch)


def _names_at_once(proxy: Proxy, *, quick: bool) -> int:
    """As many as the budget lets through in about a second, so that results show early."""
    rate = proxy.config.rate or math.inf
    if quick:  # Which RA tells of fifty in a request
        return int(min(max(rate, 1) * MAX_BATCH_NAMES, ROWS_IN_CHUNK))
    return int(min(max(rate, LEAST_NAMES), MOST_NAMES))


def _batches(claim: Claim, names_at_once: int) -> Iterator[Batch]:
    """The rows not asked yet, each with its reading, as many as hold so many distinct names.

    A row that holds several DOIs does not break a batch of Which RA: what would be too many begins the next one.
    """
    lines = (claim.chunk.first_line, claim.chunk.last_line)
    batch: Batch = []
    names: set[str] = set()
    for row in list(Row.objects.filter(job=claim.job, line__range=lines, outcome="").order_by("line")):
        reading = inspect_row(row.input, row.cells)
        held = {fold(name) for name in (name_to_ask(reading) or row.input, *reading.others)}
        if batch and len(names | held) > names_at_once:
            yield batch
            batch, names = [], set()
        batch.append((row, reading))
        names |= held
    if batch:
        yield batch


def _write(claim: Claim, batch: Batch, knowledge: Knowledge, proxy: Proxy, now: datetime) -> bool:
    """The results and the job's counts, in one transaction; False when the job has ended or the claim is lost."""
    rows = []
    for row, reading in batch:
        report = knowledge.report(reading, quick=claim.job.quick)
        rows.append(fill_row(row, reading, report, proxy=proxy.base_url, sample=proxy.sample, now=now))
    with transaction.atomic():
        # The job first, then the chunk: everybody locks in this order.
        job = Job.objects.select_for_update().filter(pk=claim.job.pk).exclude(state__in=ENDED).first()
        if job is None or claims.ours(claim).select_for_update().first() is None:
            return False
        job.duplicates += duplicates.mark(job, rows)
        writing.update(rows, _RESULT_COLUMNS)
        job.done += len(rows)
        job.incomplete += sum(row.incomplete for row in rows)
        job.doubtful += sum(row.doubtful for row in rows)
        if job.state != State.READING:  # then it is the reader's, who may have been killed
            job.heartbeat_at = now
        job.proxy, job.sample = proxy.base_url, job.sample or proxy.sample  # it may go on at another proxy
        _count(job.counts, rows)
        changed = ("done", "incomplete", "doubtful", "counts", "duplicates", "heartbeat_at", "proxy", "sample")
        job.save(update_fields=changed)
    return True


def _count(counts: dict[str, dict[str, int]], rows: Iterable[Row]) -> None:
    for row in rows:
        for kind, values in (("outcome", [row.outcome]), ("problem", row.problem_codes), ("ra", [row.ra])):
            for value in filter(None, values):
                counts[kind][value] = counts[kind].get(value, 0) + 1
