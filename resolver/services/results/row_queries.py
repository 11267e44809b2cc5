"""The rows of a job that fit a filter, found in an index however long the list is. The rows themselves are searched for
a text, and for the host of a list without stored hosts."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from operator import or_
from typing import Any

from django.db import connections
from django.db.models import F, Max, Q, QuerySet

from resolver.domain.report.correction import PERSONAL, Correction
from resolver.domain.report.outcome import COULD_NOT_ASK, NOT_CHECKED, Outcome
from resolver.domain.report.review_rows import REVIEW_PARTS
from resolver.domain.report.row_task import TaskPart, get_task_parts
from resolver.domain.report.target import ELSEWHERE, TO_CORRECT, Target
from resolver.domain.report.triage import BAD, EMPTY, GOOD, RowGroup
from resolver.domain.work.evidence import COULD_NOT_ASK as WORK_UNASKED
from resolver.domain.work.found_works import SearchStatus
from resolver.models import HAS_RARE_CORRECTION, Job, Row
from resolver.models.fields import encode_storable
from resolver.models.rare_values import Rarely
from resolver.services.jobs.row_readings import searches_works
from resolver.services.lookups.history import MAX_QUERY_CHARACTERS
from resolver.services.results.row_numbers import number_rows
from resolver.services.results.row_order import FILE_ORDER, RowOrder, find_edge
from resolver.services.results.row_search import (
    TimedSearch,
    build_text_condition,
    filter_possible,
    leads_to,
    must_read_hosts,
)
from resolver.services.storage.keyset import BATCH_ROWS, Edge, filter_beyond

SEARCH_UNASKED = SearchStatus.COULD_NOT_ASK.value


@dataclass(frozen=True, slots=True)
class OutcomeSubset:
    """The rows of one outcome; `needs_review`, `tidier` and `empty`: True or False selects by that flag. Without an
    outcome: all rows that need review, or that could be tidier, which have their own index."""

    outcome: str | None
    needs_review: bool | None = None
    tidier: bool | None = None
    empty: bool | None = None

    def fits(self, outcome: str, needs_review: bool, tidier: bool, codes: tuple[str, ...]) -> bool:
        """Return whether a row with these values is in the subset."""
        return (
            self.outcome in (None, outcome)
            and self.needs_review in (None, needs_review)
            and self.tidier in (None, tidier)
            and self.empty in (None, EMPTY in codes)
        )

    def with_outcome(self, outcome: str) -> "OutcomeSubset | None":
        """Return the part of the subset with this outcome; None if there can be none."""
        if self.outcome is None:
            return replace(self, outcome=outcome) if outcome in GOOD else None
        return self if self.outcome == outcome else None

    def of(self, found: QuerySet[Row]) -> QuerySet[Row]:
        """Return the rows that are in the subset."""
        if self.outcome is not None:
            found = found.filter(outcome=self.outcome)
        if self.needs_review is not None:
            found = found.filter(needs_review=self.needs_review)
        if self.empty is not None:
            is_empty = Q(problem_codes__contains=f" {EMPTY} ")
            found = found.filter(is_empty) if self.empty else found.exclude(is_empty)
        return found if self.tidier is None else found.filter(tidier=self.tidier)


PARTS: Mapping[str, tuple[OutcomeSubset, ...]] = {
    RowGroup.FINE: tuple(OutcomeSubset(each, needs_review=False, tidier=False) for each in Outcome if each in GOOD),
    RowGroup.TIDIER: (OutcomeSubset(None, tidier=True),),
    RowGroup.NEEDS_WORK: (
        *(OutcomeSubset(each, empty=False if each == Outcome.INVALID else None) for each in BAD),
        OutcomeSubset(None, needs_review=True),
    ),
    RowGroup.EMPTY: (OutcomeSubset(Outcome.INVALID, empty=True),),
    RowGroup.COULD_NOT_ASK: tuple(OutcomeSubset(each) for each in Outcome if each in COULD_NOT_ASK),
    RowGroup.NOT_CHECKED: (OutcomeSubset(""),),
}


TO_REVIEW = "to-review"
DECIDED = "decided"
CORRECTIONS: Mapping[str, tuple[str, ...]] = {
    TO_REVIEW: (Correction.REVIEW, Correction.SUGGESTED),
    DECIDED: tuple(each for each in Correction if each in PERSONAL),
    **{each: (each,) for each in Correction},
}
"""The corrections of rows by the words of a filter: those to review, those decided, and each."""
ELSEWHERE_WORD = "elsewhere"
TO_CORRECT_WORD = "to-correct"
ADDRESSES: Mapping[str, tuple[str, ...]] = {
    ELSEWHERE_WORD: ELSEWHERE,
    TO_CORRECT_WORD: TO_CORRECT,
    **{each: (each,) for each in Target},
}
"""The classes of addresses by the words of a filter: those that lead elsewhere or nowhere, also those that lead to
another page of the expected site, and each."""
_IN_MOST_ROWS = frozenset({Correction.UNCHANGED, Correction.UNCHECKED})  # not in the index of the others


@dataclass(frozen=True, slots=True)
class RowFilter:
    """The conditions of rows; "" or False sets none. `q` is searched in cells, inputs and names, A-Z like a-z (S8).
    `duplicates`: with the name of an earlier row. `correction`: a word of CORRECTIONS. `address`: one of ADDRESSES.
    `work`: one of VERDICTS. `found_by`: one of FOUND_BY. `host`: of the first URL value, in any case (a quick check
    reads none). `task`: a code of RowTask. `review`: a word of REVIEW_PARTS. An unknown word fits no row."""

    q: str = ""
    outcome: str = ""
    problem: str = ""
    ra: str = ""
    duplicates: bool = False
    group: str = ""
    correction: str = ""
    address: str = ""
    work: str = ""
    found_by: str = ""
    host: str = ""
    task: str = ""
    review: str = ""

    def __post_init__(self) -> None:
        """Write the host as it is stored."""
        object.__setattr__(self, "host", self.host.lower())

    def list_parts(self) -> tuple[OutcomeSubset, ...] | None:
        """Return the parts of a list that fit; None for the whole list."""
        if not self.group:
            return (OutcomeSubset(self.outcome),) if self.outcome else None
        parts = PARTS.get(self.group, ())
        if not self.outcome:
            return parts
        return tuple(filter(None, (part.with_outcome(self.outcome) for part in parts)))


ALL = RowFilter()


def find_line_numbers(
    job: Job, wanted: RowFilter, found: QuerySet[Row], most: int, search: TimedSearch | None = None
) -> list[int]:
    """Return the line numbers of the first rows that fit, of `found`: rows of the job, in one of the orders of SORTS up
    or down. At most one query, unless rows are searched: `search` bounds the time.

    Each part is found in its own range of the index, in line order, and the database merges them (UNION ALL): with IN
    it would sort all rows that fit for each page. PostgreSQL needs a limit for each part, SQLite allows none.
    """
    by_url = must_read_hosts(job, wanted.host)
    find = _find_by_url if by_url else _find_in_index
    if by_url or (wanted.q and len(wanted.q) <= MAX_QUERY_CHARACTERS):
        lines: list[int] = []
        for window in (search or TimedSearch(math.inf)).iterate_windows(found):
            lines += find(job, wanted, window, most - len(lines))
            if len(lines) >= most:
                break
        return lines
    return find(job, wanted, found, most)


def _find_in_index(job: Job, wanted: RowFilter, found: QuerySet[Row], most: int) -> list[int]:
    order = [str(name) for name in found.query.order_by]
    columns = [name.removeprefix("-") for name in order]
    parts = [part.values_list(*columns) for part in build_filter_queries(job, wanted, found)]
    return [values[-1] for values in merge_parts(parts, order, most)]


def _find_by_url(job: Job, wanted: RowFilter, found: QuerySet[Row], most: int) -> list[int]:
    order = [str(name) for name in found.query.order_by]
    columns = [name.removeprefix("-") for name in order]
    lines: list[int] = []
    rest = found
    while True:
        parts = [part.values_list(*columns, "urls") for part in build_filter_queries(job, wanted, rest)]
        possible = merge_parts(parts, order, BATCH_ROWS)
        lines += [values[-2] for values in possible if leads_to(wanted.host, values[-1])]
        if len(lines) >= most or len(possible) < BATCH_ROWS:
            return lines[:most]
        rest = filter_beyond(found, order, Edge(possible[-1][:-1]))


def merge_parts(
    parts: Sequence[QuerySet[Row, tuple[Any, ...]]], order: Sequence[str], most: int
) -> list[tuple[Any, ...]]:
    """Return the first values of all these ordered parts. One query: a row that changes its part is found once."""
    if not parts:
        return []
    merged = parts[0]
    if len(parts) > 1:
        bounded = connections[merged.db].features.supports_slicing_ordering_in_compound
        first, *others = [part[:most] if bounded else part.order_by() for part in parts]
        merged = first.union(*others, all=True).order_by(*order)
    return list(merged[:most])


def find_neighbours(
    job: Job, wanted: RowFilter, line: int, order: RowOrder = FILE_ORDER
) -> tuple[int | None, int | None]:
    """Return the lines of the fitting rows before and after this one in the order; None at an end, or if a search takes
    longer than a second. One query each, in an index, unless rows are searched."""
    found, here = Row.objects.filter(job=job), find_edge(job, order, Edge((line,)))
    if here is None:
        return None, None
    before, after = (
        find_line_numbers(job, wanted, filter_beyond(found, order.columns, edge), 1, TimedSearch(seconds=1.0))
        for edge in (Edge(here.values, backwards=True), here)
    )
    return next(iter(before), None), next(iter(after), None)


def fetch_rows(
    job: Job, wanted: RowFilter, found: QuerySet[Row], most: int, *, search: TimedSearch | None = None
) -> list[Row]:
    """Return the first rows that fit, of `found`, as `find_line_numbers` finds them. Two queries, unless rows are
    searched: as one query it took PostgreSQL half a minute without statistics of the table."""
    numbers = find_line_numbers(job, wanted, found, most, search)
    # Without an order, for which SQLite would read all rows in the index of that order.
    by_line = {row.line: row for row in Row.objects.filter(job=job, line__in=numbers).order_by()} if numbers else {}
    rows = [by_line[line] for line in numbers if line in by_line]
    number_rows(job, rows)
    return rows


def build_filter_queries(job: Job, wanted: RowFilter, found: QuerySet[Row]) -> Sequence[QuerySet[Row]]:
    """Return the rows that fit as one query for each part of the list; with `must_read_hosts`, rows that may fit."""
    if len(wanted.q) > MAX_QUERY_CHARACTERS:
        return []
    found = filter_text_and_duplicates(found, wanted)
    if wanted.problem:
        # The first condition is that of the index.
        found = found.filter(problem_codes__gt="", problem_codes__contains=f" {wanted.problem} ")
    if wanted.ra:
        found = found.filter(ra=wanted.ra)
    if must_read_hosts(job, wanted.host):
        found = filter_possible(found, wanted.host)
    elif wanted.host:
        found = found.filter(Rarely(host=encode_storable(wanted.host)), host__gt="")
    if wanted.work:
        found = found.filter(Rarely(work=wanted.work), work__gt="")
    if wanted.found_by:
        found = found.filter(Rarely(found_by=wanted.found_by), found_by__gt="")
    parts = wanted.list_parts()
    subsets = [found] if parts is None else [part.of(found) for part in parts]
    if wanted.address:
        classes = ADDRESSES.get(wanted.address, ())
        subsets = [subset.filter(Rarely(address=each), address__gt="") for subset in subsets for each in classes]
    of_review = REVIEW_PARTS.get(wanted.review, ())
    for word, kinds in ((wanted.task, get_task_parts(wanted.task)), (wanted.review, of_review)):
        if word:
            possible = [_simplify_part(job, part) for part in kinds if _may_have_rows(job, part)]
            subsets = [filter_task_part(subset, part) for subset in subsets for part in possible]
    if not wanted.correction:
        return subsets
    corrections = CORRECTIONS.get(wanted.correction, ())
    return [filter_correction(subset, correction) for subset in subsets for correction in corrections]


def filter_correction(found: QuerySet[Row], correction: str) -> QuerySet[Row]:
    """Return the rows with this correction, by an index unless most rows have it."""
    if correction in _IN_MOST_ROWS:
        return found.filter(correction=correction)
    return found.filter(HAS_RARE_CORRECTION, Rarely(correction=correction))


def filter_task_part(found: QuerySet[Row], part: TaskPart) -> QuerySet[Row]:
    """Return the rows of this part of a task, by the index of its correction, address or outcome."""
    if part.address:
        found = found.filter(Rarely(address=part.address), address__gt="")
    if part.work_unasked:
        return found.filter(Rarely(work=WORK_UNASKED), _build_part_condition(part), work__gt="")
    if part.search_unasked:
        return found.filter(Rarely(found_by=SEARCH_UNASKED), _build_part_condition(part), found_by__gt="")
    if len(part.corrections) == 1:
        found = filter_correction(found, part.corrections[0])
    elif part.problems:
        found = found.filter(problem_codes__gt="")  # the condition of their index
    else:
        found = found.filter(line__gt=0)  # without statistics PostgreSQL would sort all rows of an outcome
    return found.filter(_build_part_condition(part))


def _simplify_part(job: Job, part: TaskPart) -> TaskPart:
    """Return the part without a condition on searches that all rows of this list fulfil, and that its index lacks."""
    return part if searches_works(job) else replace(part, search_unasked=None)


def _may_have_rows(job: Job, part: TaskPart) -> bool:
    """Return whether the counts of the list have a row for the part. It may be alone with its condition on problems,
    for which all rows of a correction would be read."""
    outcomes, problems = job.counts["outcome"], job.counts["problem"]
    if part.search_unasked and not searches_works(job):
        return False
    return (NOT_CHECKED in part.outcomes or not part.outcomes or any(map(outcomes.get, part.outcomes))) and (
        not part.problems or any(map(problems.get, part.problems))
    )


def build_task_condition(word: str) -> Q:
    """Return the condition of a row of the task, for rows that other filters find."""
    return reduce(or_, map(_build_part_condition, get_task_parts(word)), Q(pk__in=()))


def _build_part_condition(part: TaskPart) -> Q:
    """Return the condition of a part as `TaskPart.fits` decides it."""
    condition = Q(outcome__in=part.outcomes) if part.outcomes else Q(outcome__gt=NOT_CHECKED)
    if len(part.outcomes) == 1:
        condition = Q(outcome=part.outcomes[0])
    if part.corrections:
        condition &= Q(correction__in=part.corrections)
    for code in part.not_problems:
        condition &= ~Q(problem_codes__contains=f" {code} ")
    if part.problems:
        codes = [Q(problem_codes__contains=f" {code} ") for code in part.problems]
        condition &= reduce(or_, codes)
    if part.address:
        condition &= Q(address=part.address)
    if part.work_unasked is not None:
        unasked = Q(work=WORK_UNASKED)
        condition &= unasked if part.work_unasked else ~unasked
    if part.search_unasked is not None:
        unasked = Q(found_by=SEARCH_UNASKED)
        condition &= unasked if part.search_unasked else ~unasked
    return condition & ~Q(address=part.not_address) if part.not_address else condition


def filter_repeated(found: QuerySet[Row]) -> QuerySet[Row]:
    """Return the rows with the name of an earlier row. Another field of the same reference is no such row."""
    is_earlier = Q(reference__isnull=True) | Q(same_as__lt=F("reference"))
    return found.filter(is_earlier, same_as__isnull=False)


def filter_text_and_duplicates(found: QuerySet[Row], wanted: RowFilter) -> QuerySet[Row]:
    """Return the rows that fit the filters without a facet: the text, and duplicates."""
    if wanted.duplicates:
        found = filter_repeated(found)
    if wanted.q:
        found = found.filter(build_text_condition(wanted.q))
    return found


def count_unread_rows(job: Job) -> int:
    """Return the number of rows that an ended list never read, which no filter finds. At most one query."""
    if not job.ended or job.done >= job.total:
        return 0
    return max(0, job.total - (Row.objects.filter(job=job).aggregate(last=Max("line"))["last"] or 0))
