"""The rows to correct that repeat another row's DOI, or contradict it by another expected address.

Only rows whose DOI occurs again are read, so a list without duplicates costs three queries.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from doi_reading import fold
from resolver.domain.report.correction import is_main_doi
from resolver.domain.report.target import TO_CORRECT, complete_target
from resolver.models import Job, Row, raw_sql
from resolver.services.jobs.duplicates import compute_fingerprint
from resolver.services.jobs.row_readings import find_expected_address

AT_ONCE = 2_000


@dataclass(frozen=True, slots=True)
class UpdatesLeftOut:
    """The lines of rows to correct that are left out, these rows by prefix and by agency, and the number of DOIs with
    more than one expected address."""

    lines: set[int] = field(default_factory=set)
    by_prefix: Counter[str] = field(default_factory=Counter)
    by_agency: Counter[str] = field(default_factory=Counter)
    conflicts: int = 0


def find_doi_to_correct(doi: str, alias_of: str, outcome: str) -> str:
    """Return the DOI whose record has the address: the one behind an alias, else itself."""
    return alias_of if is_main_doi(outcome, alias_of) else doi


def find_left_out(job: Job) -> UpdatesLeftOut:
    """Return the rows of DOIs that occur again: all of a DOI with different expected addresses, and all others but the
    first that is to correct."""
    expected: dict[int, str] = {}
    conflicts: set[int] = set()
    for row in _read(job):
        number = _compute_number(row)
        address = complete_target(find_expected_address(job, row.cells) or "")
        if expected.setdefault(number, address) != address:
            conflicts.add(number)
    told, seen = UpdatesLeftOut(conflicts=len(conflicts)), set[int]()
    for row in _read(job):
        if row.address not in TO_CORRECT or row.suggestion:
            continue
        number = _compute_number(row)
        if number in conflicts or number in seen:
            told.lines.add(row.line)
            told.by_prefix[find_doi_to_correct(row.doi, row.alias_of, row.outcome).partition("/")[0]] += 1
            told.by_agency[row.ra or row.prefix_ra] += 1
        seen.add(number)
    return told


def _compute_number(row: Row) -> int:
    return compute_fingerprint(fold(find_doi_to_correct(row.doi, row.alias_of, row.outcome)))


def _read(job: Job) -> Iterator[Row]:
    """Yield the rows with a class whose DOI occurs in other rows, in line order."""
    rows = Row.objects.filter(job=job)
    audited = rows.filter(address__gt="").order_by("line")
    lines: set[int] = set()
    for line, first in rows.filter(same_as__isnull=False).values_list("line", "same_as").iterator():
        lines.update(filter(None, (line, first)))
    numbers: set[int] = set()
    aliases = audited.filter(alias_of__gt="").values_list("line", "alias_of", "outcome")
    for line, alias_of, outcome in aliases.iterator():
        if is_main_doi(outcome, alias_of):
            lines.add(line)
            numbers.add(compute_fingerprint(fold(alias_of)))
    for some in _split_pieces(numbers):
        firsts = raw_sql.select_rows(Row, ("line",), ("job", job.pk), ("fingerprint", some), null="same_as")
        lines.update(number for (number,) in firsts)
    for some in _split_pieces(lines):
        yield from audited.filter(line__in=some)


def _split_pieces(numbers: Iterable[int]) -> Iterator[list[int]]:
    ordered = sorted(numbers)
    for start in range(0, len(ordered), AT_ONCE):
        yield ordered[start : start + AT_ONCE]
