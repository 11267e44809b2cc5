"""Load a list of retractions in place of the one before.

The whole list is exchanged in one transaction: readers see the old one until it ends, and a killed process leaves it.
"""

import logging
import tempfile
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

from django.conf import settings
from django.db import transaction

from doi_reading import Message
from resolver import conf
from resolver.models import RetractionEvent, RetractionLoad, raw_sql
from resolver.models.retractions import lock_loads
from resolver.proxy.file_downloads import NoDownload, download_file
from resolver.services.proxy_answers.cache import digest_name
from resolver.services.retractions.list_file import MOST_BYTES, SOURCE, UnusableList, inspect_list, read_events

DOWNLOAD_SECONDS = 900.0
MOST_EVENTS_OF_NAME = 1000
KEPT_LOADS = 20
EVERY, RETRY_AFTER = timedelta(days=7), timedelta(days=1)
_ROWS_AT_ONCE = 5000
_COLUMNS = ("source", "listed_on", "digest", "name", "kind", "date", "notice", "reasons")

log = logging.getLogger(__name__)


def load_retractions(place: str, *, now: datetime, allow_fewer: bool = False) -> RetractionLoad:
    """Load the list from a file, or from an https: address. `allow_fewer`: it may have less than half of the events of
    the list before. Raises UnusableList, NoDownload, and OSError for a file that can't be read; the list before stays.
    A refusal is stored, for the operation page."""
    listed_on = now.date()
    try:
        if "://" in place:
            with tempfile.TemporaryFile(dir=settings.FILE_UPLOAD_TEMP_DIR) as file:
                downloaded = download_file(
                    place,
                    file,
                    user_agent=conf.user_agent(),
                    most_bytes=MOST_BYTES,
                    seconds=DOWNLOAD_SECONDS,
                    allow_private=settings.WEBHOOK_ALLOW_PRIVATE,
                )
                return _load(file, place, listed_on, now, whole=downloaded.whole, allow_fewer=allow_fewer)
        path = Path(place)
        with path.open("rb") as file:
            written = datetime.fromtimestamp(path.stat().st_mtime, UTC).date()
            listed_on = min(written, listed_on)
            return _load(file, path.name, listed_on, now, whole=False, allow_fewer=allow_fewer)
    except (UnusableList, NoDownload) as error:
        _store_load(RetractionLoad(source=SOURCE, origin=place, at=now, listed_on=listed_on, trouble=error.reason))
        raise


def load_if_due(now: datetime) -> RetractionLoad | None:
    """Load the list from RETRACTIONS_URL if the last one is a week old. After a refusal it is tried again a day later.
    A refusal is logged and stored, and raises nothing. Return the load; None for none."""
    loads = RetractionLoad.objects.filter(source=SOURCE)
    is_new = loads.filter(trouble="", at__gt=now - EVERY).exists() or loads.filter(at__gt=now - RETRY_AFTER).exists()
    if not settings.RETRACTIONS_URL or is_new:
        return None
    try:
        return load_retractions(settings.RETRACTIONS_URL, now=now)
    except (UnusableList, NoDownload) as error:
        log.warning("The list of retractions wasn't loaded: %s", error.reason)
        return None


def find_current_load() -> RetractionLoad | None:
    """Return the load of the list that counts now; None without one."""
    return RetractionLoad.objects.filter(source=SOURCE, trouble="").order_by("-at", "-pk").first()


def find_refused_load() -> RetractionLoad | None:
    """Return the last attempt, if it was refused."""
    last = RetractionLoad.objects.filter(source=SOURCE).order_by("-at", "-pk").first()
    return last if last and last.trouble else None


def _load(
    file: BinaryIO, origin: str, listed_on: date, now: datetime, *, whole: bool, allow_fewer: bool
) -> RetractionLoad:
    facts = inspect_list(file, whole=whole)
    load = RetractionLoad(
        source=SOURCE,
        origin=origin,
        at=now,
        listed_on=listed_on,
        rows=facts.rows,
        events=facts.events,
        sha256=facts.sha256,
    )
    with transaction.atomic():
        lock_loads()
        before = find_current_load()
        if before and not allow_fewer and facts.events < before.events / 2:
            raise UnusableList(
                Message(
                    "The file has {count} events, less than half of the {before} of the list before, so it may be cut "
                    "off. If it is right, load it with --allow-fewer.",
                    count=facts.events,
                    before=before.events,
                )
            )
        RetractionEvent.objects.filter(source=SOURCE).delete()
        values = _iterate_values(file, listed_on)
        while some := list(islice(values, _ROWS_AT_ONCE)):
            raw_sql.insert_rows(RetractionEvent, _COLUMNS, some)
        _store_load(load)
    return load


def _iterate_values(file: BinaryIO, listed_on: date) -> Iterator[tuple[Any, ...]]:
    """Yield the values of `_COLUMNS`. Of one name not more than a lookup can read."""
    numbers: Counter[str] = Counter()
    for event in read_events(file):
        digest = digest_name(event.doi)
        numbers[digest] += 1
        if numbers[digest] <= MOST_EVENTS_OF_NAME:
            reasons = list(event.reasons)
            yield (SOURCE, listed_on, digest, event.doi, str(event.kind), event.date, event.notice, reasons)


def _store_load(load: RetractionLoad) -> None:
    """Store it, and remove the oldest refused and replaced ones."""
    load.save()
    kept = RetractionLoad.objects.filter(source=SOURCE).order_by("-at", "-pk").values_list("pk", flat=True)
    current = find_current_load()
    wanted = {*kept[:KEPT_LOADS], *([current.pk] if current else [])}
    RetractionLoad.objects.filter(source=SOURCE).exclude(pk__in=wanted).delete()
