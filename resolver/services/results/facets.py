"""How many rows of a list have each outcome, problem and agency, beside what else is wanted of them."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from django.db.models import Count, Max

from resolver.domain.report.triage import Group
from resolver.models import Job, Row
from resolver.services.results.row_queries import ALL, PARTS, RowFilter, search

EXACT = 25_000  # rows; of a longer list nobody counts those that fit
Combination = tuple[str, str, str, bool, int]  # outcome, agency, problems, needs_review, rows


@dataclass(frozen=True, slots=True)
class Facets:
    """Rows by outcome, problem, agency (`ra`) and group: each counted under all filters but its own, so that it says
    what another choice would give. `fit`: rows under all of them; None where that is not known. `exact`: False where
    the list is too long, and what is counted is the whole of it."""

    outcome: Mapping[str, int]
    problem: Mapping[str, int]
    ra: Mapping[str, int]
    group: Mapping[str, int]
    fit: int | None
    exact: bool


def count_facets(job: Job, wanted: RowFilter) -> Facets:
    """No query where nothing is wanted, or the list is long; else one, over an index unless a text is searched."""
    if wanted == ALL or job.total > EXACT:
        return _of_all(job, wanted)
    found = search(Row.objects.filter(job=job), wanted).order_by()
    counted = found.values_list("outcome", "ra", "problems", "needs_review").annotate(rows=Count("*"))
    return _of_those(list(counted), wanted)


def count_groups(job: Job) -> dict[str, int]:
    """The groups of the whole list, as far as its rows are counted; no query."""
    outcomes = job.counts["outcome"]
    counted = [(outcome, "", "", False, rows) for outcome, rows in outcomes.items()]
    grouped = _grouped([*counted, ("", "", "", False, max(0, job.total - job.done))])
    needs_review = min(job.needs_review, grouped[Group.FINE])
    grouped[Group.FINE] -= needs_review
    grouped[Group.NEEDS_WORK] += needs_review
    return grouped


def count_unread_rows(job: Job) -> int:
    """The rows of a list that ended before its file was read to the end: they are stored nowhere, so no filter finds
    them. At most one query."""
    if not job.ended or job.done >= job.total:
        return 0
    return max(0, job.total - (Row.objects.filter(job=job).aggregate(last=Max("line"))["last"] or 0))


def _of_all(job: Job, wanted: RowFilter) -> Facets:
    counts, grouped = job.counts, count_groups(job)
    # What is wanted is known where it is one thing.
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
    of_any_outcome = list(_fitting(combinations, replace(wanted, outcome="", group="")))
    outcomes = _counted((outcome, rows) for outcome, *_, rows in of_any_outcome)
    with_any_problem = _fitting(combinations, replace(wanted, problem=""))
    problems = _counted((code, rows) for _, _, codes, _, rows in with_any_problem for code in codes.split())
    agencies = _counted((ra, rows) for _, ra, *_, rows in _fitting(combinations, replace(wanted, ra="")))
    fit = sum(rows for *_, rows in _fitting(combinations, wanted))
    return Facets(outcomes, problems, agencies, _grouped(of_any_outcome), fit, exact=True)


def _grouped(combinations: Sequence[Combination]) -> dict[str, int]:
    """The rows by what they ask of their reader."""
    return {
        str(group): sum(
            rows
            for outcome, _, _, needs_review, rows in combinations
            if any(part.fits(outcome, needs_review) for part in parts)
        )
        for group, parts in PARTS.items()
    }


def _fitting(combinations: Iterable[Combination], wanted: RowFilter) -> Iterable[Combination]:
    parts = wanted.parts()
    for combination in combinations:
        outcome, ra, problems, needs_review, _ = combination
        if parts is not None and not any(part.fits(outcome, needs_review) for part in parts):
            continue
        if (not wanted.ra or ra == wanted.ra) and (not wanted.problem or f" {wanted.problem} " in problems):
            yield combination


def _counted(items: Iterable[tuple[str, int]]) -> dict[str, int]:
    counted: Counter[str] = Counter()
    for value, rows in items:
        counted[value] += rows
    return dict(counted)
