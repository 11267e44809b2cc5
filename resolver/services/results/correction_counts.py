"""The numbers of a list's rows by correction, but for those that most rows have."""

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from django.db.models import Count

from resolver.domain.report.correction import FOUND, OTHER_WORK, Correction
from resolver.domain.report.outcome import EXISTS
from resolver.domain.report.row_task import ASK_FOR_WORK
from resolver.models import HAS_RARE_CORRECTION, Job, Row


class CorrectionCounts(NamedTuple):
    """Rows by correction, and the problems of the rows left to decide. `right_work`: those of the accepted rows whose
    DOI a person took for that of their work, so that it stays."""

    rows: Mapping[str, int]
    to_decide: Mapping[str, int]
    right_work: int = 0


def count_corrections(job: Job) -> CorrectionCounts:
    """Count by one query in the index of corrections."""
    rows, to_decide, right_work = Counter[str](), Counter[str](), 0
    found = Row.objects.filter(HAS_RARE_CORRECTION, job=job).order_by()
    columns = ("correction", "problem_codes", "outcome")
    for correction, codes, outcome, times in found.values_list(*columns).annotate(times=Count("*")):
        rows[correction] += times
        if correction == Correction.REVIEW and OTHER_WORK not in codes:  # which are a task of their own
            to_decide.update(dict.fromkeys(codes, times))
        elif (
            correction == Correction.ACCEPTED
            and outcome in EXISTS
            and not set(ASK_FOR_WORK).isdisjoint(codes)
            and FOUND.isdisjoint(codes)
        ):
            right_work += times
    return CorrectionCounts(rows, to_decide, right_work)
