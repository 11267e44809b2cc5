"""Lists: named, stopped, taken up again, deleted."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from uuid import UUID

from celery.contrib.django.task import DjangoTask
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from kombu.exceptions import OperationalError

from resolver import tasks
from resolver.models import Job
from resolver.services import history, jobs, retrying
from resolver.services.asking import proxy_from_settings
from resolver.services.owners import reader_of
from resolver.web.forms import NamedForm, SearchForm
from resolver.web.paging import query_without

ON_PAGE = 50
logger = logging.getLogger(__name__)


def own_job(request: HttpRequest, pk: UUID) -> Job:
    """Another owner's job is as good as none: 404."""
    return get_object_or_404(Job, pk=pk, owner=reader_of(request))


@contextmanager
def gone_is_404() -> Iterator[None]:
    """A job that was deleted since it was looked up is as good as none too."""
    try:
        yield
    except Job.DoesNotExist:
        raise Http404 from None


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """The caller's jobs, newest first, or those that are called so."""
    form = SearchForm(request.GET)
    wanted = form.wanted()
    page = Paginator(history.jobs(reader_of(request), **wanted), ON_PAGE).get_page(request.GET.get("page"))
    context = {"form": form, "wanted": wanted, "page": page, "rest": query_without(request, "page"), "here": "jobs"}
    return render(request, "resolver/jobs.html", context, status=422 if form.errors else 200)


def _start(task: DjangoTask, job: Job) -> None:
    try:
        task.delay_on_commit(str(job.pk))
    except OperationalError:
        # The job is stored, and the next sweep enqueues what no message names: late, not lost.
        logger.warning("The broker did not take job %s; the sweep will start it.", job.pk, exc_info=True)


@require_http_methods(["GET", "HEAD", "POST"])
def describe(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Name and note, on a page of their own: that of a running list changes by itself."""
    job = own_job(request, pk)
    form = NamedForm(request.POST if request.method == "POST" else None, initial={"name": job.name, "note": job.note})
    if form.is_valid():
        with gone_is_404():
            jobs.describe(job, **form.cleaned_data)
        messages.success(request, "Name and note are kept.")
        return redirect("job", pk=pk)
    context = {"job": job, "form": form, "here": "jobs"}
    return render(request, "resolver/job_describe.html", context, status=422 if form.errors else 200)


@require_POST
def cancel(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Stop asking; what was found stays."""
    job = own_job(request, pk)
    with gone_is_404():
        stopped = jobs.cancel(job, now=timezone.now())
    if stopped:
        messages.success(request, "Cancelled. Rows that were not asked yet have no outcome.")
    return redirect("job", pk=pk)


@require_POST
def retry(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Ask for the rows that have no answer; a second click finds it done."""
    job = own_job(request, pk)
    try:
        with gone_is_404():
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
