"""Removal of much, a little at a time, so that no other writer has to wait."""

from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet

from resolver.models import Comparison, Difference, Job, Watch
from resolver.services.keyset import iterate_batches

AT_ONCE = 2000  # items removed in one transaction


def remove_in_batches(found: QuerySet[Any], column: str) -> None:
    """Remove everything in stretches of an indexed column; equal values go together. A removal that was interrupted
    is not remembered: whoever calls this does it again."""
    for batch in iterate_batches(found.values_list(column, named=True), (column,), AT_ONCE):
        found.filter(**{f"{column}__lte": getattr(batch[-1], column)}).delete()


def hold(found: QuerySet[Any]) -> list[Any]:
    """Return these items, locked until the transaction ends. Who stores something with an item of them locks it first:
    what is stored by then goes with the item, and nothing follows. Without that, the database would refuse to remove
    the item. Who has stored something may still refer to an item at its own end, or both would wait for each other."""
    return list(found.select_for_update(no_key=True).order_by("pk"))


def remove_watches(found: QuerySet[Watch]) -> None:
    """Remove the watches with all that they know."""
    with transaction.atomic():
        held = [watch.pk for watch in hold(found)]
        Watch.objects.filter(pk__in=held).delete()


def remove_comparison(comparison: Comparison) -> None:
    """Remove the comparison, its differences first."""
    remove_in_batches(Difference.objects.filter(comparison=comparison), "place")
    with transaction.atomic():
        hold(Comparison.objects.filter(pk=comparison.pk))
        comparison.delete()


def remove_comparisons_of(job: Job) -> None:
    """Remove the comparisons of the list with any other."""
    for comparison in Comparison.objects.filter(Q(before=job) | Q(after=job)):
        remove_comparison(comparison)
