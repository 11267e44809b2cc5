"""Which RA first: what exists, and who answers for it, is known of the whole list before its records are asked for.

The answers are kept where all answers are kept, so that the check finds them there, and a name that stands in several
chunks is asked once. The job counts them (`survey`), and each chunk says whether it was surveyed.
"""

import math
import time
import uuid
from collections import Counter, deque
from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import Future
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from resolver.domain.handle.record import Agency
from resolver.domain.name.doi import fold
from resolver.domain.parsing.parse import Reading
from resolver.domain.parsing.reading import Unread
from resolver.models import ENDED, Chunk, Job, Row
from resolver.proxy.async_client import BatchRequest, BatchResult
from resolver.proxy.config import MAX_BATCH_NAMES
from resolver.proxy.protocol import Verdict
from resolver.services.jobs import chunk_claims
from resolver.services.jobs.cells import Read, inspect_row, read_cells
from resolver.services.jobs.chunk_claims import Claim
from resolver.services.jobs.import_rows import ROWS_IN_CHUNK
from resolver.services.jobs.lifecycle import end_survey_if_done
from resolver.services.leases import Clock
from resolver.services.proxy_answers.batch import ResolutionBatch
from resolver.services.proxy_answers.doi_proxy import DoiProxy
from resolver.services.proxy_answers.names import names_in

AHEAD = 3  # chunks that are asked for while one is counted: with it, what a killed worker may have to do again
MOST_OF_A_ROW = MAX_BATCH_NAMES  # names of one text: the rest are asked for when it is checked, if it can pay for them
FEW = 3  # so many names without an answer may be at fault themselves; more are not

Survey = Generator[BatchRequest, BatchResult, None]


@dataclass
class _PrecheckRound:
    """What the chunks that are surveyed in one go share."""

    proxy: DoiProxy
    clock: Clock
    until: float
    knowledge: ResolutionBatch
    read: Read
    asked: set[str] = field(default_factory=set)  # folded names, for one chunk or another
    under_way: deque[tuple[Survey, Future[BatchResult]]] = field(default_factory=deque)

    @property
    def names_in_a_second(self) -> int:
        """So many may be asked for by Which RA in a second, if the budget lets only so many requests through."""
        most = ROWS_IN_CHUNK * AHEAD
        return int(min(max(self.proxy.config.rate or most, 1) * MAX_BATCH_NAMES, most))

    def new(self, names: list[str]) -> list[str]:
        """Those that no chunk has asked for; the caller will."""
        new = [name for name in names if fold(name) not in self.asked]
        self.asked.update(map(fold, new))
        return new

    def go_on(self, survey: Survey, answers: BatchResult | None) -> None:
        """Tell it what was answered, and have asked what it wants to know next, if anything."""
        with suppress(StopIteration):
            questions = next(survey) if answers is None else survey.send(answers)
            self.under_way.append((survey, self.proxy.bulk.start(questions)))


def survey_chunks(
    job_id: uuid.UUID,
    *,
    proxy: DoiProxy,
    clock: Clock = timezone.now,
    until: float = math.inf,
    read: Read = inspect_row,
) -> None:
    """Ask Which RA for the chunks of the job that nobody has surveyed, in their order, and count what it says.

    After `until` (monotonic seconds) nothing new is asked; a chunk of which not all was asked is given back, and what
    was answered is not asked again. Where Which RA answers nothing, the survey of the whole job ends: the check asks
    for every name without an answer anyway. `read` says what a text means.
    """
    fresh_since = Job.objects.filter(pk=job_id).values_list("fresh_since", flat=True).first()
    knowledge = ResolutionBatch(proxy.bulk, proxy.base_url, clock(), fresh_since=fresh_since)
    this = _PrecheckRound(proxy, clock, until, knowledge, read)
    ahead = this.names_in_a_second // ROWS_IN_CHUNK
    surveys = _surveys(job_id, this)
    with proxy.bulk:
        try:
            while True:
                while len(this.under_way) <= ahead and (survey := next(surveys, None)):
                    this.go_on(survey, None)
                if not this.under_way:
                    break
                survey, asked = this.under_way[0]
                answers = asked.result()
                this.under_way.popleft()
                this.go_on(survey, answers)
        except BaseException as error:
            with ExitStack() as all_of_them:  # also where one cannot give its chunk back: its lease must end
                for survey, _ in this.under_way:
                    all_of_them.callback(_stop, survey, error)
            raise
    end_survey_if_done(job_id)


def _stop(survey: Survey, error: BaseException) -> None:
    """Let it give its chunk back, and know why."""
    with suppress(type(error)):
        survey.throw(error)


def _surveys(job_id: uuid.UUID, this: _PrecheckRound) -> Iterator[Survey | None]:
    """One for each chunk that can be claimed in time; None: not before all that is under way is counted, since a chunk
    that was left lying shares its worker with no other."""
    unsurveyed = Chunk.objects.filter(job=job_id, surveyed=False)
    surveying = Job.objects.filter(pk=job_id, surveying=True).exclude(state__in=ENDED)
    while time.monotonic() < this.until and surveying.exists():
        chunk_id = chunk_claims.free(unsurveyed, this.clock()).order_by("number").values_list("pk", flat=True).first()
        if chunk_id is None:
            return
        claim = chunk_claims.take(unsurveyed.filter(pk=chunk_id), this.clock())
        if claim is None:
            continue
        while claim.was_left_lying and this.under_way:
            yield None
        yield _survey(claim, this)
        while claim.was_left_lying and this.under_way:
            yield None


def _survey(claim: Claim, this: _PrecheckRound) -> Survey:
    """First the names themselves; then, as the check would, what else those may mean that do not exist."""
    knowledge = this.knowledge
    with chunk_claims.held(claim, this.clock):
        lines = (claim.chunk.first_line, claim.chunk.last_line)
        rows = Row.objects.filter(job=claim.job, line__range=lines)
        if claim.line_by_line:  # one of its rows ends its worker: the check finds out which
            _count(claim, [], knowledge, this.clock(), in_vain=False, unknown=rows.count())
            return
        readings = read_cells(claim.job, rows, this.read)
        names = [name for reading in readings for name in names_in(reading)[:MOST_OF_A_ROW]]
        in_vain = yield from _learn(knowledge.without_agency(names), this)
        if not in_vain:
            candidates, prefixes = knowledge.beside(readings)
            yield from _learn(knowledge.without_agency([*names, *candidates, *prefixes]), this)
        # Candidates and prefixes that nobody had time for are asked for when the chunk is checked.
        if in_vain or not knowledge.without_agency(names):
            _count(claim, readings, knowledge, this.clock(), in_vain=in_vain)


def _learn(names: list[str], this: _PrecheckRound) -> Generator[BatchRequest, BatchResult, bool]:
    """Whether it was in vain: more than a few names were asked for, and not one of them has an answer."""
    if not names:
        return False
    new = this.new(names)
    if (yield from _ask(new, this)):
        return True
    if not new:  # others ask for them, and are told before who is waiting already
        yield BatchRequest([], [], _never)
    return (yield from _ask(this.knowledge.without_agency(names), this))


def _ask(names: list[str], this: _PrecheckRound) -> Generator[BatchRequest, BatchResult, bool]:
    for start in range(0, len(names), this.names_in_a_second):
        if time.monotonic() < this.until:
            part = names[start : start + this.names_in_a_second]
            answers = yield BatchRequest(part, [], _never, this.until)
            this.knowledge.take_in({}, answers.agencies)
            said = list(filter(None, map(this.knowledge.agency, part)))
            if len(said) > FEW and not any(isinstance(answer, Agency) for answer in said):
                return True
    return False


def _never(name: str, verdict: Verdict) -> bool:
    return False


def _count(
    claim: Claim,
    readings: Iterable[Reading],
    knowledge: ResolutionBatch,
    now: datetime,
    *,
    in_vain: bool,
    unknown: int = 0,
) -> None:
    """Add the chunk's rows to what the job says, once; nothing when the job has ended or the claim is lost."""
    found: Counter[str] = Counter(unknown=unknown)
    agencies: Counter[str] = Counter()
    for reading in readings:
        agency = knowledge.agency(str(reading.doi)) if reading.doi else None
        if isinstance(agency, Agency) and agency.ra:
            agencies[agency.ra] += 1
        found[_word(reading, knowledge)] += 1
    with transaction.atomic():
        # The job first, then the chunk: everybody locks in this order.
        unended = Job.objects.select_for_update().exclude(state__in=ENDED)
        job = unended.filter(pk=claim.job.pk, surveying=True).first()
        if job is None or not claim.lease.ours().update(surveyed=True):
            return
        job.survey["rows"] += found.total()
        for kind, rows in found.items():
            job.survey[kind] += rows
        for ra, rows in agencies.items():
            job.survey["ra"][ra] = job.survey["ra"].get(ra, 0) + rows
        job.surveying = not in_vain
        job.heartbeat_at = now
        job.save(update_fields=("survey", "surveying", "heartbeat_at"))


def _word(reading: Reading, knowledge: ResolutionBatch) -> str:
    if reading.doi is None:
        return "unknown" if isinstance(reading, Unread) else "no_name"
    exists = knowledge.exists(str(reading.doi))
    return "unknown" if exists is None else "exist" if exists else "missing"
