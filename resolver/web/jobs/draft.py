"""A list before it is checked: how it is read, which can be changed, and the start."""

from contextlib import suppress
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from resolver import tasks
from resolver.domain.parsing.parse import Reading
from resolver.models import Draft, Job
from resolver.services.jobs import drafts
from resolver.services.jobs.drafts import DraftPreview, has_fault
from resolver.services.lookups import look_up
from resolver.services.owners import reader_of
from resolver.services.proxy_answers.doi_proxy import proxy_from_settings
from resolver.sheets.errors import NeedsChoice, UnreadableFile
from resolver.web.jobs.forms import BeginForm, ChoicesForm, rows_sentence
from resolver.web.lookups.views import not_now, see

SHOWN_ROWS = 5  # of each kind: the first, those without a DOI, those with a problem
SHOWN_COLUMNS = 8  # beside the column with the DOIs


@dataclass(frozen=True, slots=True)
class Column:
    """A column that is shown: its place, its name, and whether the DOIs are read from it."""

    place: int
    name: str
    is_read: bool


def preview(seen: DraftPreview) -> dict[str, Any]:
    """The first rows, with what each reads as. Where no column is known to hold the DOIs, none is read."""
    layout = seen.layout
    if layout is None:
        return {}
    read = None if seen.refusal else layout.column
    columns = [Column(place, name, place == read) for place, name in enumerate(layout.header)]
    # What is read stands beside what it reads as.
    shown = [column for column in columns if column.is_read]
    shown += [column for column in columns if column.place < SHOWN_COLUMNS and not column.is_read]

    def row(number: int) -> dict[str, Any]:
        cells, reading = seen.rows[number - 1]
        return {
            "number": number,
            "cells": [cells[column.place] if column.place < len(cells) else "" for column in shown],
            "reading": None if read is None else reading,
            "problems": _problems(reading),
            "is_empty": not layout.cell(cells).strip(),
        }

    return {
        "columns": shown,
        "columns_left_out": len(columns) - len(shown),
        "groups": [(title, [row(number) for number in numbers]) for title, numbers in _groups(seen, read)],
        "read_column": columns[read] if read is not None else None,
        "looked_at": len(seen.rows),
        "named": seen.named,
        "nameless": len(seen.rows) - seen.named,
        "faulty": seen.faulty,
        "layout": layout,
    }


def _groups(seen: DraftPreview, read: int | None) -> list[tuple[str, list[int]]]:
    """Which rows are shown, by their numbers, each once and each group with its title: the first, and of the others
    that were looked at some that will need work."""
    first = range(1, min(SHOWN_ROWS, len(seen.rows)) + 1)
    groups = [(_("The first rows"), list(first))]
    if read is not None:
        later = list(enumerate(seen.rows, 1))[SHOWN_ROWS:]
        nameless = [number for number, (_cells, reading) in later if not reading.valid]
        faulty = [number for number, (_cells, reading) in later if reading.valid and has_fault(reading)]
        groups += [(_("Rows without a DOI"), nameless[:SHOWN_ROWS]), (_("Rows with a problem"), faulty[:SHOWN_ROWS])]
    return [(title, numbers) for title, numbers in groups if numbers]


def _problems(reading: Reading) -> list[dict[str, str]]:
    """Each kind of error or warning once; notes need nobody's eyes yet, and that there is no DOI is said anyway."""
    told = {one.code: one.severity for one in reading.problems if one.severity != "info" and one.code != "no-doi"}
    return [{"code": code, "severity": severity} for code, severity in told.items()]


def own_draft(request: HttpRequest, pk: UUID) -> Draft:
    """Another owner's draft is as good as none: 404."""
    return get_object_or_404(Draft, pk=pk, owner=reader_of(request))


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def show(request: HttpRequest, pk: UUID) -> HttpResponse:
    """How the list is read with the choices of the query; by POST it starts with them. A draft that was started leads
    to its list: a second click, or the way back, finds that."""
    draft = Draft.objects.filter(pk=pk, owner=reader_of(request)).first()
    if draft is not None:
        with suppress(Draft.DoesNotExist):  # meanwhile
            return _show(request, draft)
    if Job.objects.filter(pk=pk, owner=reader_of(request)).exists():
        return _to_job(pk)
    raise Http404


def _show(request: HttpRequest, draft: Draft) -> HttpResponse:
    sent = request.POST if request.method == "POST" else None
    form = ChoicesForm(sent or request.GET, draft=draft)
    begin = BeginForm(sent)
    if sent is not None and form.is_valid() and begin.is_valid():
        try:
            job = drafts.start(
                draft, form.choices(), proxy=proxy_from_settings(), now=timezone.now(), **begin.cleaned_data
            )
        except UnreadableFile:
            pass  # the same is told below
        else:
            tasks.start_reading(job)
            return _to_job(job.pk)
    seen = drafts.preview(draft, form.choices())
    if seen.refusal:
        form.refuse(seen.refusal.about if isinstance(seen.refusal, NeedsChoice) else "delimiter", seen.refusal)
    form.offer(seen)
    context = {"draft": draft, "form": form, "begin": begin, "rows_words": rows_sentence(seen), **preview(seen)}
    status = 422 if form.errors or begin.errors else 200
    return render(request, "jobs/draft.html", {**context, "here": "jobs"}, status=status)


def _to_job(pk: UUID) -> HttpResponse:
    response = redirect("job", pk=pk)
    response.status_code = 303
    return response


@require_POST
def as_one(request: HttpRequest, pk: UUID) -> HttpResponse:
    """The lines were no list: look all of them up as one text."""
    draft = own_draft(request, pk)
    if not draft.text:
        raise Http404
    try:
        response = see(request, draft.text)
    except look_up.NotNow as pause:
        return not_now(request, pause, draft.text, draft=draft)
    drafts.discard(draft)
    return response


@require_POST
def delete(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Nothing of it is kept."""
    drafts.discard(own_draft(request, pk))
    messages.success(request, _("List discarded. Nothing was checked or kept."))
    return redirect("home")
