"""Compare two lists, in one pass over both in one order: memory doesn't grow with them.

Each step reads some rows of both, up to a place that both have reached, and stores the differences with that place. The
next worker continues from there, after a kill or after a turn of two seconds.
"""

import math
import time
from collections import Counter
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import F, Q
from django.db.models.functions import Coalesce

from doi_reading import fold
from resolver.domain.report.change import Change, Finding, find_change
from resolver.domain.report.outcome import Outcome
from resolver.domain.report.triage import LEADS_NOWHERE, is_answered
from resolver.models import ENDED, Comparison, Difference, Job, Row, raw_sql
from resolver.services.comparisons.reruns import are_of_one_file
from resolver.services.jobs.lifecycle import ensure_ended
from resolver.services.storage.batched_removal import remove_comparison
from resolver.services.storage.clock import read_clock
from resolver.services.storage.disk_reserve import find_short_disks
from resolver.services.storage.keyset import Edge, filter_beyond
from resolver.services.storage.leases import MOST_UNDER_WAY, TURN_SECONDS, Clock, Lease, LeaseColumns

SMALL_ROWS = 5000  # of both lists, for which a person waits
KEPT_BY_OWNER = 5  # comparisons: the oldest is removed before another one is made

_LEASES = LeaseColumns("claim", "claimed_until")
_PROGRESS = ("compared_up_to", "done", "counts")
_KEYS = {True: "line", False: "fingerprint"}  # in whose order the rows are read, by `Comparison.by_line`
_COLUMNS = (
    "line", "key", "outcome", "urls", "ra", "alias_of", "suggestion", "others", "problem_codes", "incomplete",
    "address", "work",
)  # fmt: skip

Place = tuple[int, str]  # the number that orders both lists, and the name if two have the same number
Values = tuple[Any, ...]


def order_runs(one: Job, other: Job) -> tuple[Job, Job]:
    """Return the older one first."""
    older, newer = sorted((one, other), key=lambda job: (job.created_at, job.pk))
    return older, newer


def get_or_create_comparison(before: Job, after: Job, *, now: datetime) -> Comparison:
    """Return the comparison of the two as they are now; `advance_comparison` fills a new one. Raise JobStillRunning,
    and Job.DoesNotExist if one was deleted."""
    ensure_ended(before, after)
    try:
        comparison, _ = Comparison.objects.get_or_create(
            before=before,
            after=after,
            before_ended=_get_end(before),
            after_ended=_get_end(after),
            defaults={"created_at": now, "by_line": are_of_one_file(before, after)},
        )
    except IntegrityError as error:
        raise Job.DoesNotExist from error
    return comparison


def is_small(before: Job, after: Job) -> bool:
    """Return whether a person may wait for it."""
    return before.total + after.total <= SMALL_ROWS


def advance_comparison(
    comparison_id: int, *, until: float = math.inf, clock: Clock = read_clock, at_once: int = 2000
) -> bool:
    """Compare until that time (monotonic seconds), but at least one step of `at_once` rows of either list. Return
    whether there is more for this worker to do: not if another one holds it, a list has changed (then this comparison
    is never shown), or less than DISK_RESERVE is free."""
    if find_short_disks():
        return False
    undone = Comparison.objects.filter(pk=comparison_id, done=False).select_related("before", "after")
    return _LEASES.work_on(undone, lambda lease: _take_step(lease, clock, at_once), until=until, clock=clock)


def compare_for_turn(comparison_id: int) -> bool:
    """Continue for one turn, unless other comparisons come first. Return whether there is more to do."""
    return comparison_id in _list_under_way() and advance_comparison(
        comparison_id, until=time.monotonic() + TURN_SECONDS
    )


def reserve_abandoned(now: datetime) -> list[int]:
    """Return the comparisons under way that no worker holds, each once within a minute, for messages to be sent; none
    while less than DISK_RESERVE is free."""
    if find_short_disks():
        return []
    return _LEASES.reserve(Comparison.objects.filter(pk__in=_list_under_way()), now)


def _list_under_way() -> list[int]:
    undone = Comparison.objects.filter(build_current_condition(), done=False).order_by("created_at", "pk")
    return list(undone.values_list("pk", flat=True)[:MOST_UNDER_WAY])


def is_claimed(comparison: Comparison, now: datetime) -> bool:
    """Return whether a worker holds it."""
    return comparison.claimed_until is not None and comparison.claimed_until >= now


def is_current(comparison: Comparison) -> bool:
    """Return whether neither list has changed since the comparison was made."""
    return Comparison.objects.filter(build_current_condition(), pk=comparison.pk).exists()


def build_current_condition() -> Q:
    """Return the condition of comparisons of lists that have not changed since."""
    before, after = (Coalesce(F(f"{side}__finished_at"), F(f"{side}__created_at")) for side in ("before", "after"))
    return Q(before_ended=before, before__state__in=ENDED, after_ended=after, after__state__in=ENDED)


def build_finding(values: Mapping[str, Any], *, by_line: bool) -> Finding:
    """Return the finding of a row; if rows are matched by name, without what belongs to the text. A row that represents
    its suggestion found only that this name is registered."""
    if not by_line and values["outcome"] == Outcome.NOT_FOUND and values["key"] == fold(values["suggestion"]):
        return Finding(Outcome.REGISTERED, incomplete=True)
    return Finding(
        values["outcome"],
        tuple(values["urls"]),
        values["ra"],
        values["alias_of"],
        values["suggestion"] if by_line else "",
        tuple((other["doi"], other["outcome"]) for other in values["others"]) if by_line else (),
        not set(LEADS_NOWHERE).isdisjoint(values["problem_codes"]),
        values["incomplete"],
        values["address"] if by_line else "",
        values["work"] if by_line else "",
    )


def _get_end(job: Job) -> datetime:
    return job.finished_at or job.created_at


def _take_step(lease: Lease[Comparison], clock: Clock, at_once: int) -> bool:
    """Compare one more piece. Return False if the lease is lost, or a list has changed."""
    comparison = lease.row
    if not comparison.counts and not _make_room(comparison):
        return True
    befores, before_reach = _read(comparison, comparison.before, at_once)
    afters, after_reach = _read(comparison, comparison.after, at_once)
    reach = min(before_reach, after_reach)
    found, counts = [], Counter(comparison.counts)
    for place in sorted(place for place in befores.keys() | afters.keys() if place[0] <= reach):
        before, after = befores.get(place), afters.get(place)
        kind = _classify_pair(before, after, by_line=comparison.by_line)
        counts[str(kind)] += 1
        if kind is not Change.UNCHANGED:
            found.append((comparison.pk, str(kind), *_order_lines(before, after)))
    if not is_current(comparison):
        return False
    comparison.compared_up_to, comparison.done = (None, True) if reach == math.inf else (int(reach), False)
    comparison.counts = dict(counts)
    with transaction.atomic():
        if not lease.renew(clock(), **{name: getattr(comparison, name) for name in _PROGRESS}):
            return False
        raw_sql.insert_rows(Difference, ("comparison", "kind", "place", "line", "other_line"), found)
    return True


def _make_room(comparison: Comparison) -> bool:
    """Remove some differences of the owner's surplus comparisons, the oldest. Return whether no surplus is left."""
    others = Comparison.objects.filter(before__owner=comparison.before.owner).exclude(pk=comparison.pk)
    surplus = others.order_by("-created_at", "-pk")[KEPT_BY_OWNER - 1 :]
    return all(remove_comparison(one, until=-math.inf) for one in surplus)


def _read(comparison: Comparison, job: Job, most: int) -> tuple[dict[Place, Values], float]:
    """Return the next rows of a list, and the number up to which they are complete (infinity at the end)."""
    order = _KEYS[comparison.by_line]
    rows = Row.objects.filter(job=job)
    if not comparison.by_line:
        rows = rows.filter(same_as=None, fingerprint__isnull=False)  # as the index has it: each distinct name once
    edge = None if comparison.compared_up_to is None else Edge((comparison.compared_up_to,))
    page = list(filter_beyond(rows, (order,), edge).values_list(order, *_COLUMNS)[:most])
    # Two names may have one fingerprint: the last one may have more rows.
    reach = page[-1][0] - 1 if len(page) == most else math.inf
    return {(values[0], "" if comparison.by_line else values[2]): values[1:] for values in page}, reach


def _classify_pair(before: Values | None, after: Values | None, *, by_line: bool) -> Change:
    if before is None or after is None:
        if by_line:  # both runs have the lines of one file: a missing one was not checked
            return Change.UNANSWERED
    elif before[2:] == after[2:] and is_answered(before[2]):  # as nearly all are
        return Change.UNCHANGED
    named = (dict(zip(_COLUMNS, values, strict=True)) if values else None for values in (before, after))
    return find_change(*(build_finding(values, by_line=by_line) if values else None for values in named))


def _order_lines(before: Values | None, after: Values | None) -> tuple[int, int | None, int | None]:
    line, other = before[0] if before else None, after[0] if after else None
    return (2 * line if line is not None else 2 * (other or 0) + 1), line, other
