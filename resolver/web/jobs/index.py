"""The page with the owner's lists."""

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from resolver.services.accounts.owners import get_owner_for_reading
from resolver.services.jobs.job_search import find_jobs
from resolver.web.site.forms import SearchForm


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """The caller's jobs that match the search, newest first."""
    form = SearchForm(request.GET)
    wanted = form.get_wanted()
    found = find_jobs(get_owner_for_reading(request), **wanted).select_related("rerun_of")
    page = Paginator(found, 50).get_page(request.GET.get("page"))
    context = {"form": form, "wanted": wanted, "page": page}
    return render(request, "jobs/list.html", context, status=422 if form.errors else 200)
