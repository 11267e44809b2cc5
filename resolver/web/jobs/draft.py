"""A list before it is checked: how its file is read, the settings that change this, and the start."""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.humanize.templatetags.humanize import intcomma
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from doi_reading import Reading
from resolver import tasks
from resolver.models import Draft, Job
from resolver.proxy.work_lists import MOST_NAMES
from resolver.services.accounts.owners import get_owner_for_reading, get_sharer
from resolver.services.accounts.quotas import QuotaReached, list_quotas
from resolver.services.jobs import drafts
from resolver.services.jobs.drafts import DraftPreview, has_fault
from resolver.services.lookups import look_up
from resolver.services.proxy_answers.configured_proxy import proxy_from_settings
from resolver.services.proxy_answers.configured_services import services_from_settings
from resolver.services.storage.clock import read_clock
from resolver.services.uploads.file_reader import build_file_reader
from resolver.services.uploads.reading_places import NoReadingPlace
from resolver.services.works.search import estimate_search_seconds, list_search_hosts
from resolver.sheets.errors import NeedsChoice, UnreadableFile
from resolver.sheets.input.layout import Layout, name_unnamed_column
from resolver.sheets.input.place_rows import shorten_work
from resolver.sheets.input.read_as import list_notes
from resolver.web.jobs.checking_pace import format_time
from resolver.web.jobs.forms import LayoutChoicesForm, StartForm, describe_row_count, name_columns
from resolver.web.lookups.views import look_up_and_redirect, render_lookup_paused

COLUMNS_SHOWN = 6
ROWS_OF_EACH_KIND = 5  # the first, those without a DOI, those with a problem


def _find_own_draft(request: HttpRequest, pk: UUID) -> Draft | None:
    return Draft.objects.filter(pk=pk, owner=get_owner_for_reading(request)).first()


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def show_draft(request: HttpRequest, pk: UUID) -> HttpResponse:
    """The preview with the settings of the query; a POST starts the check with its settings, or previews them
    (`preview`). A draft that was started leads to its list, for a second click and the back button."""
    draft = _find_own_draft(request, pk)
    if draft is not None:
        try:
            return _render_draft(request, draft)
        except Draft.DoesNotExist:
            pass  # started or deleted meanwhile
        except NoReadingPlace as busy:
            return _answer_busy(request, draft, busy)
    return _answer_without_draft(request, pk)


def _answer_busy(request: HttpRequest, draft: Draft, busy: NoReadingPlace) -> HttpResponse:
    """Say that the file can't be read now, with a button that sends the same request again."""
    sent = request.POST if request.method == "POST" else request.GET
    pairs = [(name, value) for name, values in sent.lists() for value in values if name != "csrfmiddlewaretoken"]
    context = {"draft": draft, "why": str(busy), "pairs": pairs, "method": request.method}
    response = render(request, "jobs/draft/busy.html", context, status=503)
    response["Retry-After"] = str(busy.wait)
    return response


def _answer_without_draft(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Redirect to the list that the draft became, or say that the preview is gone and how to upload the file again."""
    if Job.objects.filter(pk=pk, owner=get_owner_for_reading(request)).exists():
        return redirect("job", pk=pk)
    return render(request, "jobs/draft/gone.html", {"draft_days": drafts.KEPT_FOR.days}, status=404)


def _render_draft(request: HttpRequest, draft: Draft) -> HttpResponse:
    sent, reader = request.POST if request.method == "POST" else None, build_file_reader(request)
    form = LayoutChoicesForm(sent or request.GET, draft=draft)
    start = StartForm(sent)
    preview = None
    is_start = sent is not None and "preview" not in sent
    if is_start and start.has_chosen_column():
        preview = drafts.preview_draft(draft, form.build_choices(), reader=reader)
        is_start = start.is_for(preview.layout)
    if is_start and form.is_valid() and start.is_valid():
        try:
            job = drafts.start_draft(
                draft,
                form.build_choices(),
                proxy=proxy_from_settings(),
                now=read_clock(),
                reader=reader,
                sharer=get_sharer(request),
                **start.cleaned_data,
            )
        except NeedsChoice as refusal:
            if refusal.about == "all_records":
                start.add_error("search", _("%(reason)s Tick this, and we search for them.") % {"reason": refusal})
            elif refusal.about in start.fields:
                start.add_error(refusal.about, str(refusal))  # the preview below says all others
        except UnreadableFile:
            pass  # the preview below says why
        except QuotaReached as error:
            start.add_error(None, str(error))
        else:
            tasks.enqueue_job(job)
            return redirect("job", pk=job.pk)
    preview = preview or drafts.preview_draft(draft, form.build_choices(), reader=reader)
    if preview.refusal:
        about = preview.refusal.about if isinstance(preview.refusal, NeedsChoice) else "delimiter"
        form.refuse(about, preview.refusal)
    form.offer(preview)
    start.offer(preview.layout, [cells for cells, _ in preview.rows])
    proposed_split = preview.layout is not None and preview.layout.split
    if preview.layout:
        preview = replace(preview, layout=preview.layout.with_split(start.is_split))
    quotas = [one for one in list_quotas(draft.owner, read_clock()) if one.kind != "requests"]
    rows = preview.layout.total if preview.layout else 0
    context = {
        "draft": draft,
        "draft_days": drafts.KEPT_FOR.days,
        "form": form,
        "start": start,
        "proposed_split": proposed_split,
        "compare_time": _describe_compare_time(rows) if start.can_compare else "",
        "search_facts": _describe_search(preview.layout, preview.rows) if start.can_search and preview.layout else [],
        "columns_key": name_columns(preview.layout),
        "rows_words": describe_row_count(preview),
        "preview": preview,
        "quotas": quotas,
        "too_short": [one for one in quotas if (1 if one.kind == "lists" else rows) > one.left],
        **_build_table(preview),
    }
    is_short = context["too_short"] or context.get("beyond_header")
    context["tone"] = "bad" if form.errors or not preview.named else "warn" if is_short else ""
    return render(request, "jobs/draft.html", context, status=422 if form.errors or start.errors else 200)


def _describe_compare_time(rows: int) -> str:
    """How long the agencies take for the works of so many rows, if they are of Crossref; "" for less than a minute."""
    slowest = min(service.config.rate or math.inf for service in services_from_settings().values())
    seconds = rows / MOST_NAMES / slowest
    return _("The answers take %(time)s.") % {"time": format_time(seconds, read_clock())} if seconds >= 60 else ""


def _describe_search(layout: Layout, shown: Sequence[tuple[list[str], Reading]]) -> list[str]:
    """What a search would send where, for how many rows, and how long it takes. The rows without a DOI are counted in
    those that are shown, and in a longer table estimated from them."""
    hosts = list_search_hosts()
    sent = _("We send title, author, journal and year of these rows, or the whole reference, to %(hosts)s.")
    seen, lacking = len(shown), sum(not reading.valid for _cells, reading in shown)
    if layout.is_bibliographic:
        rows, known = layout.without_doi[0], layout.complete
    else:
        rows, known = round(layout.total * lacking / max(seen, 1)), layout.complete and seen == layout.total
    number = {"number": intcomma(rows)}
    if known:
        counted = ngettext("%(number)s row here has no DOI.", "%(number)s rows here have no DOI.", rows) % number
    else:
        counted = ngettext("About %(number)s row has no DOI.", "About %(number)s rows have no DOI.", rows) % number
    time = format_time(estimate_search_seconds(rows), read_clock())
    return [
        sent % {"hosts": ", ".join(hosts)},
        counted,
        *([_("The search takes %(time)s.") % {"time": time}] if rows else []),
    ]


def _build_table(preview: DraftPreview) -> dict[str, Any]:
    """Columns and rows of the preview. The DOI column comes first, then the column that is read where it is empty. A
    file whose DOI column is unknown has none."""
    layout = preview.layout
    if layout is None:
        return {}
    doi_column = None if preview.refusal else layout.column
    places = [place for place in (doi_column, layout.instead) if place is not None and doi_column is not None]
    places += [place for place in range(min(COLUMNS_SHOWN, len(layout.header))) if place not in places]

    def row(place: int) -> dict[str, Any]:
        cells, reading = preview.rows[place]
        cells = shorten_work(cells) if layout.is_bibliographic else cells
        return {
            "number": preview.numbers[place],
            "cells": [cells[place] if place < len(cells) else "" for place in places],
            "reading": reading,
            # Each kind of error or warning once; a missing DOI is shown anyway.
            "problems": {
                problem.code: problem.severity
                for problem in reading.problems
                if problem.severity != "info" and problem.code != "no-doi"
            },
            "is_empty": not (layout.get_cell(cells).strip() or layout.is_bibliographic),
        }

    return {
        "layout": layout,
        "notes": [] if preview.refusal else list(list_notes(layout)),
        "columns": [(layout.header[place], place == doi_column) for place in places],
        "doi_fields": layout.total - (layout.without_doi[0] if layout.all_records else 0),
        "columns_left_out": len(layout.header) - len(places),
        "groups": [(title, [row(place) for place in found]) for title, found in _group_rows(preview, doi_column)],
        "doi_column": None if doi_column is None else (doi_column + 1, layout.header[doi_column]),
        "instead_column": None if layout.instead is None else layout.header[layout.instead],
        "without_doi": len(preview.rows) - preview.named - preview.mistyped,
        "beyond_header": _find_beyond_header(preview, layout),
    }


def _find_beyond_header(preview: DraftPreview, layout: Layout) -> dict[str, int | None] | None:
    """Return the number of the first row of a text that has more cells than the header row, as where a separator is
    inside a cell: None in the place of a number that the preview doesn't show, None alone if there is no such row."""
    if not layout.has_header or not layout.delimiter:
        return None
    named = max(
        (place + 1 for place, name in enumerate(layout.header) if name != name_unnamed_column(place)), default=0
    )
    if named == len(layout.header):
        return None
    rows = zip(preview.numbers, preview.rows, strict=False)
    return {"row": next((number for number, (cells, _reading) in rows if any(cells[named:])), None)}


def _group_rows(preview: DraftPreview, doi_column: int | None) -> list[tuple[str, list[int]]]:
    """The places of the rows to show, each once, in titled groups: the first rows, then others that need attention."""
    numbered = [(place, reading) for place, (_cells, reading) in enumerate(preview.rows)]
    later = numbered[ROWS_OF_EACH_KIND:] if doi_column is not None else []
    groups = [
        (_("The first rows"), [place for place, _reading in numbered]),
        (_("Rows without a DOI"), [place for place, reading in later if not (reading.valid or reading.candidates)]),
        (
            _("Rows with a problem"),
            [place for place, reading in later if has_fault(reading) and (reading.valid or reading.candidates)],
        ),
    ]
    return [(title, found[:ROWS_OF_EACH_KIND]) for title, found in groups if found]


@require_POST
def look_up_as_one(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Look up the pasted lines as one text instead."""
    draft = _find_own_draft(request, pk)
    if draft is None:
        return _answer_without_draft(request, pk)
    if not draft.text:
        raise Http404
    try:
        response = look_up_and_redirect(request, draft.text)
    except look_up.LookupPaused as pause:
        return render_lookup_paused(request, pause, draft.text, draft=draft)
    drafts.discard_draft(draft)
    return response


@require_POST
def delete_draft(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Delete the draft and its upload."""
    draft = _find_own_draft(request, pk)
    if draft is None:
        return _answer_without_draft(request, pk)
    drafts.discard_draft(draft)
    messages.success(request, _("List discarded. Nothing was checked or kept."))
    return redirect("home")
