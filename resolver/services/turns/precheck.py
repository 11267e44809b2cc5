"""The precheck: Which RA for the whole list, so that it is known early what exists, and in which agency.

The answers are stored with all others, so the check finds them, and a name in several chunks is requested once. The job
counts them (`Job.precheck`), and each chunk says whether it was prechecked.
"""

import math
import time
import uuid
from collections import Counter, deque
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import ExitStack
from dataclasses import dataclass, field

from django.db import transaction

from doi_reading import FailedReading, Reading, fold
from resolver.domain.handle.answers import WhichRaAnswer
from resolver.models import ENDED, Chunk, Job, Row
from resolver.proxy.async_client import BatchRequest, BatchResult
from resolver.proxy.which_ra_batches import MAX_BATCH_NAMES
from resolver.services.jobs import chunk_claims
from resolver.services.jobs.chunk_claims import Claim
from resolver.services.jobs.import_rows import ROWS_IN_CHUNK
from resolver.services.jobs.lifecycle import end_precheck_if_done
from resolver.services.jobs.row_readings import Read, read_stored_rows
from resolver.services.proxy_answers.configured_proxy import DoiProxy
from resolver.services.proxy_answers.name_answers import NameAnswers
from resolver.services.proxy_answers.names_to_ask import list_names
from resolver.services.proxy_answers.reading_judge import ReadingJudge
from resolver.services.storage.clock import read_clock
from resolver.services.storage.leases import Clock

AHEAD = 3  # chunks that are requested while one is counted; a killed worker loses these too
MOST_OF_A_ROW = MAX_BATCH_NAMES  # names of one text; the check requests the rest, as far as the text can pay for it
FEW = 3  # so many names without an answer may be at fault themselves; more are not


def _do_nothing() -> None:
    pass


def precheck_chunks(
    job_id: uuid.UUID,
    *,
    proxy: DoiProxy,
    clock: Clock = read_clock,
    until: float = math.inf,
    read: Read | None = None,
    meanwhile: Callable[[], None] = _do_nothing,
) -> None:
    """Ask Which RA about the chunks of the job that are not prechecked, in their order, and count what it says.

    After `until` (monotonic seconds) nothing new is requested. A chunk with names left is given back, and keeps the
    answers. If Which RA doesn't answer, the precheck of the whole job ends: the check requests every name without an
    answer anyway. `read` says what a text means. `meanwhile` is called often, as long as Which RA is asked, but not
    beside a chunk whose last worker didn't give it back.
    """
    fresh_since = Job.objects.filter(pk=job_id).values_list("fresh_since", flat=True).first()
    with proxy.bulk, ExitStack() as leases:
        judge = ReadingJudge(NameAnswers(proxy.base_url, clock(), fresh_since))
        run = _PrecheckRun(job_id, proxy, clock, until, read, meanwhile, judge, leases)
        while claim := run.claim_next():
            if claim.was_left_lying:  # it shares its worker with no other chunk
                run.count_down_to(0)
            run.request(claim)
            run.count_down_to(0 if claim.was_left_lying else run.names_in_a_second // ROWS_IN_CHUNK)
        run.count_down_to(0)
    end_precheck_if_done(job_id)


@dataclass
class _RequestedChunk:
    """A chunk of which Which RA was asked about the names `first`."""

    claim: Claim
    lease: ExitStack
    readings: list[Reading]
    names: list[str]
    first: list[str]
    asked: Future[BatchResult]


@dataclass
class _PrecheckRun:
    """What the chunks that are prechecked in one call share."""

    job_id: uuid.UUID
    proxy: DoiProxy
    clock: Clock
    until: float
    read: Read | None
    meanwhile: Callable[[], None]
    judge: ReadingJudge
    leases: ExitStack
    asked: set[str] = field(default_factory=set)  # folded names, for any chunk
    under_way: deque[_RequestedChunk] = field(default_factory=deque)

    @property
    def answers(self) -> NameAnswers:
        """What Which RA has said so far."""
        return self.judge.answers

    @property
    def names_in_a_second(self) -> int:
        """The names that Which RA takes in a second, at the rate of the budget."""
        most = ROWS_IN_CHUNK * AHEAD
        return int(min(max(self.proxy.config.rate or most, 1) * MAX_BATCH_NAMES, most))

    def claim_next(self) -> Claim | None:
        """Claim the next chunk, if there is one and time for it."""
        chunks = Chunk.objects.filter(job=self.job_id, prechecked=False)
        prechecking = Job.objects.filter(pk=self.job_id, prechecking=True).exclude(state__in=ENDED)
        while time.monotonic() < self.until and prechecking.exists():
            first = (
                chunk_claims.filter_free_chunks(chunks, self.clock())
                .order_by("number")
                .values_list("pk", flat=True)
                .first()
            )
            if first is None:
                return None
            claim = chunk_claims.claim_chunk(chunks.filter(pk=first), self.clock())
            if claim is not None:
                return claim
        return None

    def request(self, claim: Claim) -> None:
        """Ask Which RA about the names of the chunk, as many as it takes in a second."""
        lease = self.leases.push(ExitStack())
        lease.enter_context(chunk_claims.hold_chunk(claim, self.clock))
        rows = Row.objects.filter(job=claim.job, line__range=(claim.chunk.first_line, claim.chunk.last_line))
        if claim.line_by_line:  # one of its rows ends its worker: the check finds out which
            self._count(claim, [], unknown=rows.count())
            lease.close()
            return
        readings = read_stored_rows(claim.job, rows, self.read)
        names = [name for reading in readings for name in list_names(reading)[:MOST_OF_A_ROW]]
        new = [name for name in self.answers.list_without_agency(names) if fold(name) not in self.asked]
        first = new[: self.names_in_a_second]
        self.asked.update(map(fold, new))
        asked = self._start(first, chunk_claims.extend_turn(self.until))
        self.under_way.append(_RequestedChunk(claim, lease, readings, names, first, asked))
        if not claim.was_left_lying:
            self.meanwhile()

    def count_down_to(self, number: int) -> None:
        """Count the oldest chunks until only this number is under way."""
        while len(self.under_way) > number:
            chunk = self.under_way.popleft()
            self.answers.take_in({}, chunk.asked.result().agencies)
            in_vain = self._is_in_vain(chunk.first) or self._ask(self.answers.list_without_agency(chunk.names))
            if not in_vain:
                # As the check would: what else the missing names may mean. Without time for them, the check asks.
                further = [self.judge.list_further_names(reading) for reading in chunk.readings]
                candidates = [name for names, _ in further for name in names]
                prefixes = [name for _, names in further for name in names]
                self._ask(self.answers.list_without_agency([*chunk.names, *candidates, *prefixes]))
            if in_vain or not self.answers.list_without_agency(chunk.names):
                self._count(chunk.claim, chunk.readings, in_vain=in_vain)
            chunk.lease.close()
            if self.under_way:
                self.meanwhile()

    def _start(self, names: list[str], until: float) -> Future[BatchResult]:
        return self.proxy.bulk.start(BatchRequest(names, until=until))

    def _ask(self, names: list[str]) -> bool:
        """Ask about the names, so many in a second, as long as there is time. Return whether it was in vain."""
        for start in range(0, len(names), self.names_in_a_second):
            if time.monotonic() >= self.until:
                break
            part = names[start : start + self.names_in_a_second]
            self.answers.take_in({}, self._start(part, self.until).result().agencies)
            if self._is_in_vain(part):
                return True
        return False

    def _is_in_vain(self, names: list[str]) -> bool:
        """Return whether none of more than a few requested names has an answer."""
        said = list(filter(None, map(self.answers.agency, names)))
        return len(said) > FEW and not any(isinstance(answer, WhichRaAnswer) for answer in said)

    def _count(self, claim: Claim, readings: list[Reading], *, in_vain: bool = False, unknown: int = 0) -> None:
        """Add the chunk's rows to the job's counts, once; nothing if the job has ended or the claim is lost."""
        found: Counter[str] = Counter(unknown=unknown)
        agencies: Counter[str] = Counter()
        for reading in readings:
            agency = self.answers.agency(str(reading.doi)) if reading.doi else None
            if isinstance(agency, WhichRaAnswer) and agency.ra:
                agencies[agency.ra] += 1
            found[self._classify(reading)] += 1
        with transaction.atomic():
            # The job first, then the chunk: every writer locks in this order.
            unended = Job.objects.select_for_update().exclude(state__in=ENDED)
            job = unended.filter(pk=claim.job.pk, prechecking=True).first()
            if job is None or not claim.lease.find_row().update(prechecked=True):
                return
            job.precheck["rows"] += found.total()
            for kind, rows in found.items():
                job.precheck[kind] += rows
            for ra, rows in agencies.items():
                job.precheck["ra"][ra] = job.precheck["ra"].get(ra, 0) + rows
            job.prechecking = not in_vain
            job.heartbeat_at = self.clock()
            job.save(update_fields=("precheck", "prechecking", "heartbeat_at"))

    def _classify(self, reading: Reading) -> str:
        if reading.doi is None:
            return "unknown" if isinstance(reading, FailedReading) else "no_name"
        exists = self.answers.exists(str(reading.doi))
        return "unknown" if exists is None else "exist" if exists else "missing"
