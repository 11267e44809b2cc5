"""Lookups of many texts in one request: each is stored in the history by itself."""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from uuid import UUID

from resolver.models import Lookup
from resolver.services.lookups.check_batch import check_each
from resolver.services.lookups.look_up import LookupPaused, build_stored_lookup, store_lookups
from resolver.services.proxy_answers.configured_proxy import DoiProxy


def create_lookups(
    texts: Sequence[str],
    *,
    owner: Callable[[], str],
    proxy: DoiProxy,
    now: datetime,
    fresh_since: datetime | None = None,
    ids: Sequence[UUID] = (),
) -> list[Lookup | LookupPaused]:
    """Check the texts, and store a lookup of each that could be requested, the last as the newest. The results are in
    the order of the texts, with LookupPaused in place of the others. `owner` is called if there is something to store.
    `ids`: one for each text, as in `create_lookup`.

    Raises LookupPaused if the web server runs the request again.
    """
    checked = check_each(texts, proxy=proxy, now=now, fresh_since=fresh_since)
    found: list[Lookup | LookupPaused] = []
    whose = ""
    for at, one in enumerate(checked):
        if isinstance(one, LookupPaused):
            found.append(one)
            continue
        whose = whose or owner()
        created_at = now + timedelta(microseconds=at)
        found.append(build_stored_lookup(one, owner=whose, proxy=proxy, now=created_at))
    stored = [one for one in found if isinstance(one, Lookup)]
    store_lookups(stored, [each for one, each in zip(found, ids, strict=False) if isinstance(one, Lookup)])
    return found
