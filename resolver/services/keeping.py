"""How long lookups and lists are kept, and removing what is older: in small pieces, so that no writer has to wait."""

from datetime import datetime, timedelta

from django.db.models import F, Q
from django.db.models.functions import Coalesce

from resolver import conf
from resolver.models import ENDED, Comparison, Difference, Job, Lookup, Row
from resolver.services.jobs import lifecycle

AT_ONCE = 2000  # rows that are removed in one transaction
LOOKUPS_AT_ONCE = 400  # each is named in the statement
OUTLIVED = "outlived"  # the owner of lists that are being removed: nobody sees them any more
COMPARED = timedelta(days=30)  # a comparison is made again whenever it is wanted


def kept_until(one: Job | Lookup) -> datetime | None:
    """When it is removed; None: when somebody deletes it. A list's days begin when it has ended last: one that took
    long, or was taken up again, is there to be looked at."""
    keep = conf.keep_for()
    ended = one.finished_at if isinstance(one, Job) else None
    return max(one.created_at, ended or one.created_at) + keep if keep else None


def prune_lookups(now: datetime) -> None:
    """Remove those that were kept long enough."""
    keep = conf.keep_for()
    if keep is None:
        return
    old = Lookup.objects.filter(created_at__lt=now - keep).order_by("created_at")
    while some := list(old.values_list("pk", flat=True)[:LOOKUPS_AT_ONCE]):
        Lookup.objects.filter(pk__in=some).delete()


def prune_lists(now: datetime) -> None:
    """Remove those that were kept long enough, and have ended. They are taken from their owners at once, so that
    nobody sees half of one."""
    keep = conf.keep_for()
    if keep is not None:
        old = Job.objects.filter(created_at__lt=now - keep, state__in=ENDED).exclude(owner=OUTLIVED)
        old = old.exclude(finished_at__gte=now - keep)
        old.update(owner=OUTLIVED, idempotency_key="", share_token="")
    for job in Job.objects.filter(owner=OUTLIVED):
        for comparison in Comparison.objects.filter(Q(before=job) | Q(after=job)):
            _remove(comparison)
        while line := Row.objects.filter(job=job).order_by("line").values_list("line", flat=True).first():
            Row.objects.filter(job=job, line__lt=line + AT_ONCE).delete()
        lifecycle.delete(job)


def prune_comparisons(now: datetime) -> None:
    """Remove those of lists that went on since, and those that nobody has made for a month."""
    before, after = (Coalesce(F(f"{side}__finished_at"), F(f"{side}__created_at")) for side in ("before", "after"))
    of_the_past = ~Q(before_ended=before) | ~Q(after_ended=after)
    for comparison in Comparison.objects.filter(of_the_past | Q(created_at__lt=now - COMPARED)):
        _remove(comparison)


def _remove(comparison: Comparison) -> None:
    found = Difference.objects.filter(comparison=comparison).order_by("place")
    while places := list(found.values_list("place", flat=True)[:AT_ONCE]):
        Difference.objects.filter(comparison=comparison, place__lte=places[-1]).delete()
    comparison.delete()
