"""The page of a list: how far it is, what happened to it, what was found."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from django.contrib.humanize.templatetags.humanize import intcomma
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from resolver.models import Job
from resolver.services.jobs import retry
from resolver.services.jobs.lifecycle import find_incidents
from resolver.sheets.input.encoding import shown_encoding
from resolver.web.jobs import charts
from resolver.web.jobs.actions import is_mine, seen_job
from resolver.web.jobs.progress import pace, remembered, to_remember
from resolver.web.site.polling import in_place_of_all, out_of_sight


@never_cache
@require_safe
def show(request: HttpRequest, pk: UUID) -> HttpResponse:
    """How far it is, what was found so far, and the results to take away."""
    return render(request, "jobs/detail.html", {"here": "jobs", **context_for_job(request, seen_job(request, pk))})


@never_cache
@require_safe
def progress(request: HttpRequest, pk: UUID) -> HttpResponse:
    """The parts of that page that change while the list runs: asked for by htmx every few seconds, with three queries
    however long the list is. The last answer has all of it, and nothing in it that asks again."""
    try:
        job = seen_job(request, pk)
    except Http404:
        return out_of_sight(request)
    shown = context_for_job(request, job)
    if not job.ended:
        return render(request, "jobs/_live_progress.html", shown)
    return in_place_of_all(render(request, "jobs/_live_finished.html", shown))


def context_for_job(request: HttpRequest, job: Job) -> dict[str, Any]:
    """What the page shows, following from what is stored and from what the same page has seen before."""
    now = timezone.now()
    to_ask = retry.left_to_ask(job)
    percent = 100 * job.done // job.total if job.total else 0
    told = f"{job.state}-{percent // 10}"
    return {
        "job": job,
        "mine": is_mine(request, job),
        "percent": percent,
        "tenths": percent // 10 * 10,
        "told": told,
        "tell": told != request.GET.get("told"),
        "left": max(0, job.total - job.done),
        "to_ask": to_ask,
        "unread": job.layout.get("complete") is False,  # there are more rows than anybody has counted
        "unanswered": max(0, to_ask - job.incomplete),
        "happened": find_incidents(job, now=now),
        "sum": charts.summary(job),
        "outcomes": charts.outcomes(job),
        "problems": charts.problems(job),
        "agencies": charts.agencies(job),
        "layout_words": _layout_words(job.layout),
        **_seen(request, job, now),
    }


def _seen(request: HttpRequest, job: Job, now: datetime) -> dict[str, str]:
    glances = remembered(request.GET.get("seen", ""), now)
    return {"pace": pace(job, glances, now), "seen": to_remember(glances, job, now)}


def _layout_words(layout: Mapping[str, Any]) -> list[str]:
    """What the file was found to be, so that a wrong guess shows at once."""
    if not layout:
        return []
    header = _("with a header row") if layout.get("has_header") else _("without a header row")
    if number := layout.get("header_row"):
        header = _("column names in row %(number)s, rows above it ignored") % {"number": intcomma(number)}
    if layout.get("kind", "csv") != "csv":
        sheet = [_("the sheet “%(name)s”") % {"name": layout["sheet"]}] if layout.get("sheet") else []
        return [layout["kind"].upper(), *sheet, header]
    names = {",": _("comma"), ";": _("semicolon"), "\t": _("TAB"), "|": _("vertical bar")}
    delimiter = layout.get("delimiter", "")
    columns = _("columns separated by %(sign)s") % {"sign": names.get(delimiter, delimiter)}
    packed = [_("compressed with gzip")] if layout.get("gzipped") else []
    return [
        _("text"),
        *packed,
        shown_encoding(layout.get("encoding", "")),
        columns if delimiter else _("a plain list"),
        header,
    ]
