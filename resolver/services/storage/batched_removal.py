"""Remove many rows of the database in small transactions, so that no other writer has to wait."""

import math
import time
from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet

from resolver.models import Comparison, Difference, Job, Watch
from resolver.services.storage.keyset import iterate_batches

ITEMS_PER_TRANSACTION = 2000


def remove_in_batches(found: QuerySet[Any], column: str, *, until: float = math.inf) -> bool:
    """Remove the items in the order of an indexed column, at most ITEMS_PER_TRANSACTION in a transaction. Items with
    equal values are removed together. Return whether all are removed before that time (monotonic seconds). An
    interrupted removal continues only when the caller starts it again."""
    beyond = found
    for batch in iterate_batches(found.values_list(column, named=True), (column,), ITEMS_PER_TRANSACTION):
        last = getattr(batch[-1], column)
        beyond.filter(**{f"{column}__lte": last}).delete()
        if time.monotonic() >= until:
            return False
        # The index still has the entries of removed items: each batch would pass all of them.
        beyond = found.filter(**{f"{column}__gt": last})
    return True


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


def remove_comparison(comparison: Comparison, *, until: float = math.inf) -> bool:
    """Remove the comparison, differences first. Return whether it is done before that time (monotonic seconds)."""
    if not remove_in_batches(Difference.objects.filter(comparison=comparison), "place", until=until):
        return False
    with transaction.atomic():
        lock_rows(Comparison.objects.filter(pk=comparison.pk))
        comparison.delete()
    return True


def remove_comparisons_of(job: Job, *, until: float = math.inf) -> bool:
    """Remove all comparisons of the list. Return whether all are removed."""
    found = Comparison.objects.filter(Q(before=job) | Q(after=job))
    return all(remove_comparison(comparison, until=until) for comparison in found)
