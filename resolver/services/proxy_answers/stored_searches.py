"""Stored answers of searches: for 30 days (METADATA_FRESH_DAYS), by service, address and query. That nothing was found
is an answer too. Failures are never stored, nor the words of a query."""

import logging
from base64 import urlsafe_b64encode
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from hashlib import sha256

from django.conf import settings

from resolver import conf
from resolver.domain.work.metadata import WorkMetadata, decode_metadata
from resolver.models import StoredSearch, raw_sql
from resolver.models.fields import measure_json
from resolver.proxy.work_searches import Hits
from resolver.services.proxy_answers.configured_searches import ConfiguredSearch
from resolver.services.storage.batched_removal import remove_in_batches
from resolver.services.storage.storage_errors import is_value_refused

log = logging.getLogger(__name__)

MOST_STORED_BYTES = 200_000  # of one answer: five works with a hundred authors each take half of it


@dataclass(frozen=True, slots=True)
class FoundHits:
    """What a service has found: the hits, the best first, and when it was asked."""

    hits: Hits
    answered_at: datetime


def load_searches(keys: Iterable[str], search: ConfiguredSearch, now: datetime) -> Mapping[str, FoundHits]:
    """Return the answers of the service that still count, by the keys of their queries."""
    by_digest = {_digest(search, key): key for key in keys}
    oldest, found = now - conf.metadata_lifetime(), {}
    wanted = ("service", search.name), ("digest", list(by_digest))
    for digest, hits, answered_at in raw_sql.select_rows(StoredSearch, ("digest", "hits", "answered_at"), *wanted):
        if answered_at >= oldest:
            works = (decode_metadata(hit) for hit in hits)
            found[by_digest[digest]] = FoundHits(
                tuple(work for work in works if isinstance(work, WorkMetadata)), answered_at
            )
    return found


def store_search(key: str, search: ConfiguredSearch, found: FoundHits) -> None:
    """Store an answer, in place of an older one. One that is too long, or that the database refuses, is left out."""
    hits = [asdict(hit) for hit in found.hits]
    if measure_json(hits) > MOST_STORED_BYTES:
        return
    columns = ("service", "digest", "hits", "answered_at")
    row = (search.name, _digest(search, key), hits, found.answered_at)
    try:
        raw_sql.insert_rows(StoredSearch, columns, [row], unique=columns[:2], update=columns[2:])
    except Exception as error:
        if not is_value_refused(error):
            raise
        log.exception("An answer of a search can't be stored")


def prune_searches(now: datetime) -> None:
    """Remove the answers that no longer count, and the oldest of more than MAX_STORED_ANSWERS."""
    until = now - conf.metadata_lifetime()
    beyond = StoredSearch.objects.count() - settings.MAX_STORED_ANSWERS
    if beyond > 0:
        times = StoredSearch.objects.order_by("answered_at").values_list("answered_at", flat=True)
        until = max([until, *times[beyond : beyond + 1]])
    remove_in_batches(StoredSearch.objects.filter(answered_at__lt=until), "answered_at")


def _digest(search: ConfiguredSearch, key: str) -> str:
    text = f"{search.config.root}\n{key}".encode("utf-8", "surrogatepass")
    return urlsafe_b64encode(sha256(text).digest()[:16]).decode()
