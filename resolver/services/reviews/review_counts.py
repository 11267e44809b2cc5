"""The numbers of a list's rows to review and of decided rows, by correction and by problem."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from django.db.models import Count, QuerySet

from resolver.models import HAS_RARE_CORRECTION, Job, Row
from resolver.services.results.accepted_rows import ACCEPTS
from resolver.services.results.row_queries import CORRECTIONS, DECIDED, TO_REVIEW

_REVIEWED = (*CORRECTIONS[TO_REVIEW], *CORRECTIONS[DECIDED])


@dataclass(frozen=True, slots=True)
class ReviewCounts:
    """Rows by `correction`, and by problem for each word of a filter; a row counts under each of its problems."""

    correction: Mapping[str, int]
    problem: Mapping[str, Mapping[str, int]]

    def count_rows(self, word: str) -> int:
        """Return the rows under a word of CORRECTIONS."""
        return sum(self.correction.get(each, 0) for each in CORRECTIONS.get(word, ()))


class OpenReviews(NamedTuple):
    """Rows to review, rows with an accepted or entered DOI, and all rows with a DOI that may be written into the
    uploaded file."""

    to_review: int = 0
    taken: int = 0
    safe: int = 0


def count_review(job: Job) -> ReviewCounts:
    """Count by one query in the index of corrections."""
    corrections, problems = Counter[str](), {word: Counter[str]() for word in CORRECTIONS}
    counted = _of(job, *_REVIEWED).values_list("correction", "problem_codes").annotate(rows=Count("*"))
    for correction, codes, rows in counted:
        corrections[correction] += rows
        for word, members in CORRECTIONS.items():
            if correction in members:
                problems[word].update(dict.fromkeys(codes, rows))
    return ReviewCounts(corrections, problems)


def count_open_reviews(job: Job) -> OpenReviews:
    """Return the progress of the review. One query."""
    counted = dict(_of(job, *_REVIEWED, *ACCEPTS["suggested"]).values_list("correction").annotate(rows=Count("*")))
    return OpenReviews(
        to_review=sum(counted.get(each, 0) for each in CORRECTIONS[TO_REVIEW]),
        taken=sum(counted.get(each, 0) for each in ACCEPTS["accepted"]),
        safe=sum(counted.get(each, 0) for each in ACCEPTS["suggested"]),
    )


def _of(job: Job, *corrections: str) -> QuerySet[Row]:
    rows = Row.objects.filter(HAS_RARE_CORRECTION, job=job)
    return rows.filter(correction__in=set(corrections)).order_by()
