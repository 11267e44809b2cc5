"""The daily quotas of an account in the REST API: each request counts, and answers say what is left."""

from collections.abc import Iterable
from datetime import datetime
from typing import TYPE_CHECKING

from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from resolver.api.problem_types import InvalidInput, ProblemException, QuotaUsedUp
from resolver.services.accounts.owners import get_user_owner
from resolver.services.accounts.quotas import (
    DailyQuota,
    QuotaReached,
    count_request,
    count_seconds_to_midnight,
    list_quotas,
)
from resolver.services.storage.clock import read_clock

if TYPE_CHECKING:  # the settings name this class, and REST framework's views import the settings
    from rest_framework.views import APIView


class DailyRequests(BaseThrottle):
    """Counts each request of an account (MAX_REQUESTS_PER_DAY)."""

    def allow_request(self, request: Request, view: "APIView") -> bool:
        """Return True, and let the answer say what is left. Raises QuotaUsedUp."""
        now = read_clock()
        if not request.user.is_authenticated:
            return True
        try:
            left = count_request(get_user_owner(request.user), now)
        except QuotaReached as error:
            add_quotas(view, [error.quota], now)
            raise refuse(error) from error
        if left is not None:
            add_quotas(view, [left], now)
        return True


def add_quotas(view: "APIView", quotas: Iterable[DailyQuota], now: datetime) -> None:
    """Add them to the header fields of the view's answer, as draft-ietf-httpapi-ratelimit-headers-10 has them."""
    for quota in quotas:
        add_header(view, "RateLimit-Policy", f'"{quota.kind}";q={quota.most};w=86400')
        add_header(view, "RateLimit", f'"{quota.kind}";r={quota.left};t={count_seconds_to_midnight(now)}')


def add_header(view: "APIView", name: str, value: str) -> None:
    """Add an item to a header field of the view's answer that is a list."""
    view.headers[name] = ", ".join(filter(None, [view.headers.get(name), value]))


def add_list_quotas(view: "APIView", owner: str, now: datetime) -> None:
    """Add what is left of lists and rows; DailyRequests has added what is left of requests."""
    add_quotas(view, (quota for quota in list_quotas(owner, now) if quota.kind != "requests"), now)


def refuse(error: QuotaReached) -> ProblemException:
    """Return the error for the caller: InvalidInput about `file` if the list never fits."""
    if error.seconds is None:
        return InvalidInput(errors={"file": [str(error)]})
    return QuotaUsedUp(str(error), wait=error.seconds)
