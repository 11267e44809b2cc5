"""Check the rows of chunks: read them, request each distinct name once, judge, write.

Every row gets its own outcome. If reading, judging or storing a row raises an error, the row couldn't be checked
(`proxy-error`). The chunk of a row that kills its worker is checked line by line, and that line is given up at last.
"""

import logging
import math
import time
import uuid
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Any

from doi_reading import FailedReading, Reading, fold
from resolver.models import Chunk, Job, Row, raw_sql
from resolver.proxy.bulk_client import RequestedBatch
from resolver.proxy.request_logic import MAX_BATCH_NAMES
from resolver.services.jobs import chunk_claims, retry
from resolver.services.jobs.chunk_claims import Claim
from resolver.services.jobs.import_rows import ROWS_IN_CHUNK
from resolver.services.jobs.lifecycle import finish_if_done
from resolver.services.jobs.row_readings import Read, choose_reader, compares_works, searches_works, try_read_row
from resolver.services.jobs.row_results import Batch, write_results
from resolver.services.lookups.stored_results import DECISION_COLUMNS
from resolver.services.proxy_answers.configured_proxy import DoiProxy
from resolver.services.proxy_answers.name_answers import NameAnswers, get_name_to_ask
from resolver.services.proxy_answers.name_requests import NameRequests
from resolver.services.proxy_answers.reading_judge import ReadingJudge
from resolver.services.storage.clock import read_clock
from resolver.services.storage.leases import Clock
from resolver.services.works.list_searches import ListSearches
from resolver.services.works.list_works import ListWorks

# Names whose rows are judged and written together. Without a rate limit they are so many for each request in flight,
# which are answered in some seconds: a thousand at four in flight would take a minute.
MOST_CHECKED_NAMES, LEAST_CHECKED_NAMES, LEAST_COMPARED_NAMES = 1000, 50, 250
NAMES_PER_REQUEST_IN_FLIGHT = 32
LOOK_SECONDS = 0.2  # between two looks at what other workers and owners do
_READ = ("id", "job_id", "line", "part", "cells", "input", *DECISION_COLUMNS)  # what a result is made of

log = logging.getLogger(__name__)


def check_chunk(chunk_id: int, **options: Any) -> bool:
    """Check one chunk in a run of its own (`open_run`). Return whether this call completed it."""
    return chunk_id in check_chunks([chunk_id], **options)


def check_chunks(chunk_ids: Iterable[int], **options: Any) -> set[int]:
    """Check chunks of one job in a run of their own (`open_run`). Return the chunks that this call has completed."""
    with open_run(**options) as run:
        run.check_all(chunk_ids)
    return run.completed


@contextmanager
def open_run(
    *,
    proxy: DoiProxy,
    clock: Clock = read_clock,
    until: float = math.inf,
    stay_on: Callable[[float], float] = lambda until: until,
    names_at_most: int | None = None,
    read: Read | None = None,
) -> Iterator["CheckRun"]:
    """Open a run that checks chunks of one job. What it has requested is written when the block ends.

    The run skips chunks that another worker holds, that are done, or whose job has ended. Runs may be repeated: rows
    with an outcome stay, and a worker that lost its claim writes nothing. After `until` (monotonic seconds) nothing new
    is requested: answers are written, and the chunks given back. `stay_on` gets `until` several times a second, and
    returns it or a later one. `names_at_most`: only first rows of each chunk with so many names. `read` reads texts.

    The names of the next batch, or of the next chunk, are requested while one is judged and written. A chunk that its
    last worker didn't give back shares its worker with no other.
    """
    with proxy.bulk, ExitStack() as leases:
        requests = NameRequests(proxy.bulk, ReadingJudge(NameAnswers(proxy.base_url, clock())))
        run = CheckRun(proxy, clock, until, stay_on, names_at_most, read, requests, leases)
        yield run
        run.write_all()
    for job_id in run.jobs:
        finish_if_done(job_id, clock())


@dataclass
class _HeldChunk:
    """A chunk in the run. `whole`: every row so far is written, and none was skipped."""

    claim: Claim
    lease: ExitStack
    whole: bool = True


@dataclass
class _RowsUnderWay:
    """Rows whose names are requested. `last`: the chunk has no others."""

    chunk: _HeldChunk
    rows: Batch
    last: bool
    response: RequestedBatch


@dataclass
class CheckRun:
    """The state that chunks share while they are checked one after the other."""

    proxy: DoiProxy
    clock: Clock
    until: float
    stay_on: Callable[[float], float]
    names_at_most: int | None
    read: Read | None
    requests: NameRequests
    leases: ExitStack
    works: ListWorks | None = None
    searches: ListSearches | None = None
    completed: set[int] = field(default_factory=set)
    jobs: set[uuid.UUID] = field(default_factory=set)
    under_way: deque[_RowsUnderWay] = field(default_factory=deque)
    looked_at: float = -math.inf

    def is_over(self) -> bool:
        """Return whether nothing new may be requested."""
        self.look()
        return time.monotonic() >= self.until

    def look(self) -> None:
        """Extend `until` if there is more time now, also for batches that are under way."""
        now = time.monotonic()
        if now - self.looked_at >= LOOK_SECONDS:
            self.looked_at, self.until = now, self.stay_on(self.until)
            for requested in self.under_way:
                request = requested.response.request
                request.until = max(request.until, self.until)

    def check_all(self, chunk_ids: Iterable[int]) -> None:
        """Check the first of these chunks, and others as long as there is time."""
        for place, chunk_id in enumerate(chunk_ids):
            if place and self.is_over():
                break
            self.check(chunk_id)

    def check(self, chunk_id: int) -> None:
        """Request the rows of the chunk, if it can be claimed."""
        retry.empty_chunk(chunk_id, clock=self.clock)
        claim = chunk_claims.claim_chunk(Chunk.objects.filter(pk=chunk_id), self.clock())
        if claim is None:
            return
        chunk = _HeldChunk(claim, self.leases.push(ExitStack()))
        chunk.lease.enter_context(chunk_claims.hold_chunk(claim, self.clock))
        alone = claim.was_abandoned or claim.line_by_line
        if alone:
            self.write_all()
        if claim.line_by_line:
            self._check_lines(chunk)
        else:
            self._check_batches(chunk)
        if alone:
            self.write_all()

    def write_all(self) -> None:
        """Judge and write all batches that are under way."""
        while self.under_way:
            self._write_next()

    def _check_batches(self, chunk: _HeldChunk) -> None:
        for place, batch in enumerate(self._iterate_batches(chunk.claim)):
            if place and self.is_over():
                chunk.whole = False
                break
            self._request(chunk, batch, until=self.until if place else chunk_claims.first_names_deadline(self.until))
            if self.names_at_most is not None:
                break
        self._end(chunk)

    def _check_lines(self, chunk: _HeldChunk) -> None:
        """Check each row alone, after its line is stored in the chunk, so that it kills no other row's worker."""
        claim = chunk.claim
        read = self.read or choose_reader(claim.job)
        for row in _find_unchecked(claim):
            self.write_all()
            if self.is_over() or not chunk.whole:
                chunk.whole = False
                break
            if row.line == claim.lost_line:
                log.error("Line %d of job %s ended %d workers", row.line, row.job_id, claim.chunk.attempts - 1)
                reading: Reading = FailedReading.of(row.input)
            else:
                claim.try_line(row.line)
                reading = try_read_row(row.input, row.cells, read, line=row.line, job=row.job_id)
            self._request(chunk, [(row, reading)], until=self.until)
        self._end(chunk)

    def _end(self, chunk: _HeldChunk) -> None:
        """Mark the last batch of the chunk."""
        if not self.under_way or self.under_way[-1].chunk is not chunk:
            self._request(chunk, [], until=self.until)
        self.under_way[-1].last = True

    def _request(self, chunk: _HeldChunk, batch: Batch, *, until: float) -> None:
        job = chunk.claim.job
        self.works = self.works or ListWorks.of(job, self.proxy)
        self.searches = self.searches or ListSearches.of(job, self.proxy)
        batch = batch if chunk.whole else []
        self.requests.answers.fresh_since = job.fresh_since
        request = self.requests.build_first_request([reading for _, reading in batch], quick=job.quick, until=until)
        self.under_way.append(_RowsUnderWay(chunk, batch, False, self.proxy.bulk.start(request)))
        if len(self.under_way) > 1:  # one is requested while another is written; a killed worker loses both
            self._write_next()

    def _write_next(self) -> None:
        """Judge and write the answered rows of the oldest batch. Give its chunk back after the last one."""
        while not self.under_way[0].response.done():
            self.look()
            self.under_way[0].response.wait(LOOK_SECONDS)
        requested = self.under_way.popleft()
        chunk, batch, claim = requested.chunk, requested.rows, requested.chunk.claim
        answers = requested.response.result()
        self.requests.answers.now = self.clock()
        self.requests.take_in(answers.records, answers.agencies)
        answered = [pair for pair in batch if self.requests.answers.is_complete(pair[1], quick=claim.job.quick)]
        self.requests.learn_the_rest(reading for _, reading in answered)
        if not claim.job.quick:
            self.requests.learn_guesses(reading for _, reading in answered)
            self.requests.learn_suggestions(reading for _, reading in answered)
            self.requests.learn_destinations(reading for _, reading in answered)
        if self.works:
            answered = self.works.learn(answered, self.requests.judge, quick=claim.job.quick, until=self.until)
        if self.searches:
            answered = self.searches.learn(answered, self.requests, self.works, until=self.until)
        written = write_results(claim, answered, self.requests.judge, self.proxy, self.works, self.searches)
        written = written and len(answered) == len(batch)
        chunk.whole = chunk.whole and written and self.names_at_most is None
        if requested.last:
            if chunk.whole and claim.lease.give_back(done=True):
                self.completed.add(claim.chunk.pk)
            chunk.lease.close()
            self.jobs.add(claim.job.pk)

    def _iterate_batches(self, claim: Claim) -> Iterator[Batch]:
        """Yield the unchecked rows with readings, in batches of distinct names. A row with too many begins the next."""
        names_at_once = self.names_at_most or _compute_names_at_once(self.proxy, claim.job)
        read = self.read or choose_reader(claim.job)
        batch: Batch = []
        names: set[str] = set()
        for row in _find_unchecked(claim):
            self.proxy.bulk.advance_meanwhile()
            reading = try_read_row(row.input, row.cells, read, line=row.line, job=row.job_id)
            held = {fold(name) for name in (get_name_to_ask(reading) or row.input, *reading.others)}
            if batch and len(names | held) > names_at_once:
                yield batch
                batch, names = [], set()
            batch.append((row, reading))
            names |= held
        if batch:
            yield batch


def _compute_names_at_once(proxy: DoiProxy, job: Job) -> int:
    """Return the names that the budget permits in about a second, so that results show early; more if agencies are
    asked for them in lists, which should be full."""
    rate = proxy.config.rate or proxy.config.concurrency * NAMES_PER_REQUEST_IN_FLIGHT
    if job.quick:  # each request to Which RA has many names
        return int(min(max(rate, 1) * MAX_BATCH_NAMES, ROWS_IN_CHUNK))
    least = LEAST_COMPARED_NAMES if compares_works(job) or searches_works(job) else LEAST_CHECKED_NAMES
    return int(min(max(rate, least), MOST_CHECKED_NAMES))


def _find_unchecked(claim: Claim) -> list[Row]:
    lines = (claim.chunk.first_line, claim.chunk.last_line)
    unchecked = Row.objects.filter(job=claim.job, line__range=lines, outcome="").order_by("line")
    return raw_sql.load_objects(unchecked, _READ)
