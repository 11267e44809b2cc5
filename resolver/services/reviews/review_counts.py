"""The numbers of a list's rows to review and of decided rows, by the words of the review page and by problem."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from django.db.models import BooleanField, Count, ExpressionWrapper, Q, QuerySet

from resolver.domain.report.correction import COMPARE_WORK, OTHER_WORK, Correction
from resolver.domain.report.review_rows import NO_ADDRESS, TO_COMPARE, WITHOUT_PROPOSAL, find_former_group
from resolver.domain.report.row_task import RowTask, list_tasks
from resolver.models import HAS_RARE_CORRECTION, Job, Row
from resolver.services.jobs.row_readings import searches_works
from resolver.services.results.accepted_rows import ACCEPTS
from resolver.services.results.row_queries import CORRECTIONS, DECIDED, TO_REVIEW
from resolver.services.results.task_counts import count_tasks

_TO_ENTER = (Correction.NOT_REGISTERED, Correction.NO_DOI)
_REVIEWED = (*CORRECTIONS[TO_REVIEW], *CORRECTIONS[DECIDED], *_TO_ENTER)


@dataclass(frozen=True, slots=True)
class ReviewCounts:
    """Rows by each word of the review page, and by problem for each word of CORRECTIONS; a row counts under each of
    its problems. `done`: decided rows by the group that they were in."""

    rows: Mapping[str, int]
    problem: Mapping[str, Mapping[str, int]]
    done: Mapping[str, int]

    @property
    def left(self) -> int:
        """All undecided rows."""
        return sum(self.rows[word] for word in (TO_REVIEW, OTHER_WORK, TO_COMPARE, WITHOUT_PROPOSAL))


class OpenReviews(NamedTuple):
    """Rows to review, rows with an accepted or entered DOI, and all rows with a DOI that may be written into the
    uploaded file."""

    to_review: int = 0
    taken: int = 0
    safe: int = 0


def count_review(job: Job) -> ReviewCounts:
    """Count by one query in the index of corrections, and one of the decided rows. The index doesn't have most
    registered DOIs without an address: they are what is left of the task BACK, whose number is kept with the list, like
    that of works to compare."""
    found, problems = Counter[str](), {word: Counter[str]() for word in CORRECTIONS}
    left = count_tasks(job).get(RowTask.BACK, 0)
    columns = ["correction", "outcome", "problem_codes"] + ["found_by"] * searches_works(job)
    groups = _of(job, *_REVIEWED).values_list(*columns).annotate(rows=Count("*"))
    for correction, outcome, codes, *found_by, rows in groups:
        if RowTask.BACK in list_tasks(outcome, correction, tuple(codes), "", found_by="".join(found_by)):
            left -= rows
        if correction == Correction.REVIEW and OTHER_WORK in codes:
            found[OTHER_WORK] += rows
            continue
        for word, members in CORRECTIONS.items():
            if correction in members:
                found[word] += rows
                for code in set(codes):
                    problems[word][code] += rows
    found[TO_COMPARE] = count_tasks(job).get(RowTask.COMPARE, 0) - problems[Correction.SUGGESTED][COMPARE_WORK]
    found[NO_ADDRESS] = max(0, left)
    found[WITHOUT_PROPOSAL] = found[NO_ADDRESS] + sum(found[each] for each in _TO_ENTER)
    return ReviewCounts(found, problems, _count_done(job) if found[DECIDED] else Counter())


def _count_done(job: Job) -> Mapping[str, int]:
    done = Counter[str]()
    has_suggestion = ExpressionWrapper(~Q(suggestion=""), output_field=BooleanField())
    decided = _of(job, *CORRECTIONS[DECIDED]).annotate(has_suggestion=has_suggestion)
    kinds = decided.values_list("outcome", "problem_codes", "has_suggestion", "doubtful").annotate(rows=Count("*"))
    for outcome, codes, suggested, doubtful, rows in kinds:
        done[find_former_group(outcome, codes, has_suggestion=suggested, doubtful=doubtful)] += rows
    return done


def count_open_reviews(job: Job) -> OpenReviews:
    """Return the progress of the review. One query."""
    counted = dict(
        _of(job, *CORRECTIONS[TO_REVIEW], *ACCEPTS["suggested"]).values_list("correction").annotate(rows=Count("*"))
    )
    return OpenReviews(
        to_review=sum(counted.get(each, 0) for each in CORRECTIONS[TO_REVIEW]),
        taken=sum(counted.get(each, 0) for each in ACCEPTS["accepted"]),
        safe=sum(counted.get(each, 0) for each in ACCEPTS["suggested"]),
    )


def _of(job: Job, *corrections: str) -> QuerySet[Row]:
    rows = Row.objects.filter(HAS_RARE_CORRECTION, job=job)
    return rows.filter(correction__in=set(corrections)).order_by()
