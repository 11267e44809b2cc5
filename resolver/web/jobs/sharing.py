"""A list shared by an address that nobody can guess: made, shown, opened, taken back."""

import re
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from resolver.services import sharing
from resolver.services.owners import reader_of
from resolver.web.jobs.actions import gone_is_404, own_job

_TOKEN = re.compile(r"[\w-]{20,64}\Z", re.ASCII)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def share(request: HttpRequest, pk: UUID) -> HttpResponse:
    """What sharing means, and the address once there is one; POST makes it."""
    job = own_job(request, pk)
    if request.method == "POST":
        with gone_is_404():
            sharing.share(job)
        return redirect("job-share", pk=pk)
    address = request.build_absolute_uri(reverse("shared", args=[job.share_token])) if job.share_token else ""
    return render(request, "jobs/share.html", {"job": job, "address": address, "here": "jobs"})


@require_POST
def stop(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Whoever opened it by the address is shut out with the next click."""
    sharing.stop(own_job(request, pk))
    messages.success(request, _("No longer shared. The link has stopped working."))
    return redirect("job", pk=pk)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def shared(request: HttpRequest, token: str) -> HttpResponse:
    """Lets this visitor's session read the list, and leads to its page. Search engines are to leave it alone.

    Who comes by a link of another site and has no session yet is asked first: no other site may begin one."""
    job = sharing.shared_as(token) if _TOKEN.match(token) else None
    if job is None:
        raise Http404
    owner = reader_of(request)
    if (
        job.owner != owner
        and request.method != "POST"
        and _sent_by_another_site(request)
        and request.session.is_empty()
    ):
        response = render(request, "jobs/share_link.html", {"job": job, "token": token, "here": "jobs"})
    else:
        if job.owner != owner:
            sharing.grant(request.session, job)
        response = redirect("job", pk=job.pk)
    response["X-Robots-Tag"] = "noindex, nofollow"
    return response


def _sent_by_another_site(request: HttpRequest) -> bool:
    return request.headers.get("Sec-Fetch-Site", "none") not in ("none", "same-origin")
