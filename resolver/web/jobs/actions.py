"""What can be done with a list: describe, cancel, retry, delete."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from resolver import tasks
from resolver.services.jobs import lifecycle
from resolver.services.jobs import retry as job_retry
from resolver.services.proxy_answers.configured_proxy import proxy_from_settings
from resolver.services.storage.clock import read_clock
from resolver.web.jobs.access import get_own_job_or_404, raise_404_if_gone
from resolver.web.jobs.forms import DescriptionForm


@require_http_methods(["GET", "HEAD", "POST"])
def describe(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Change name and note, on a page of their own: the page of a running list reloads itself."""
    job = get_own_job_or_404(request, pk)
    sent = request.POST if request.method == "POST" else None
    form = DescriptionForm(sent, initial={"name": job.name, "note": job.note})
    if form.is_valid():
        with raise_404_if_gone():
            lifecycle.update_description(job, **form.cleaned_data)
        messages.success(request, _("Name and note saved."))
        return redirect("job", pk=pk)
    context = {"job": job, "form": form}
    return render(request, "jobs/description.html", context, status=422 if form.errors else 200)


@require_POST
def cancel(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Stop the check; results so far are kept."""
    job = get_own_job_or_404(request, pk)
    with raise_404_if_gone():
        stopped = lifecycle.cancel_job(job, now=read_clock())
    if stopped:
        tasks.send_due_webhooks()
        messages.success(request, _("The check was stopped. Rows that weren’t checked have no outcome."))
    return redirect("job", pk=pk)


@require_POST
def retry(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Check the rows without an outcome; a second click changes nothing."""
    job = get_own_job_or_404(request, pk)
    try:
        with raise_404_if_gone():
            job_retry.retry_job(job, proxy=proxy_from_settings(), now=read_clock())
    except job_retry.NothingToRetry:
        messages.info(request, _("Every row has an outcome. There is nothing to retry."))
    except lifecycle.JobStillRunning:
        pass  # it is being retried, and the page shows it
    else:
        tasks.enqueue_job(job)
    return redirect("job", pk=pk)


@require_http_methods(["GET", "HEAD", "POST"])
def delete(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Ask first, then delete the list, its results and its upload."""
    job = get_own_job_or_404(request, pk)
    if request.method != "POST":
        return render(request, "jobs/confirm_delete.html", {"job": job})
    lifecycle.disown_job(job)
    tasks.start_removals()
    messages.success(request, _("List and results deleted."))
    return redirect("jobs")
