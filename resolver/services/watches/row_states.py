"""The states of watched rows after a run: broken, seen broken once, accepted, or working again.

"Couldn't check" never changes the state of a row. A row is reported as broken only if two checks at least a day apart
found it broken, because doi.org may keep an answer for a day.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import reduce
from operator import or_
from typing import Any

from django.db.models import Q, QuerySet

from resolver.domain.report.correction import OTHER_WORK
from resolver.domain.report.outcome import COULD_NOT_ASK, Outcome
from resolver.domain.report.triage import (
    BAD,
    EMPTY,
    GOOD,
    LEADS_NOWHERE,
    WATCHED_FAULTS,
    find_fault_of_record,
    is_answered,
    is_working,
)
from resolver.models import Job, Row, Watch, WatchChange, WatchedRow, WatchedState, WatchRun, raw_sql
from resolver.services.jobs.row_readings import compares_works
from resolver.services.storage.keyset import iterate_batches

CONFIRMED_AFTER = timedelta(hours=24)
NOT_IN_QUICK = frozenset({Outcome.NO_URL, Outcome.NO_VALUES, *LEADS_NOWHERE})  # a quick check doesn't see these
_COLUMNS = (
    "line", "row", "part", "input", "doi", "outcome", "problem_codes", "ra", "prefix_ra", "suggestion", "incomplete",
)  # fmt: skip
_CHANGE_COLUMNS = ("line", "row", "part", "works", "input", "doi", "outcome", "ra", "suggestion")
_KNOWN = frozenset({WatchedState.BROKEN, WatchedState.ACCEPTED})


@dataclass(frozen=True, slots=True)
class FoundRow:
    """A row of a run with the values of a change. `outcome` may be one of WATCHED_FAULTS; `ra` is the agency of the
    DOI, or of its prefix if it isn't registered. `incomplete`: a part couldn't be checked."""

    line: int
    row: int | None
    part: int
    input: str
    doi: str
    outcome: str
    ra: str
    suggestion: str
    incomplete: bool
    works: bool


def learn_baseline(watch: Watch, job: Job, now: datetime) -> None:
    """Store the broken and the unchecked rows, unreported. Call it in a transaction, for a watch without rows."""
    for batch in _iterate_broken(job):
        _store(watch, batch, WatchedState.BROKEN, now)
    unanswered = Row.objects.filter(job=job).filter(Q(outcome__in=COULD_NOT_ASK) | Q(outcome=""))
    for rows in iterate_batches(unanswered.values_list("line", named=True), ("line",)):
        unknown = (WatchedRow(watch=watch, line=row.line, state=WatchedState.UNKNOWN, since=now) for row in rows)
        WatchedRow.objects.bulk_create(unknown)


def learn_full_baseline(watch: Watch, job: Job, now: datetime) -> None:
    """Store the rows that a full check finds broken in a way that the quick checks before couldn't see. They are not
    reported, and other rows keep their state. Call it in a transaction."""
    for batch in _iterate_broken(job):
        known = _find_known(watch, batch)
        unseen = [row for row in batch if row.line not in known and row.outcome in NOT_IN_QUICK]
        _store(watch, unseen, WatchedState.BROKEN, now)


def note_suspects(run: WatchRun, job: Job, now: datetime, *, seen_since: datetime) -> int:
    """Store the rows that the run finds broken for the first time. Return the number of rows to be checked a second
    time: those that were first seen broken after `seen_since`. Call it in a transaction."""
    watch = run.watch
    for batch in _iterate_broken(job):
        known = _find_known(watch, batch)
        new = [row for row in batch if row.line not in known]
        _store(watch, new, WatchedState.SUSPECTED, now)
        _update_broken(watch, known, batch, now)
    return find_suspects(watch).filter(since__gt=seen_since).count()


def find_suspects(watch: Watch) -> QuerySet[WatchedRow]:
    """Return the rows that were seen broken once, in the order of the list."""
    return WatchedRow.objects.filter(watch=watch, state=WatchedState.SUSPECTED).order_by("line")


def settle_rows(run: WatchRun, job: Job, now: datetime, *, seen_since: datetime) -> None:
    """Store the changes of the run and the states of the rows after it, and fill in its counts. A broken row that was
    first seen broken by `seen_since` has changed. Call it in the transaction that saves the run."""
    run.broken = run.newly_broken = 0
    for batch in _iterate_broken(job):
        run.broken += len(batch)
        known = _find_known(run.watch, batch)
        confirmed = [row for row in batch if _is_confirmed(known.get(row.line), seen_since)]
        run.newly_broken += len(confirmed)
        _store_changes(run, confirmed, now)
        for outcome, lines in _group_lines(confirmed).items():
            _find_rows(run.watch, lines).update(state=WatchedState.BROKEN, outcome=outcome)
    run.newly_working = 0
    known_rows = WatchedRow.objects.filter(watch=run.watch).order_by("line")
    for states in iterate_batches(known_rows, ("line",)):
        by_line = {state.line: state for state in states}
        rows = map(_build_found_row, raw_sql.select_rows(Row, _COLUMNS, ("job", job.pk), ("line", list(by_line))))
        working = [row for row in rows if row.works and _is_seen(job, row, by_line[row.line])]
        reported = [row for row in working if by_line[row.line].state in _KNOWN]
        run.newly_working += len(reported)
        _store_changes(run, reported, now)
        WatchedRow.objects.filter(watch=run.watch, line__in=[row.line for row in working]).delete()


def accept_row(watch: Watch, line: int, note: str) -> bool:
    """Accept the broken row as it is, until it changes. Return whether it is broken."""
    broken = WatchedRow.objects.filter(watch=watch, line=line, state__in=_KNOWN)
    return bool(broken.update(state=WatchedState.ACCEPTED, note=note))


def withdraw_acceptance(watch: Watch, line: int) -> bool:
    """Count the accepted row among the broken ones again. Return whether it was accepted."""
    accepted = WatchedRow.objects.filter(watch=watch, line=line, state=WatchedState.ACCEPTED)
    return bool(accepted.update(state=WatchedState.BROKEN, note=""))


def _update_broken(watch: Watch, known: Mapping[int, WatchedRow], rows: Iterable[FoundRow], now: datetime) -> None:
    """Update the known rows that are broken. An acceptance ends if a row is broken in another way."""
    changed = [row for row in rows if row.line in known and known[row.line].outcome != row.outcome]
    for outcome, lines in _group_lines(changed).items():
        found = _find_rows(watch, lines)
        accepted = list(found.filter(state=WatchedState.ACCEPTED).values_list("pk", flat=True))
        found.filter(pk__in=accepted).update(state=WatchedState.SUSPECTED, since=now, note="")
        found.filter(state=WatchedState.UNKNOWN).update(state=WatchedState.BROKEN)
        found.update(outcome=outcome)


def _group_lines(rows: Iterable[FoundRow]) -> dict[str, list[int]]:
    """Return the lines of the rows by outcome: one statement changes all with the same one."""
    grouped: dict[str, list[int]] = {}
    for row in rows:
        grouped.setdefault(row.outcome, []).append(row.line)
    return grouped


def _find_rows(watch: Watch, lines: Sequence[int]) -> QuerySet[WatchedRow]:
    return WatchedRow.objects.filter(watch=watch, line__in=lines)


def _is_confirmed(known: WatchedRow | None, seen_since: datetime) -> bool:
    return known is not None and known.state == WatchedState.SUSPECTED and known.since <= seen_since


def _is_seen(job: Job, row: FoundRow, known: WatchedRow) -> bool:
    """Return whether the check can see the known fault: not every one in a quick check, in an incomplete row, or
    without the comparison of works."""
    if known.outcome == OTHER_WORK and not compares_works(job):
        return False
    return not ((job.quick and known.outcome in NOT_IN_QUICK) or (row.incomplete and known.outcome in WATCHED_FAULTS))


def _store(watch: Watch, rows: Sequence[FoundRow], state: WatchedState, now: datetime) -> None:
    WatchedRow.objects.bulk_create(
        WatchedRow(watch=watch, line=row.line, state=state, outcome=row.outcome, since=now) for row in rows
    )


def _store_changes(run: WatchRun, rows: Sequence[FoundRow], now: datetime) -> None:
    found = ({name: getattr(row, name) for name in _CHANGE_COLUMNS} for row in rows)
    WatchChange.objects.bulk_create(WatchChange(run=run, watch=run.watch, at=now, **values) for values in found)


def _find_known(watch: Watch, rows: Sequence[FoundRow]) -> dict[int, WatchedRow]:
    if not rows:
        return {}
    lines = (rows[0].line, rows[-1].line)
    return {one.line: one for one in WatchedRow.objects.filter(watch=watch, line__range=lines)}


def _iterate_broken(job: Job) -> Iterator[list[FoundRow]]:
    """Yield the broken rows in batches in line order: those with a bad outcome, then those that lead nowhere or are of
    another work."""
    rows = Row.objects.filter(job=job).values_list(*_COLUMNS, named=True)
    for batch in iterate_batches(rows.filter(outcome__in=BAD).exclude(problem_codes=(EMPTY,)), ("line",)):
        yield [_build_found_row(row) for row in batch]
    found = [Q(problem_codes__contains=f" {code} ") for code in WATCHED_FAULTS if job.counts["problem"].get(code)]
    if found:
        for batch in iterate_batches(rows.filter(reduce(or_, found), outcome__in=GOOD), ("line",)):
            yield [_build_found_row(row) for row in batch]


def _build_found_row(values: Sequence[Any]) -> FoundRow:
    line, row, part, text, doi, outcome, codes, ra, prefix_ra, suggestion, incomplete = values
    fault = find_fault_of_record(outcome, codes)
    works = is_answered(outcome) and is_working(outcome, nowhere=bool(fault))
    return FoundRow(line, row, part, text, doi, fault or outcome, ra or prefix_ra, suggestion, bool(incomplete), works)
