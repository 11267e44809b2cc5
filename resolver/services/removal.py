"""Removal of much, a little at a time, so that no other writer has to wait."""

from typing import Any

from django.db.models import Q, QuerySet

from resolver.models import Comparison, Difference, Job
from resolver.services.keyset import iterate_batches

AT_ONCE = 2000  # items removed in one transaction


def remove_in_batches(found: QuerySet[Any], column: str) -> None:
    """Remove everything in stretches of an indexed column; equal values go together. A removal that was interrupted
    is not remembered: whoever calls this does it again."""
    for batch in iterate_batches(found.values_list(column, named=True), (column,), AT_ONCE):
        found.filter(**{f"{column}__lte": getattr(batch[-1], column)}).delete()


def remove_comparison(comparison: Comparison) -> None:
    """Remove the comparison, its differences first."""
    remove_in_batches(Difference.objects.filter(comparison=comparison), "place")
    comparison.delete()


def remove_comparisons_of(job: Job) -> None:
    """Remove the comparisons of the list with any other."""
    for comparison in Comparison.objects.filter(Q(before=job) | Q(after=job)):
        remove_comparison(comparison)
