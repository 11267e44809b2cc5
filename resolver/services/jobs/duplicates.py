"""Rows of a job with the same name (S8): each later one has the line of the first in `same_as`.

The name of a row is `find_listed_name`, not what white space left of it. The first row is the one with the smallest
line, whichever was checked first. It alone has a fingerprint and no `same_as`, so each name has one entry of an index.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from hashlib import sha256

from django.db.models import Case, Value, When

from resolver.models import Job, Row, raw_sql
from resolver.models.fields import encode_storable
from resolver.services.lookups.stored_results import find_listed_name


def compute_fingerprint(key: str) -> int:
    """Return a number that an index can hold, for a folded name of any length."""
    return int.from_bytes(sha256(encode_storable(key).encode()).digest()[:8], signed=True)


def mark_duplicates(job: Job, rows: Sequence[Row]) -> int:
    """Fill in `fingerprint` and `same_as` of a chunk's unsaved rows. Return the growth of the number of duplicates.

    One query for the rows, one for each MAX_SQLITE_NAMES of their names, and two more if a later line was checked
    before. Call it under the lock of the job's row: two writers might both take their line for the first.
    """
    first: dict[str, int] = {}
    for row in rows:
        row.fingerprint = compute_fingerprint(row.key) if find_listed_name(row) else None
        if row.fingerprint is not None:
            first[row.key] = min(row.line, first.get(row.key, row.line))
    # As stored now: another worker may have changed one of these rows since it was loaded.
    lines = [row.line for row in rows]
    own = Row.objects.filter(job_id=job.pk, line__range=(min(lines, default=0), max(lines, default=0))).order_by()
    stored = raw_sql.load_rows(own, ("line", "same_as", "fingerprint"))
    before = {line: (same_as, number) for line, same_as, number in stored}
    left = [row for row in rows if before[row.line][0] is None and before[row.line][1] not in (None, row.fingerprint)]
    growth = -_promote_followers(job, left, lines)
    moved = _find_later_firsts(job, rows, first)
    growth += len(moved)
    for row in rows:
        agreed, number = before[row.line]
        named = row.fingerprint is not None
        row.same_as = first[row.key] if named and first[row.key] < row.line else None
        growth += (row.same_as is not None) - (agreed is not None)  # a retried row was counted before
        if row.same_as is not None and agreed is None and number is not None:
            moved[row.line] = row.same_as  # it was the first, and others may agree with it
    _point_to_first(job, moved)
    return growth


def _find_later_firsts(job: Job, rows: Sequence[Row], first: dict[str, int]) -> dict[int, int]:
    """Put earlier stored lines into `first`. Return the later stored lines, with the line that is the first now."""
    ours = {row.line for row in rows}
    numbers = list({row.fingerprint for row in rows if row.fingerprint is not None})
    stored = raw_sql.select_rows(Row, ("line", "key"), ("job", job.pk), ("fingerprint", numbers), null="same_as")
    # Two names may have one fingerprint, so the key decides.
    known = [(line, key) for line, key in stored if key in first and line not in ours]
    for line, key in known:
        first[key] = min(line, first[key])
    return {line: first[key] for line, key in known if line > first[key]}


def _promote_followers(job: Job, rows: Iterable[Row], ours: Collection[int]) -> int:
    """Make the next row the first of each name that these first rows no longer have. Return the number of such rows."""
    count = 0
    for row in rows:
        followers = Row.objects.filter(job=job, same_as=row.line).exclude(line__in=ours)
        new = followers.order_by("line").first()
        if new is not None:
            followers.update(same_as=Case(When(line=new.line, then=Value(None)), default=Value(new.line)))
            count += 1
    return count


def _point_to_first(job: Job, moved: Mapping[int, int]) -> None:
    """Point the rows that were the first, and their duplicates, to an earlier line."""
    if not moved:
        return
    theirs = Row.objects.filter(job=job, line__in=moved)
    theirs.update(same_as=Case(*(When(line=old, then=Value(new)) for old, new in moved.items())))
    followers = Row.objects.filter(job=job, same_as__isnull=False, line__gt=min(moved), same_as__in=moved)
    followers.update(same_as=Case(*(When(same_as=old, then=Value(new)) for old, new in moved.items())))
