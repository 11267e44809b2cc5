"""The numbers of a list's rows by outcome, problem, agency and group, under the other filters."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from django.db.models import Count, Max

from resolver.domain.report.triage import RowGroup
from resolver.models import Job, Row
from resolver.services.results.row_queries import (
    ALL,
    CORRECTIONS,
    PARTS,
    OutcomeSubset,
    RowFilter,
    filter_text_and_duplicates,
)

EXACT = 25_000  # rows; in a longer list those that fit are not counted
Combination = tuple[str, str, str, bool, bool, int]  # outcome, agency, problems, needs_review, tidier, rows


@dataclass(frozen=True, slots=True)
class Facets:
    """Rows by outcome, problem, agency (`ra`) and group, each counted under all filters but its own, as another choice
    would give. `fit`: rows under all filters; None if unknown. `exact`: False for a long list, which is counted whole.
    """

    outcome: Mapping[str, int]
    problem: Mapping[str, int]
    ra: Mapping[str, int]
    group: Mapping[str, int]
    fit: int | None
    exact: bool


def count_facets(job: Job, wanted: RowFilter) -> Facets:
    """Count with one query, over an index unless a text is searched; without a filter, or in a long list, with none."""
    if wanted == ALL or job.total > EXACT:
        return _of_all(job, wanted)
    found = filter_text_and_duplicates(Row.objects.filter(job=job), wanted).order_by()
    if wanted.correction:
        found = found.filter(correction__in=CORRECTIONS.get(wanted.correction, ()))
    counted = found.values_list("outcome", "ra", "problems", "needs_review", "tidier").annotate(rows=Count("*"))
    return _of_those(list(counted), wanted)


def count_groups(job: Job) -> dict[str, int]:
    """Return the groups of the whole list, by its stored counts; no query."""
    outcomes = job.counts["outcome"]
    counted = [(outcome, "", "", False, False, rows) for outcome, rows in outcomes.items()]
    grouped = _grouped([*counted, ("", "", "", False, False, max(0, job.total - job.done))])
    for group, rows in ((RowGroup.NEEDS_WORK, job.needs_review), (RowGroup.TIDIER, job.tidier)):
        moved = min(rows, grouped[RowGroup.FINE])
        grouped[RowGroup.FINE] -= moved
        grouped[group] += moved
    return grouped


def count_unread_rows(job: Job) -> int:
    """Return the number of rows that were not read when the list ended: no filter finds them. At most one query."""
    if not job.ended or job.done >= job.total:
        return 0
    return max(0, job.total - (Row.objects.filter(job=job).aggregate(last=Max("line"))["last"] or 0))


def _of_all(job: Job, wanted: RowFilter) -> Facets:
    counts, grouped = job.counts, count_groups(job)
    # Known for a single filter.
    known = {
        RowFilter(outcome=wanted.outcome): counts["outcome"].get(wanted.outcome, 0),
        RowFilter(problem=wanted.problem): counts["problem"].get(wanted.problem, 0),
        RowFilter(ra=wanted.ra): counts["ra"].get(wanted.ra, 0),
        RowFilter(group=wanted.group): grouped.get(wanted.group, 0),
        RowFilter(duplicates=True): job.duplicates,
        ALL: job.total,
    }
    return Facets(counts["outcome"], counts["problem"], counts["ra"], grouped, known.get(wanted), wanted == ALL)


def _of_those(combinations: list[Combination], wanted: RowFilter) -> Facets:
    outcomes, problems, agencies = Counter[str](), Counter[str](), Counter[str]()
    of_any_outcome = _fitting(combinations, replace(wanted, outcome="", group=""))
    for outcome, *_, rows in of_any_outcome:
        outcomes[outcome] += rows
    for _, _, codes, *_, rows in _fitting(combinations, replace(wanted, problem="")):
        problems.update(dict.fromkeys(codes.split(), rows))
    for _, ra, *_, rows in _fitting(combinations, replace(wanted, ra="")):
        agencies[ra] += rows
    fit = sum(rows for *_, rows in _fitting(combinations, wanted))
    return Facets(outcomes, problems, agencies, _grouped(of_any_outcome), fit, exact=True)


def _grouped(combinations: Sequence[Combination]) -> dict[str, int]:
    """Return the rows by group."""
    grouped = dict.fromkeys(map(str, PARTS), 0)
    for outcome, _, _, review, tidier, rows in combinations:
        for group, parts in PARTS.items():
            grouped[str(group)] += rows * _is_in(parts, outcome, needs_review=review, tidier=tidier)
    return grouped


def _is_in(parts: Sequence[OutcomeSubset] | None, outcome: str, *, needs_review: bool, tidier: bool) -> bool:
    return parts is None or any(part.fits(outcome, needs_review, tidier) for part in parts)


def _fitting(combinations: Sequence[Combination], wanted: RowFilter) -> list[Combination]:
    parts = wanted.parts()
    return [
        (outcome, ra, problems, review, tidier, rows)
        for outcome, ra, problems, review, tidier, rows in combinations
        if _is_in(parts, outcome, needs_review=review, tidier=tidier)
        and (not wanted.ra or ra == wanted.ra)
        and (not wanted.problem or f" {wanted.problem} " in problems)
    ]
