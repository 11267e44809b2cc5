"""What can be done with a list: describe, cancel, retry, delete, and share it by a link that can't be guessed."""

from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from resolver import tasks
from resolver.services.jobs import lifecycle, sharing
from resolver.services.jobs import retry as job_retry
from resolver.services.proxy_answers.configured_proxy import proxy_from_settings
from resolver.services.storage.clock import read_clock
from resolver.web.jobs.access import get_own_job_or_404, is_mine, raise_404_if_gone
from resolver.web.jobs.forms import DescriptionForm


@require_http_methods(["GET", "HEAD", "POST"])
def edit_description(request: HttpRequest, pk: UUID) -> HttpResponse:
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
def cancel_check(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Stop the check; results so far are kept."""
    job = get_own_job_or_404(request, pk)
    with raise_404_if_gone():
        stopped = lifecycle.cancel_job(job, now=read_clock())
    if stopped:
        tasks.send_due_webhooks()
        messages.success(request, _("The check was stopped. Rows that weren’t checked have no outcome."))
    return redirect("job", pk=pk)


@require_POST
def retry_rows(request: HttpRequest, pk: UUID) -> HttpResponse:
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
def delete_list(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Ask first, then delete the list, its results and its upload."""
    job = get_own_job_or_404(request, pk)
    if request.method != "POST":
        return render(request, "jobs/confirm_delete.html", {"job": job})
    lifecycle.disown_job(job)
    tasks.start_removals()
    messages.success(request, _("List and results deleted."))
    return redirect("jobs")


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def share_list(request: HttpRequest, pk: UUID) -> HttpResponse:
    """What sharing means, and the link once there is one; a POST creates it."""
    job = get_own_job_or_404(request, pk)
    if request.method == "POST":
        with raise_404_if_gone():
            sharing.share_job(job)
        return redirect("job-share", pk=pk)
    address = request.build_absolute_uri(reverse("shared", args=[job.share_token])) if job.share_token else ""
    return render(request, "jobs/share.html", {"job": job, "address": address})


@require_POST
def end_sharing(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Revoke the link. Visitors who opened it lose access at once."""
    sharing.stop_sharing(get_own_job_or_404(request, pk))
    messages.success(request, _("You stopped sharing this list. The link no longer works."))
    return redirect("job", pk=pk)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def open_share_link(request: HttpRequest, token: str) -> HttpResponse:
    """Let this visitor's session read the list, and redirect to its page, which search engines don't index. A visitor
    without a session who comes from another site must confirm first: no other site may start a session."""
    job = sharing.find_shared_job(token)
    if job is None:
        raise Http404
    from_another_site = request.headers.get("Sec-Fetch-Site", "none") not in ("none", "same-origin")
    response: HttpResponse = redirect("job", pk=job.pk)
    if not is_mine(request, job):
        if request.method != "POST" and from_another_site and request.session.is_empty():
            response = render(request, "jobs/share_link.html", {"job": job, "token": token})
        else:
            sharing.grant_access(request.session, job)
    response["X-Robots-Tag"] = "noindex, nofollow"
    return response
