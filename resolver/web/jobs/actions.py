"""Lists: named, stopped, taken up again, deleted."""

from collections.abc import Iterator
from contextlib import contextmanager
from uuid import UUID

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from resolver import tasks
from resolver.models import Comparison, Job
from resolver.services import sharing
from resolver.services.jobs import lifecycle
from resolver.services.jobs import retry as job_retry
from resolver.services.owners import jobs_of, reader_of
from resolver.services.proxy_answers.doi_proxy import proxy_from_settings
from resolver.web.site.form_fields import NamedForm, SearchForm
from resolver.web.site.paging import query_without

ON_PAGE = 50


def own_job(request: HttpRequest, pk: UUID) -> Job:
    """Another owner's job is as good as none: 404."""
    return get_object_or_404(Job, pk=pk, owner=reader_of(request))


def seen_job(request: HttpRequest, pk: UUID) -> Job:
    """For what only reads: the owner's list, or one that was shared with this visitor, without the owner's note; any
    other is as good as none: 404."""
    job = get_object_or_404(Job, pk=pk)
    if is_mine(request, job):
        return job
    if not sharing.may_read(request.session, job):
        raise Http404
    job.note = ""
    return job


def is_mine(request: HttpRequest, job: Job) -> bool:
    """Whether it is the caller's, who may change it."""
    return job.owner == reader_of(request)


@contextmanager
def gone_is_404() -> Iterator[None]:
    """A job that was deleted since it was looked up, and what hung on it, is as good as none too."""
    try:
        yield
    except (Job.DoesNotExist, Comparison.DoesNotExist):
        raise Http404 from None


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """The caller's jobs, newest first, or those that are called so."""
    form = SearchForm(request.GET)
    wanted = form.wanted()
    found = jobs_of(reader_of(request), **wanted).select_related("rerun_of")
    page = Paginator(found, ON_PAGE).get_page(request.GET.get("page"))
    context = {"form": form, "wanted": wanted, "page": page, "rest": query_without(request, "page"), "here": "jobs"}
    return render(request, "jobs/list.html", context, status=422 if form.errors else 200)


@require_http_methods(["GET", "HEAD", "POST"])
def describe(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Name and note, on a page of their own: that of a running list changes by itself."""
    job = own_job(request, pk)
    form = NamedForm(request.POST if request.method == "POST" else None, initial={"name": job.name, "note": job.note})
    if form.is_valid():
        with gone_is_404():
            lifecycle.describe(job, **form.cleaned_data)
        messages.success(request, _("Name and note saved."))
        return redirect("job", pk=pk)
    context = {"job": job, "form": form, "here": "jobs"}
    return render(request, "jobs/description.html", context, status=422 if form.errors else 200)


@require_POST
def cancel(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Stop asking; what was found stays."""
    job = own_job(request, pk)
    with gone_is_404():
        stopped = lifecycle.cancel(job, now=timezone.now())
    if stopped:
        messages.success(request, _("Cancelled. Rows that weren’t checked have no outcome."))
    return redirect("job", pk=pk)


@require_POST
def retry(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Ask for the rows that have no answer; a second click finds it done."""
    job = own_job(request, pk)
    try:
        with gone_is_404():
            job_retry.ask_again(job, proxy=proxy_from_settings(), now=timezone.now())
    except job_retry.NothingToAsk:
        messages.info(request, _("Every row has an outcome. There is nothing to retry."))
    except lifecycle.JobStillRunning:
        pass  # what was wanted is happening, and the page shows it
    else:
        tasks.start_reading(job)
    return redirect("job", pk=pk)


@require_http_methods(["GET", "HEAD", "POST"])
def delete(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Ask first; then remove the list, its results and its upload."""
    job = own_job(request, pk)
    if request.method != "POST":
        return render(request, "jobs/confirm_delete.html", {"job": job, "here": "jobs"})
    lifecycle.delete(job)
    messages.success(request, _("List and results deleted."))
    return redirect("jobs")
