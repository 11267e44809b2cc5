"""Remove many rows of the database in small transactions, so that no other writer has to wait."""

from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet

from resolver.models import Comparison, Difference, Job, Watch
from resolver.services.keyset import iterate_batches

AT_ONCE = 2000  # items removed in one transaction


def remove_in_batches(found: QuerySet[Any], column: str) -> None:
    """Remove the items in the order of an indexed column, at most AT_ONCE in a transaction; items with equal values go
    together. If the removal is interrupted, the caller must start it again: nothing else does."""
    for batch in iterate_batches(found.values_list(column, named=True), (column,), AT_ONCE):
        found.filter(**{f"{column}__lte": getattr(batch[-1], column)}).delete()


def lock_rows(found: QuerySet[Any]) -> list[Any]:
    """Lock these items until the transaction ends, and return them.

    Lock an item before removing it. A process that stores something for an item locks it too, so what it stores is
    removed with the item, or isn't stored at all. Without the lock, the database would refuse to remove the item. Other
    transactions may still refer to a locked item when they commit. Otherwise both would wait for each other.
    """
    return list(found.select_for_update(no_key=True).order_by("pk"))


def remove_watches(found: QuerySet[Watch]) -> None:
    """Remove the watches with their runs, rows and changes."""
    with transaction.atomic():
        held = [watch.pk for watch in lock_rows(found)]
        Watch.objects.filter(pk__in=held).delete()


def remove_comparison(comparison: Comparison) -> None:
    """Remove the comparison, its differences first."""
    remove_in_batches(Difference.objects.filter(comparison=comparison), "place")
    with transaction.atomic():
        lock_rows(Comparison.objects.filter(pk=comparison.pk))
        comparison.delete()


def remove_comparisons_of(job: Job) -> None:
    """Remove the comparisons of the list with any other."""
    for comparison in Comparison.objects.filter(Q(before=job) | Q(after=job)):
        remove_comparison(comparison)
