"""Queries of the pages, mails and feeds of watches: runs, changes, and the rows that don't simply work."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Count, F, Q, QuerySet, Window
from django.db.models.functions import RowNumber

from resolver.domain.display.row_number import format_row_number
from resolver.models import Job, Row, RunState, Watch, WatchChange, WatchedRow, WatchRun, raw_sql

_COLUMNS = ("line", "row", "part", "input", "doi", "ra", "suggestion")


@dataclass(frozen=True, slots=True)
class KnownRow:
    """A watched row, with its texts in the list."""

    watched: WatchedRow
    row: int | None
    part: int
    input: str
    doi: str
    ra: str
    suggestion: str

    @property
    def number(self) -> str:
        """The name of the row on pages."""
        return format_row_number(self.row, self.watched.line, self.part)


def find_latest_runs(watches: Iterable[Watch], most: int) -> Mapping[UUID, Sequence[WatchRun]]:
    """Return at most so many runs of each watch, newest first; one query."""
    order = (F("started_at").desc(), F("pk").desc())
    number = Window(RowNumber(), partition_by="watch", order_by=order)
    numbered = WatchRun.objects.filter(watch__in=[watch.pk for watch in watches]).annotate(number=number)
    found: dict[UUID, list[WatchRun]] = defaultdict(list)
    for run in numbered.filter(number__lte=most).select_related("job").order_by("watch", *order):
        found[run.watch_id].append(run)
    return found


def count_rows(watches: Iterable[Watch]) -> Mapping[UUID, Counter[str]]:
    """Return the number of rows of each watch in each state; one query."""
    counted = WatchedRow.objects.filter(watch__in=[watch.pk for watch in watches]).order_by()
    found: dict[UUID, Counter[str]] = defaultdict(Counter)
    for watch_id, state, rows in counted.values_list("watch", "state").annotate(rows=Count("pk")):
        found[watch_id][state] = rows
    return found


def find_runs_with_changes(watch: Watch) -> QuerySet[WatchRun]:
    """Return the runs that found changes, newest first."""
    changed = Q(newly_broken__gt=0) | Q(newly_working__gt=0)
    settled = WatchRun.objects.filter(changed, watch=watch, state=RunState.SETTLED, settled_at__isnull=False)
    return settled.order_by("-started_at", "-pk")


def find_run_changes(runs: Iterable[WatchRun], *, works: bool | None = None) -> QuerySet[WatchChange]:
    """Return the changes of these runs: rows that broke, then rows that work again, or only one kind."""
    found = WatchChange.objects.filter(run__in=[run.pk for run in runs])
    if works is not None:
        found = found.filter(works=works)
    return found.order_by("works", "run", "line")


def read_known_rows(watch: Watch, watched: Sequence[WatchedRow]) -> list[KnownRow]:
    """Return the watched rows with their texts in the watched list."""
    lines = [each.line for each in watched]
    texts = {line: rest for line, *rest in raw_sql.select_rows(Row, _COLUMNS, ("job", watch.job_id), ("line", lines))}
    return [KnownRow(each, *texts.get(each.line, (None, 0, "", "", "", ""))) for each in watched]


def find_watch_of_list(job: Job) -> Watch | None:
    """Return the newest watch of the list, if any."""
    return Watch.objects.filter(job=job, owner=job.owner).select_related("job").order_by("-created_at", "-pk").first()


def find_watch_of_run(job: Job) -> Watch | None:
    """Return the watch whose run the list is, if any."""
    run = WatchRun.objects.filter(job=job).select_related("watch", "watch__job").first()
    return run.watch if run else None
