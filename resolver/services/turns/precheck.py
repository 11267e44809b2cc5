"""The precheck: Which RA for the whole list, which soon shows the names that exist and their agencies.

The answers are stored with all others, so the check finds them, and a name in several chunks is requested once. The job
counts them (`Job.precheck`), and each chunk stores whether it was prechecked.
"""

import math
import time
import uuid
from collections import Counter, deque
from contextlib import ExitStack
from dataclasses import dataclass, field

from django.db import transaction

from doi_reading import FailedReading, Reading, fold
from resolver.domain.handle.answers import WhichRaAnswer
from resolver.models import ENDED, Chunk, Job, Row
from resolver.proxy.bulk_client import BatchRequest, RequestedBatch
from resolver.proxy.request_logic import MAX_BATCH_NAMES
from resolver.services.jobs import chunk_claims
from resolver.services.jobs.chunk_claims import Claim
from resolver.services.jobs.import_rows import ROWS_IN_CHUNK
from resolver.services.jobs.lifecycle import end_precheck_if_done
from resolver.services.jobs.row_readings import Read, read_stored_rows
from resolver.services.proxy_answers.configured_proxy import DoiProxy
from resolver.services.proxy_answers.name_answers import NameAnswers, list_names
from resolver.services.proxy_answers.reading_judge import ReadingJudge
from resolver.services.storage.clock import read_clock
from resolver.services.storage.leases import Clock

CHUNKS_AHEAD = 3  # requested while one is counted; a killed worker loses these too


def precheck_chunks(
    job_id: uuid.UUID,
    *,
    proxy: DoiProxy,
    clock: Clock = read_clock,
    until: float = math.inf,
    read: Read | None = None,
) -> None:
    """Request Which RA for the chunks of the job that are not prechecked, in their order, and count its answers.

    After `until` (monotonic seconds) nothing new is requested. A chunk with names left is given back, and keeps the
    answers. If Which RA doesn't answer, the precheck of the whole job ends: the check requests every name without an
    answer anyway. `read` reads texts.
    """
    fresh_since = Job.objects.filter(pk=job_id).values_list("fresh_since", flat=True).first()
    with proxy.bulk, ExitStack() as leases:
        judge = ReadingJudge(NameAnswers(proxy.base_url, clock(), fresh_since))
        run = _PrecheckRun(job_id, proxy, clock, until, read, judge, leases)
        while claim := run.claim_next():
            if claim.was_abandoned:  # it shares its worker with no other chunk
                run.count_down_to(0)
            run.request(claim)
            run.count_down_to(0 if claim.was_abandoned else run.names_in_a_second // ROWS_IN_CHUNK)
        run.count_down_to(0)
    end_precheck_if_done(job_id)


@dataclass
class _RequestedChunk:
    """A chunk whose names `first` are requested from Which RA."""

    claim: Claim
    lease: ExitStack
    readings: list[Reading]
    names: list[str]
    first: list[str]
    response: RequestedBatch


@dataclass
class _PrecheckRun:
    """The state that the chunks of one call share."""

    job_id: uuid.UUID
    proxy: DoiProxy
    clock: Clock
    until: float
    read: Read | None
    judge: ReadingJudge
    leases: ExitStack
    requested: set[str] = field(default_factory=set)  # folded names, for any chunk
    under_way: deque[_RequestedChunk] = field(default_factory=deque)

    @property
    def answers(self) -> NameAnswers:
        return self.judge.answers

    @property
    def names_in_a_second(self) -> int:
        """The names that Which RA takes in a second, at the rate of the budget."""
        most = ROWS_IN_CHUNK * CHUNKS_AHEAD
        return int(min(max(self.proxy.config.rate or most, 1) * MAX_BATCH_NAMES, most))

    def claim_next(self) -> Claim | None:
        """Claim the next chunk, if there is one and time for it."""
        chunks = Chunk.objects.filter(job=self.job_id, prechecked=False)
        prechecking = Job.objects.filter(pk=self.job_id, prechecking=True).exclude(state__in=ENDED)
        while time.monotonic() < self.until and prechecking.exists():
            first = chunk_claims.filter_free_chunks(chunks, self.clock()).order_by("number").first()
            if first is None:
                return None
            if claim := chunk_claims.claim_chunk(chunks.filter(pk=first.pk), self.clock()):
                return claim
        return None

    def request(self, claim: Claim) -> None:
        """Request Which RA for the names of the chunk, at most those of a second."""
        lease = self.leases.push(ExitStack())
        lease.enter_context(chunk_claims.hold_chunk(claim, self.clock))
        rows = Row.objects.filter(job=claim.job, line__range=(claim.chunk.first_line, claim.chunk.last_line))
        if claim.line_by_line:  # one of its rows kills its worker: the check finds out which
            self._count(claim, [], unknown=rows.count())
            lease.close()
            return
        readings = read_stored_rows(claim.job, rows, self.read)
        # The check requests more names of one text, as far as its allowance permits.
        names = [name for reading in readings for name in list_names(reading)[:MAX_BATCH_NAMES]]
        new = [name for name in self.answers.list_without_agency(names) if fold(name) not in self.requested]
        first = new[: self.names_in_a_second]
        self.requested.update(map(fold, new))
        response = self._start(first, chunk_claims.first_names_deadline(self.until))
        self.under_way.append(_RequestedChunk(claim, lease, readings, names, first, response))

    def count_down_to(self, number: int) -> None:
        """Count the oldest chunks until only so many are under way."""
        while len(self.under_way) > number:
            chunk = self.under_way.popleft()
            self.answers.take_in({}, chunk.response.result().agencies)
            failed = self._has_failed(chunk.first) or self._request_all(self.answers.list_without_agency(chunk.names))
            if not failed:
                # Other readings of missing names, as the check would request them; it does so if no time is left here.
                further = [self.judge.list_further_names(reading) for reading in chunk.readings]
                candidates = [name for names, _ in further for name in names]
                prefixes = [name for _, names in further for name in names]
                self._request_all(self.answers.list_without_agency([*chunk.names, *candidates, *prefixes]))
            if failed or not self.answers.list_without_agency(chunk.names):
                self._count(chunk.claim, chunk.readings, failed=failed)
            chunk.lease.close()

    def _start(self, names: list[str], until: float) -> RequestedBatch:
        return self.proxy.bulk.start(BatchRequest(names, until=until))

    def _request_all(self, names: list[str]) -> bool:
        """Request the names second by second, as long as there is time. Return whether Which RA failed."""
        for start in range(0, len(names), self.names_in_a_second):
            if time.monotonic() >= self.until:
                break
            part = names[start : start + self.names_in_a_second]
            self.answers.take_in({}, self._start(part, self.until).result().agencies)
            if self._has_failed(part):
                return True
        return False

    def _has_failed(self, names: list[str]) -> bool:
        """Return whether none of more than three requested names has an answer: fewer may be at fault themselves."""
        answers = list(filter(None, map(self.answers.agency, names)))
        return len(answers) > 3 and not any(isinstance(answer, WhichRaAnswer) for answer in answers)

    def _count(self, claim: Claim, readings: list[Reading], *, failed: bool = False, unknown: int = 0) -> None:
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
            job.prechecking = not failed
            job.heartbeat_at = self.clock()
            job.save(update_fields=("precheck", "prechecking", "heartbeat_at"))

    def _classify(self, reading: Reading) -> str:
        if reading.doi is None:
            return "unknown" if isinstance(reading, FailedReading) else "no_name"
        exists = self.answers.exists(str(reading.doi))
        return "unknown" if exists is None else "exist" if exists else "missing"
