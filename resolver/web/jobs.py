"""Lists: uploaded, watched, stopped, deleted."""

import logging
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from celery.contrib.django.task import DjangoTask
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from kombu.exceptions import OperationalError

from resolver import tasks
from resolver.models import Job
from resolver.services import history, jobs, retrying
from resolver.services.asking import proxy_from_settings
from resolver.services.owners import owner_of, reader_of
from resolver.services.uploads import UploadTooLarge
from resolver.sheets.unreadable import UnreadableFile
from resolver.web.forms import NamedForm, SearchForm, UploadForm
from resolver.web.paging import query_without
from resolver.web.wording import VERDICTS

ON_PAGE = 50
logger = logging.getLogger(__name__)


def own_job(request: HttpRequest, pk: UUID) -> Job:
    """Another owner's job is as good as none: 404."""
    return get_object_or_404(Job, pk=pk, owner=reader_of(request))


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """The caller's jobs, newest first, or those that are called so."""
    form = SearchForm(request.GET)
    wanted = form.wanted()
    page = Paginator(history.jobs(reader_of(request), **wanted), ON_PAGE).get_page(request.GET.get("page"))
    context = {"form": form, "wanted": wanted, "page": page, "rest": query_without(request, "page"), "here": "jobs"}
    return render(request, "resolver/jobs.html", context, status=422 if form.errors else 200)


@require_http_methods(["GET", "HEAD", "POST"])
def new(request: HttpRequest) -> HttpResponse:
    """The form; and taking the file in, which either makes a job or says which line is wrong and what to do."""
    if request.method != "POST":
        return _form(request, UploadForm())
    form = UploadForm(request.POST, request.FILES)
    if not form.is_valid():
        return _form(request, form, status=422)
    try:
        job = _take(request, form)
    except UnreadableFile as error:
        form.add_error("column" if "column" in error.reason and form.cleaned_data["column"] else "file", str(error))
    except UploadTooLarge as error:
        form.add_error("file", str(error))
    else:
        response = redirect("job", pk=job.pk)
        response.status_code = 303
        return response
    return _form(request, form, status=422)


def _take(request: HttpRequest, form: UploadForm) -> Job:
    given = form.cleaned_data
    file = given["file"]
    job, _ = jobs.create(
        file,
        file.name,
        owner=owner_of(request),
        proxy=proxy_from_settings(),
        now=timezone.now(),
        column=given["column"],
        quick=given["quick"],
        name=given["name"],
        note=given["note"],
    )
    _start(tasks.read_job, job)
    return job


def _start(task: DjangoTask, job: Job) -> None:
    try:
        task.delay_on_commit(str(job.pk))
    except OperationalError:
        # The job is stored, and the next sweep enqueues what no message names: late, not lost.
        logger.warning("The broker did not take job %s; the sweep will start it.", job.pk, exc_info=True)


def _form(request: HttpRequest, form: UploadForm, status: int = 200) -> HttpResponse:
    return render(request, "resolver/job_new.html", {"form": form, "here": "jobs"}, status=status)


@require_safe
def show(request: HttpRequest, pk: UUID) -> HttpResponse:
    """How far it is, what was found so far, and the results to take away."""
    job = own_job(request, pk)
    return render(request, "resolver/job.html", {"job": job, "here": "jobs", **presented(job)})


def presented(job: Job) -> dict[str, Any]:
    """What the page shows that follows from what is stored."""
    return {
        "refresh": None if job.ended else 5,
        "percent": 100 * job.done // job.total if job.total else 0,
        "left": max(0, job.total - job.done),
        "to_ask": retrying.left_to_ask(job),
        "tallies": [
            ("Outcomes", [(VERDICTS.get(key, VERDICTS[""]).word, *rest) for key, *rest in _tally(job, "outcome")]),
            ("Problems", [(key, *rest) for key, *rest in _tally(job, "problem")]),
            ("Registration Agencies", [(key, *rest) for key, *rest in _tally(job, "ra")]),
        ],
        "layout_words": _layout_words(job.layout),
    }


def _tally(job: Job, kind: str) -> list[tuple[str, int, str]]:
    """(value, rows, query of the filtered results), the most frequent first."""
    counted: Mapping[str, int] = job.counts.get(kind, {})
    ordered = sorted(counted.items(), key=lambda item: (-item[1], item[0]))
    return [(value, rows, urlencode({kind: value}, errors="surrogatepass")) for value, rows in ordered if value]


def _layout_words(layout: Mapping[str, Any]) -> str:
    """What the file was found to be, so that a wrong guess shows at once."""
    if not layout:
        return ""
    if layout.get("kind") in ("xlsx", "ods"):
        kind = layout["kind"].upper() + (f", the sheet “{layout['sheet']}”" if layout.get("sheet") else "")
    else:
        names = {",": "comma", ";": "semicolon", "\t": "TAB", "|": "vertical bar"}
        delimiter = layout.get("delimiter", "")
        parts = f"columns separated by {names.get(delimiter, delimiter)}" if delimiter else "a plain list"
        kind = f"text, {'gzip, ' if layout.get('gzipped') else ''}{layout.get('encoding', '')}, {parts}"
    return f"{kind}; {'with' if layout.get('has_header') else 'without'} a header row"


@require_http_methods(["GET", "HEAD", "POST"])
def describe(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Name and note, on a page of their own: that of a running list loads itself again and would lose what is typed."""
    job = own_job(request, pk)
    form = NamedForm(request.POST if request.method == "POST" else None, initial={"name": job.name, "note": job.note})
    if form.is_valid():
        jobs.describe(job, **form.cleaned_data)
        messages.success(request, "Name and note are kept.")
        return redirect("job", pk=pk)
    context = {"job": job, "form": form, "here": "jobs"}
    return render(request, "resolver/job_describe.html", context, status=422 if form.errors else 200)


@require_POST
def cancel(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Stop asking; what was found stays."""
    job = own_job(request, pk)
    if jobs.cancel(job, now=timezone.now()):
        messages.success(request, "Cancelled. Rows that were not asked yet have no outcome.")
    return redirect("job", pk=pk)


@require_POST
def retry(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Ask for the rows that have no answer; a second click finds it done."""
    job = own_job(request, pk)
    try:
        retrying.ask_again(job, proxy=proxy_from_settings(), now=timezone.now())
    except retrying.NothingToAsk:
        messages.info(request, "Every row has its answer; nothing is to be asked again.")
    except retrying.StillRunning:
        pass  # what was wanted is happening, and the page shows it
    else:
        _start(tasks.read_job, job)
    return redirect("job", pk=pk)


@require_http_methods(["GET", "HEAD", "POST"])
def delete(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Ask first; then remove the list, its results and its upload."""
    job = own_job(request, pk)
    if request.method != "POST":
        return render(request, "resolver/job_delete.html", {"job": job, "here": "jobs"})
    jobs.delete(job)
    messages.success(request, "The list and its results are deleted.")
    return redirect("jobs")
