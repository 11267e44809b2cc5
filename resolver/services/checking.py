"""Checking the rows of a chunk: read, ask for each distinct name once, judge, write."""

import uuid
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from resolver.domain.doi import fold
from resolver.domain.reading import Reading
from resolver.models import ENDED, Chunk, Job, Row, State
from resolver.services import duplicates
from resolver.services.asking import Proxy
from resolver.services.jobs import Clock, finish_if_done
from resolver.services.knowledge import Knowledge, name_to_ask, names_in
from resolver.services.leases import LEASE, kept
from resolver.services.lookup import inspect
from resolver.services.reports import fill_row

NAMES_AT_ONCE = 100  # asked, judged and written together: what a killed worker may have to do again
MAX_ATTEMPTS = 10  # so often a worker may be killed, or stumble, over one chunk

_RESULT_COLUMNS = (
    "doi", "key", "url", "outcome", "ra", "ra_status", "prefix_ra", "prefix_status", "urls", "problems", "messages",
    "suggestion", "exist_too", "others", "alias_of", "checked_at", "proxy", "fingerprint", "same_as",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Claim:
    """A chunk that is ours for as long as its `claim` column holds our token."""

    chunk: Chunk
    job: Job
    token: str


def check_chunk(chunk_id: int, *, proxy: Proxy, clock: Clock = timezone.now) -> bool:
    """Give every row of the chunk its outcome; whether this call is the one that completed it.

    Does nothing when somebody else holds the chunk, or it is done, or the job has ended. May be called any number of
    times: rows that have their outcome are left as they are, and a worker that lost its claim writes nothing.
    """
    claim = _claim(chunk_id, clock())
    if claim is None:
        return False
    try:
        with kept(lambda: _renew(claim, clock())):
            knowledge = Knowledge(proxy.bulk, proxy.base_url, clock())
            for batch in _batches(claim):
                _learn(knowledge, [reading for _, reading in batch], quick=claim.job.quick)
                if not _write(claim, batch, knowledge, proxy, clock()):
                    return False
            done = bool(_ours(claim).update(done=True))
    finally:
        _ours(claim).update(claim="", claimed_until=None)
    finish_if_done(claim.job.pk, clock())
    return done


def _learn(knowledge: Knowledge, readings: list[Reading], *, quick: bool) -> None:
    """Which RA first, in batches: what it says does not exist needs no second question; in quick mode only what it
    cannot tell needs one (R3). Short DOIs it does not take (R4)."""
    names = [name for reading in readings for name in names_in(reading)]
    short = [reading.short_doi for reading in readings if reading.short_doi and not reading.doi]
    knowledge.learn_agencies(names)
    knowledge.learn_records([*knowledge.unsettled(names, quick=quick), *short])
    knowledge.learn_the_rest(readings)


def _claim(chunk_id: int, now: datetime) -> Claim | None:
    token = str(uuid.uuid4())
    # No condition on the job here: PostgreSQL would not look again at a joined table after waiting for the row.
    free = Chunk.objects.filter(Q(claimed_until=None) | Q(claimed_until__lt=now), pk=chunk_id, done=False)
    if not free.update(claim=token, claimed_until=now + LEASE, attempts=F("attempts") + 1):
        return None
    chunk = Chunk.objects.select_related("job").filter(pk=chunk_id, claim=token).first()
    if chunk is None:
        return None
    claim = Claim(chunk, chunk.job, token)
    if chunk.attempts > MAX_ATTEMPTS:
        _give_up(claim, now)
    if claim.job.ended or chunk.attempts > MAX_ATTEMPTS:
        _ours(claim).update(claim="", claimed_until=None)
        return None
    return claim


def _give_up(claim: Claim, now: datetime) -> None:
    """A chunk that ended all its workers would end them for ever; its job says so instead."""
    lines = f"Lines {claim.chunk.first_line} to {claim.chunk.last_line}"
    error = f"{lines} could not be checked, though it was tried {MAX_ATTEMPTS} times."
    unended = Job.objects.filter(pk=claim.job.pk).exclude(state__in=ENDED)
    unended.update(state=State.FAILED, error=error, finished_at=now)


def _ours(claim: Claim) -> QuerySet[Chunk]:
    return Chunk.objects.filter(pk=claim.chunk.pk, claim=claim.token, done=False)


def _renew(claim: Claim, now: datetime) -> None:
    _ours(claim).update(claimed_until=now + LEASE)


def _batches(claim: Claim) -> Iterator[list[tuple[Row, Reading]]]:
    """The rows not asked yet, each with its reading, as many as hold NAMES_AT_ONCE distinct names.

    A row that holds several DOIs does not break a batch of Which RA: what would be too many begins the next one.
    """
    lines = (claim.chunk.first_line, claim.chunk.last_line)
    batch: list[tuple[Row, Reading]] = []
    names: set[str] = set()
    for row in list(Row.objects.filter(job=claim.job, line__range=lines, outcome="").order_by("line")):
        reading = inspect(row.input)
        held = {fold(name) for name in (name_to_ask(reading) or row.input, *reading.others)}
        if batch and len(names | held) > NAMES_AT_ONCE:
            yield batch
            batch, names = [], set()
        batch.append((row, reading))
        names |= held
    if batch:
        yield batch


def _write(claim: Claim, batch: list[tuple[Row, Reading]], knowledge: Knowledge, proxy: Proxy, now: datetime) -> bool:
    """The results and the job's counts, in one transaction; False when the job has ended or the claim is lost."""
    rows = []
    for row, reading in batch:
        report = knowledge.report(reading, quick=claim.job.quick)
        rows.append(fill_row(row, reading, report, proxy=proxy.base_url, sample=proxy.sample, now=now))
    with transaction.atomic():
        # The job first, then the chunk: everybody locks in this order.
        job = Job.objects.select_for_update().filter(pk=claim.job.pk).exclude(state__in=ENDED).first()
        if job is None or _ours(claim).select_for_update().first() is None:
            return False
        job.duplicates += duplicates.mark(job, rows)
        for row in rows:
            row.pk = None  # the conflict is to be on (job, line) alone
        Row.objects.bulk_create(
            rows, update_conflicts=True, unique_fields=("job", "line"), update_fields=_RESULT_COLUMNS
        )
        job.done += len(rows)
        job.heartbeat_at = now
        job.proxy, job.sample = proxy.base_url, job.sample or proxy.sample  # it may go on at another proxy
        _count(job.counts, rows)
        job.save(update_fields=("done", "counts", "duplicates", "heartbeat_at", "proxy", "sample"))
    return True


def _count(counts: dict[str, dict[str, int]], rows: Iterable[Row]) -> None:
    for row in rows:
        for kind, values in (("outcome", [row.outcome]), ("problem", row.problem_codes), ("ra", [row.ra])):
            for value in filter(None, values):
                counts[kind][value] = counts[kind].get(value, 0) + 1
