"""What the list of retractions says about works, by the names of their DOIs."""

from collections import defaultdict
from collections.abc import Iterable, Mapping

from doi_reading import fold
from resolver.domain.work.events import EventKind, WorkEvent, merge_events
from resolver.models import RetractionEvent, raw_sql
from resolver.services.proxy_answers.cache import digest_name
from resolver.services.retractions.list_file import SOURCE

_COLUMNS = ("name", "kind", "date", "reasons", "notice", "listed_on")


def find_events(names: Iterable[str]) -> Mapping[str, tuple[WorkEvent, ...]]:
    """Return the events of the works with these names that are listed, by folded name, the newest first. One query for
    all names on PostgreSQL, which sees one list; no name that isn't listed is in it."""
    digests = {digest_name(name) for name in names}
    if not digests:
        return {}
    found: dict[str, list[WorkEvent]] = defaultdict(list)
    rows = raw_sql.select_rows(RetractionEvent, _COLUMNS, ("source", SOURCE), ("digest", [*digests]))
    for name, kind, date, reasons, notice, listed_on in rows:
        event = WorkEvent(name, EventKind(kind), date, tuple(reasons), notice, SOURCE, listed_on.isoformat())
        found[fold(name)].append(event)
    return {name: merge_events(events) for name, events in found.items()}
