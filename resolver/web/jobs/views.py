"""The page with a person's lists, and the page of a list: its progress, its results, what happened to it."""

from collections import Counter
from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.contrib.humanize.templatetags.humanize import intcomma
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from resolver.domain.work.found_works import FOUND_BY
from resolver.models import Job
from resolver.services.accounts.owners import get_owner_for_reading
from resolver.services.comparisons.reruns import MOST_OFFERED, choose_run_to_compare, find_other_runs
from resolver.services.jobs import retry
from resolver.services.jobs.incidents import find_incidents
from resolver.services.jobs.job_search import find_jobs
from resolver.services.jobs.row_readings import compares_works, has_expected_addresses, is_bibliographic, searches_works
from resolver.services.results.address_updates import count_uncompared
from resolver.services.results.facets import count_repeated
from resolver.services.results.no_original_file import find_refusal
from resolver.services.storage.clock import read_clock
from resolver.services.watches.history import find_watch_of_list, find_watch_of_run
from resolver.sheets.bibliographic.formats import FORMATS
from resolver.sheets.input.layout import Layout
from resolver.sheets.input.read_as import list_notes
from resolver.sheets.input.text.text_encoding import label_encoding
from resolver.web.jobs.access import get_visible_job_or_404, is_mine
from resolver.web.jobs.charts import build_agency_parts, build_state_parts, build_value_bars
from resolver.web.jobs.checking_pace import describe_pace, format_progress, parse_progress
from resolver.web.jobs.headline import build_headline
from resolver.web.jobs.task_list import build_task_list
from resolver.web.site.form_fields import SearchForm
from resolver.web.site.polling import replace_live_part, stop_polling
from resolver.web.wording.labels import label_value


@never_cache
@require_safe
def show_job(request: HttpRequest, pk: UUID) -> HttpResponse:
    """The whole page."""
    return render(request, "jobs/detail.html", {**build_job_context(request, get_visible_job_or_404(request, pk))})


@never_cache
@require_safe
def show_progress(request: HttpRequest, pk: UUID) -> HttpResponse:
    """The parts of the page that change, which htmx polls every few seconds; three queries, however long the list is.
    The last answer has everything below the title, and nothing that polls."""
    try:
        job = get_visible_job_or_404(request, pk)
    except Http404:
        return stop_polling(request)
    context = build_job_context(request, job)
    if not job.ended:
        return render(request, "jobs/live/_running.html", context)
    return replace_live_part(render(request, "jobs/live/_finished.html", context))


def build_job_context(request: HttpRequest, job: Job) -> dict[str, Any]:
    """The context of the page, from what is stored and what the page saw before (`?seen=`, `?announced=`)."""
    now = read_clock()
    points = parse_progress(request.GET.get("seen", ""), now)
    to_ask = retry.count_rows_to_retry(job)
    percent = 100 * job.done // job.total if job.total else 0
    task_list = build_task_list(job, to_ask)
    announcement = f"{job.state}-{percent // 10}"
    mine = is_mine(request, job)
    has_run_again = mine and job.ended and job.rerun_of_id is not None
    return {
        "job": job,
        "mine": mine,
        "compared_with": choose_run_to_compare(find_other_runs(job)[:MOST_OFFERED], job) if has_run_again else None,
        "watch": (find_watch_of_list(job) or find_watch_of_run(job)) if mine and job.ended else None,
        "percent": percent,
        "tenths": percent // 10 * 10,
        "announcement": announcement,
        "announce": announcement != request.GET.get("announced"),
        "pace": describe_pace(job, points, now),
        "seen": format_progress(points, job, now),
        "left": max(0, job.total - job.done),
        "to_ask": to_ask,
        "unread": job.layout.get("complete") is False,  # the file has more rows than were counted
        "unanswered": max(0, to_ask - job.incomplete),
        "task_list": task_list,
        "headline": build_headline(job),
        "parts": build_state_parts(job, task_list.replaced),
        "incidents": find_incidents(job, now=now),
        "repeated": count_repeated(job),
        "problems": build_value_bars(job, "problem"),
        "agencies": build_value_bars(job, "ra"),
        "agency_parts": build_agency_parts(job),
        "uncompared": count_uncompared(job),
        "expected_column": Layout.from_json(job.layout).expected_name if has_expected_addresses(job) else None,
        "compared": Layout.from_json(job.layout).list_work_columns() if compares_works(job) else None,
        "searches_works": searches_works(job),
        "search_counts": [
            (label_value("found_by", value), rows, reverse("job-rows", args=[job.pk]) + f"?found_by={value}")
            for value in FOUND_BY
            if (rows := job.counts.get("found_by", {}).get(value))
        ],
        "is_bibliographic": is_bibliographic(job),
        "is_workbook": bool(job.layout) and Layout.from_json(job.layout).has_sheets,
        "no_original": find_refusal(job) if job.ended else None,
        "layout_labels": _list_layout_labels(job.layout),
        "notes": list(list_notes(Layout.from_json(job.layout))) if job.layout else [],
    }


def _list_layout_labels(layout: Mapping[str, Any]) -> list[str]:
    """How the file was read, so that a wrong guess is seen."""
    if not layout:
        return []
    packed = [_("compressed with gzip")] if layout.get("gzipped") else []
    if form := FORMATS.get(layout.get("kind", "")):
        return [form.label, *packed, _("fields %(names)s") % {"names": ", ".join(layout["fields"])}]
    header = _("with a header row") if layout.get("has_header") else _("without a header row")
    if number := layout.get("header_row"):
        header = _("column names in row %(number)s, rows above it ignored") % {"number": intcomma(number)}
    if layout.get("kind", "csv") != "csv":
        sheet = [_("the sheet “%(name)s”") % {"name": layout["sheet"]}] if layout.get("sheet") else []
        return [layout["kind"].upper(), *sheet, header]
    names = {",": _("comma"), ";": _("semicolon"), "\t": _("TAB"), "|": _("vertical bar")}
    delimiter = layout.get("delimiter", "")
    columns = _("columns separated by %(sign)s") % {"sign": names.get(delimiter, delimiter)}
    return [
        _("text"),
        *packed,
        label_encoding(layout.get("encoding", "")),
        columns if delimiter else _("a plain list"),
        header,
    ]


def _name_minute(job: Job) -> tuple[str, str]:
    """What the page of lists shows of a list to tell it from others, unless several show the same."""
    return job.title, f"{job.created_at:%Y-%m-%d %H:%M}"


@require_safe
def show_jobs(request: HttpRequest) -> HttpResponse:
    """The caller's jobs that match the search, newest first."""
    form = SearchForm(request.GET)
    wanted = form.get_wanted()
    found = find_jobs(get_owner_for_reading(request), **wanted).select_related("rerun_of")
    page = Paginator(found, 50).get_page(request.GET.get("page"))
    alike = Counter(map(_name_minute, page))
    twins = {job.pk for job in page if alike[_name_minute(job)] > 1}
    context = {"form": form, "wanted": wanted, "page": page, "twins": twins}
    return render(request, "jobs/list.html", context, status=422 if form.errors else 200)
