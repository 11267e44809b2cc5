"""Daily quotas of accounts: lists, rows of lists, and requests to the API. A day begins at midnight UTC. The settings
have them for all accounts, an `AccountQuota` for one.

A list counts when its check is started, also a second run of the same file; a retry doesn't. Its rows count at once, as
many as are known then. Further rows count while the file is read, also by a retry that continues it, and each row once
(`Job.counted_rows`). A list that was accepted is checked to its end. A session has no quota, because a new one would
have a new quota; `DOIPORTAL_OPEN=0` requires a login.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

from django.conf import settings
from django.db import transaction

from doi_reading import Message
from resolver.models import AccountQuota, DailyUse
from resolver.models.single_objects import find_object
from resolver.services.accounts.owners import find_account_id
from resolver.services.http.request_run import ATTEMPT

KEPT = timedelta(days=2)  # from midnight
_COUNTED = "daily request"


@dataclass(frozen=True, slots=True)
class DailyQuota:
    """How many `lists`, `rows` or `requests` (`kind`) an account may use a day, and how many are left."""

    kind: str
    most: int
    left: int


class QuotaReached(Exception):
    """More than is left for the account today. Nothing was counted. `seconds`: until the next day; None: the list has
    more rows than the quota of a whole day, so waiting would not help."""

    def __init__(self, quota: DailyQuota, now: datetime, number: int = 1, *, complete: bool = True) -> None:
        super().__init__(_say_what_is_left(quota, number, complete))
        self.quota = quota
        self.seconds = None if number > quota.most else count_seconds_to_midnight(now)


def _say_what_is_left(quota: DailyQuota, number: int, complete: bool) -> Message:
    if quota.kind == "lists":
        return Message(
            "Lists that you can check in a day: {most}. All are used up. Try again after midnight (UTC).",
            most=quota.most,
        )
    if quota.kind == "requests":
        return Message(
            "Requests that you can send in a day: {most}. All are used up. Try again after midnight (UTC).",
            most=quota.most,
        )
    if number > quota.most and complete:
        return Message(
            "Rows of lists that you can check in a day: {most}. This list has {number}. Check it in parts.",
            most=quota.most,
            number=number,
        )
    if number > quota.most:
        return Message(
            "Rows of lists that you can check in a day: {most}. This list has at least {number}. Check it in parts.",
            most=quota.most,
            number=number,
        )
    if complete:
        return Message(
            "Rows of lists that you can check today: {left} of {most}. This list has {number}. Try again after "
            "midnight (UTC), or check a part of it.",
            left=quota.left,
            most=quota.most,
            number=number,
        )
    return Message(
        "Rows of lists that you can check today: {left} of {most}. This list has at least {number}. Try again after "
        "midnight (UTC), or check a part of it.",
        left=quota.left,
        most=quota.most,
        number=number,
    )


def list_quotas(owner: str, now: datetime) -> list[DailyQuota]:
    """Return the quotas of the owner, each with what is left today; none where none is set, or without an account."""
    limits = _find_limits(owner)
    used = DailyUse.objects.filter(owner=owner, day=_compute_day(now)).first() if limits else None
    return [DailyQuota(kind, most, max(most - getattr(used, kind, 0), 0)) for kind, most in limits.items()]


def count_list(owner: str, rows: int, now: datetime, *, complete: bool) -> None:
    """Count a new list with so many rows; if it is not `complete` it has at least so many, and the others count when
    they are read. Call it in the transaction that stores the list. Raises QuotaReached."""
    if limits := _find_limits(owner):
        _count(owner, limits, {"lists": 1, "rows": rows}, now, complete=complete)


def count_rows_read(owner: str, rows: int, now: datetime) -> None:
    """Count rows beyond those that were known when their list began. Call it in the transaction that stores them."""
    if _find_limits(owner):
        _use(owner, {"rows": rows}, now)


def count_request(owner: str, now: datetime) -> DailyQuota | None:
    """Count a request to the API. Return what is left; None without a quota. A request that the web server runs again
    counts once. Raises QuotaReached."""
    attempt = ATTEMPT.get()
    if attempt is not None and _COUNTED in attempt.kept:
        earlier: DailyQuota = attempt.kept[_COUNTED]
        return earlier
    limits = _find_limits(owner)
    if "requests" not in limits:
        return None
    used = _count(owner, limits, {"requests": 1}, now)
    quota = DailyQuota("requests", limits["requests"], limits["requests"] - used.requests)
    if attempt is not None:
        attempt.kept[_COUNTED] = quota
    return quota


def forget_uses(owner: str) -> None:
    """Remove what is stored of the owner."""
    DailyUse.objects.filter(owner=owner).delete()


def prune_uses(now: datetime) -> None:
    """Remove what was used on earlier days than yesterday."""
    DailyUse.objects.filter(day__lte=_compute_day(now - KEPT)).delete()


def count_seconds_to_midnight(now: datetime) -> int:
    """Return the seconds until the next day begins, rounded up, so that a wait of so long is never too short."""
    tomorrow = datetime.combine(_compute_day(now) + timedelta(days=1), time(), UTC)
    return math.ceil((tomorrow - now).total_seconds())


def _count(
    owner: str, limits: Mapping[str, int], numbers: Mapping[str, int], now: datetime, *, complete: bool = True
) -> DailyUse:
    with transaction.atomic():
        used = _use(owner, numbers, now)
        for kind, number in numbers.items():
            before = getattr(used, kind) - number
            if kind in limits and before + number > limits[kind]:
                left = max(limits[kind] - before, 0)
                raise QuotaReached(DailyQuota(kind, limits[kind], left), now, number, complete=complete)
    return used


def _use(owner: str, numbers: Mapping[str, int], now: datetime) -> DailyUse:
    """Add the numbers and return the sums. Until the transaction ends no other can add to them, or remove them with the
    account. What is used after the account was deleted stays until `prune_uses` removes it."""
    used, _ = DailyUse.objects.select_for_update().get_or_create(owner=owner, day=_compute_day(now))
    for kind, number in numbers.items():
        setattr(used, kind, getattr(used, kind) + number)
    used.save(update_fields=list(numbers))
    return used


def _find_limits(owner: str) -> dict[str, int]:
    account = find_account_id(owner)
    if account is None:
        return {}
    own = find_object(AccountQuota, account=account)
    most = {
        "lists": settings.MAX_LISTS_PER_DAY,
        "rows": settings.MAX_ROWS_PER_DAY,
        "requests": settings.MAX_REQUESTS_PER_DAY,
    }
    limits = {kind: of_all if (set_ := getattr(own, kind, None)) is None else set_ for kind, of_all in most.items()}
    return {kind: limit for kind, limit in limits.items() if limit > 0}


def _compute_day(now: datetime) -> date:
    return now.astimezone(UTC).date()
