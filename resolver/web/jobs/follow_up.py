"""What can be done with a list after its check: check again and compare, watch it, check its hosts."""

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from resolver.services.hosts.check import may_have_hosts
from resolver.web.jobs.access import get_visible_job_or_404, is_mine


@never_cache
@require_safe
def show_follow_up(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Other runs and lists to compare with, the watch, the hosts; for a visitor the link to pass on."""
    job = get_visible_job_or_404(request, pk)
    context = {"job": job, "mine": is_mine(request, job), "has_hosts": job.ended and may_have_hosts(job)}
    return render(request, "jobs/follow_up.html", context)
