"""The page with all watches of a person."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from resolver.models import Every, RunState, Watch, WatchedState, WatchRun
from resolver.services.accounts.owners import get_owner_for_reading
from resolver.services.watches import history, registration
from resolver.web.watches.chart import RUNS_IN_CHART, RunChart, build_run_chart
from resolver.web.watches.run_words import RunWords, describe_changes, describe_run


@dataclass(frozen=True, slots=True)
class WatchLine:
    """A watch in the table. `changed`: the newest run that found a change, and `changes` which."""

    watch: Watch
    every: str
    broken: int
    chart: RunChart | None
    run: WatchRun | None
    run_words: RunWords | None
    changed: WatchRun | None
    changes: str


@never_cache
@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """All watches of the requester, newest first; three queries."""
    watches = list(registration.find_watches(get_owner_for_reading(request)))
    runs, rows = history.find_latest_runs(watches, RUNS_IN_CHART), history.count_rows(watches)
    lines = [
        _build_line(watch, runs.get(watch.pk, ()), rows[watch.pk][WatchedState.BROKEN] if watch.pk in rows else 0)
        for watch in watches
    ]
    return render(request, "watches/list.html", {"lines": lines})


def _build_line(watch: Watch, runs: Sequence[WatchRun], broken: int) -> WatchLine:
    last = runs[0] if runs else None
    with_changes = (run for run in runs if run.state == RunState.SETTLED and (run.newly_broken or run.newly_working))
    changed = next(with_changes, None)
    return WatchLine(
        watch,
        str(Every(watch.every).label),
        broken,
        build_run_chart(runs),
        last,
        describe_run(last, watch, latest=True) if last else None,
        changed,
        describe_changes(changed) if changed else "",
    )
