"""Sharing a list by a link that can't be guessed: created, shown, opened, revoked."""

from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from resolver.services.jobs import sharing
from resolver.web.jobs.access import get_own_job_or_404, is_mine, raise_404_if_gone


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def share(request: HttpRequest, pk: UUID) -> HttpResponse:
    """What sharing means, and the link once there is one; a POST creates it."""
    job = get_own_job_or_404(request, pk)
    if request.method == "POST":
        with raise_404_if_gone():
            sharing.share_job(job)
        return redirect("job-share", pk=pk)
    address = request.build_absolute_uri(reverse("shared", args=[job.share_token])) if job.share_token else ""
    return render(request, "jobs/share.html", {"job": job, "address": address})


@require_POST
def stop(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Revoke the link. Visitors who opened it lose access at once."""
    sharing.stop_sharing(get_own_job_or_404(request, pk))
    messages.success(request, _("You stopped sharing this list. The link no longer works."))
    return redirect("job", pk=pk)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def open_share_link(request: HttpRequest, token: str) -> HttpResponse:
    """Let this visitor's session read the list, and redirect to its page. A header keeps search engines from indexing
    it.

    A visitor without a session who comes from another site must confirm first: no other site may start a session."""
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
