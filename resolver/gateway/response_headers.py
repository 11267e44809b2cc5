"""The headers of the gateway's answers: who may read them, and how long others may cache them."""

from datetime import datetime, timedelta
from functools import lru_cache

from django.http import HttpResponse
from django.utils.http import http_date

from resolver.domain.handle.freshness import FreshnessSpan
from resolver.domain.handle.json_responses import JsonReply

BROWSERS_KEEP_ABSENCE = timedelta(minutes=10)
"""How long others may cache that a name doesn't exist: a browser requests nothing meanwhile."""
METHODS = "GET, HEAD, OPTIONS"
# Pages of any site may read the data (A7): such a request carries no cookie.
OPEN_TO_SCRIPTS = {"Access-Control-Allow-Origin": "*"}
TO_ALL = {"Allow": METHODS}
TO_SCRIPTS = {
    **TO_ALL,
    **OPEN_TO_SCRIPTS,
    "Access-Control-Allow-Methods": METHODS,
    "Access-Control-Allow-Headers": "*",
    "Access-Control-Max-Age": "86400",
}

_http_date = lru_cache(1000)(http_date)  # the value repeats when many request one name


def build_data_response(reply: JsonReply) -> HttpResponse:
    """Return an answer for programs, readable by scripts of any site (A7)."""
    return HttpResponse(reply.body, reply.content_type, reply.status, headers=OPEN_TO_SCRIPTS)


def set_cache_headers(
    response: HttpResponse, span: FreshnessSpan | None, now: datetime, *, past: bool = False, absent: bool = False
) -> HttpResponse:
    """Add the age of the answer and when it expires (P13, P15).

    With `past`, the request bypasses caches (P8), so the answer expires at once. An answer without a span, or with an
    error, must not be stored. With `absent`, as with a 404, a name doesn't exist, which counts for
    BROWSERS_KEEP_ABSENCE from now at most. A response with a Cache-Control header stays unchanged.
    """
    if "Cache-Control" in response:
        return response
    if span is None or response.status_code >= 500:
        response["Cache-Control"] = "no-store"
        return response
    if absent or response.status_code == 404:
        # In whole steps from when it was made: requests within a step get one moment.
        steps = (now - span.made_at) // BROWSERS_KEEP_ABSENCE + 1
        span = FreshnessSpan(span.made_at, min(span.expires_at, span.made_at + steps * BROWSERS_KEEP_ABSENCE))
    until = now if past else span.expires_at
    lasts = timedelta(0) if past else span.expires_at - span.made_at
    response["Age"] = str(max(0, int((now - span.made_at).total_seconds())))
    # Without max-age a cache would compute the lifetime as Expires minus Date, and then subtract Age: twice the age.
    response["Cache-Control"] = f"max-age={max(0, int(lasts.total_seconds()))}"
    response["Expires"] = _http_date(int(until.timestamp()))
    return response


def forbid_sharing(response: HttpResponse) -> HttpResponse:
    """Forbid shared caching: another requester may get another answer (P16)."""
    response["Cache-Control"] = "private, no-store"
    return response


def vary_on(response: HttpResponse, *headers: str) -> HttpResponse:
    """Say which request headers change the answer."""
    response["Vary"] = ", ".join(filter(None, headers))
    return response
