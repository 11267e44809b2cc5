"""The pages of watches: all of a person, one, its changes, and its rows in a state."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from resolver import conf
from resolver.models import Every, Job, RunState, Watch, WatchChange, WatchedRow, WatchedState, WatchRun
from resolver.services.accounts.owners import get_owner_for_reading
from resolver.services.storage.clock import read_clock
from resolver.services.storage.keyset import read_page
from resolver.services.watches import history, registration
from resolver.services.watches.mail_addresses import find_usable_address
from resolver.services.watches.row_states import CONFIRMED_AFTER, NOT_IN_QUICK
from resolver.web.site.page_edge import parse_page_edge
from resolver.web.watches.chart import RUNS_IN_CHART, build_run_chart
from resolver.web.watches.words import ChangeWords, describe_change, describe_changes, describe_run, describe_stored

LINES_ON_PAGE = 20  # changes, or rows in a state
FIRST_LINES = 5  # of each of them on the page of the watch

HEADINGS = {
    WatchedState.BROKEN: _("Broken now"),
    WatchedState.SUSPECTED: _("Seen broken once"),
    WatchedState.ACCEPTED: _("Accepted as they are"),
    WatchedState.UNKNOWN: _("Couldn’t be checked yet"),
}
_IN_DOUBT = (WatchedState.BROKEN, WatchedState.SUSPECTED, WatchedState.UNKNOWN)
_SHOWING = (RunState.WAITING, RunState.CONFIRMING, RunState.SETTLED)  # the list of such a run has results to go by


def get_own_watch_or_404(request: HttpRequest, pk: UUID) -> Watch:
    """Return the watch if it belongs to the requester. Raises Http404."""
    found: Watch = get_object_or_404(registration.find_watches(get_owner_for_reading(request)), pk=pk)
    return found


@never_cache
@require_safe
def show_watch(request: HttpRequest, pk: UUID) -> HttpResponse:
    """The watch: its schedule, its runs, what changed last, and the rows that aren't simply working."""
    watch = get_own_watch_or_404(request, pk)
    runs = history.find_latest_runs([watch], RUNS_IN_CHART).get(watch.pk, ())
    counts: Mapping[str, int] = history.count_rows([watch]).get(watch.pk, {})
    changes = list(registration.find_changes(watch).select_related("run")[: FIRST_LINES + 1])
    newest = _find_newest_list(runs)
    context = {
        "watch": watch,
        "every": Every(watch.every).label,
        "feed": request.build_absolute_uri(reverse("watch-feed", args=[watch.feed_token])),
        "mail_works": watch.mail and find_usable_address(watch.owner) is not None,
        "sends_mail": conf.sends_mail(),
        "chart": build_run_chart(runs),
        "runs": [_build_run_line(watch, runs, number) for number in range(len(runs[:12]))],
        "under_way": bool(runs) and not runs[0].is_over,
        "is_due": watch.paused_at is None and watch.next_at <= read_clock(),
        "groups": [
            {**_build_group(watch, newest, state, registration.find_rows(watch, state)[:FIRST_LINES]), "total": total}
            for state in HEADINGS
            if (total := counts.get(state))
        ],
        "working": watch.baseline and not any(counts.get(state) for state in _IN_DOUBT),
        "changes": _describe_all(changes[:FIRST_LINES]),
        "more_changes": len(changes) > FIRST_LINES,
    }
    return render(request, "watches/detail.html", context)


@never_cache
@require_safe
def show_changes(request: HttpRequest, pk: UUID) -> HttpResponse:
    """All changes that were found, newest first."""
    watch = get_own_watch_or_404(request, pk)
    page = read_page(
        registration.find_changes(watch).select_related("run"), ("-id",), parse_page_edge(request.GET), LINES_ON_PAGE
    )
    context: dict[str, Any] = {"watch": watch, "page": page, "changes": _describe_all(page.items)}
    if page.items:
        context |= {"first": page.items[0].pk, "last": page.items[-1].pk}
    return render(request, "watches/changes.html", context)


@never_cache
@require_safe
def show_watched_rows(request: HttpRequest, pk: UUID) -> HttpResponse:
    """All rows in a state (`?state=`), in the order of the list; the broken rows if there is no such state."""
    watch = get_own_watch_or_404(request, pk)
    wanted = request.GET.get("state", "")
    state = WatchedState(wanted) if wanted in WatchedState else WatchedState.BROKEN
    page = read_page(registration.find_rows(watch, state), ("line",), parse_page_edge(request.GET), LINES_ON_PAGE)
    newest = _find_newest_list(history.find_latest_runs([watch], RUNS_IN_CHART).get(watch.pk, ()))
    context: dict[str, Any] = {"watch": watch, "page": page, "group": _build_group(watch, newest, state, page.items)}
    if page.items:
        context |= {"first": page.items[0].line, "last": page.items[-1].line}
    return render(request, "watches/rows.html", context)


def _build_run_line(watch: Watch, runs: Sequence[WatchRun], number: int) -> dict[str, Any]:
    """A run in the table. `compared`: the address of its comparison with the run before, or ""."""
    run = runs[number]
    before = next((each.job_id for each in runs[number + 1 :] if each.job and each.job.ended), watch.job_id)
    compared = ""
    if run.is_over and run.job is not None and run.job.ended and before != run.job_id:
        compared = reverse("job-compare", args=[before, run.job_id])
    return {"run": run, "words": describe_run(run, watch, latest=number == 0), "compared": compared}


def _find_newest_list(runs: Sequence[WatchRun]) -> Job | None:
    return next((run.job for run in runs if run.state in _SHOWING and run.job is not None and run.job.ended), None)


def _build_group(
    watch: Watch, newest: Job | None, state: WatchedState, watched: Iterable[WatchedRow]
) -> dict[str, Any]:
    """Rows that aren't simply working. `again`: the time after which a suspected row is checked a second time.
    `list_id`: the newest list that shows it like this; None for that from which the watch began."""
    lines = [
        {
            "known": known,
            "words": describe_change(known.watched.outcome, works=False, doi=known.doi, ra=known.ra),
            "again": known.watched.since + CONFIRMED_AFTER,
            "list_id": newest.pk if newest is not None and _shows(newest, known.watched) else None,
        }
        for known in history.read_known_rows(watch, list(watched))
    ]
    return {"state": state, "heading": HEADINGS[state], "lines": lines}


def _shows(newest: Job, watched: WatchedRow) -> bool:
    """Return whether the list shows what is wrong with the row: a quick check sees only what isn't registered."""
    return watched.state != WatchedState.UNKNOWN and not (newest.quick and watched.outcome in NOT_IN_QUICK)


def _describe_all(found: Sequence[WatchChange]) -> list[tuple[WatchChange, ChangeWords]]:
    return [(change, describe_stored(change)) for change in found]


@never_cache
@require_safe
def show_watches(request: HttpRequest) -> HttpResponse:
    """All watches of the requester, newest first; three queries."""
    watches = list(registration.find_watches(get_owner_for_reading(request)))
    runs, rows = history.find_latest_runs(watches, RUNS_IN_CHART), history.count_rows(watches)
    lines = [
        _build_line(watch, runs.get(watch.pk, ()), rows[watch.pk][WatchedState.BROKEN] if watch.pk in rows else 0)
        for watch in watches
    ]
    return render(request, "watches/list.html", {"lines": lines})


def _build_line(watch: Watch, runs: Sequence[WatchRun], broken: int) -> dict[str, Any]:
    """A watch in the table. `changed`: the newest run that found a change, and `changes` which."""
    last = runs[0] if runs else None
    with_changes = (run for run in runs if run.state == RunState.SETTLED and (run.newly_broken or run.newly_working))
    changed = next(with_changes, None)
    return {
        "watch": watch,
        "every": Every(watch.every).label,
        "broken": broken,
        "chart": build_run_chart(runs),
        "run": last,
        "run_words": describe_run(last, watch, latest=True) if last else None,
        "changed": changed,
        "changes": describe_changes(changed) if changed else "",
    }
