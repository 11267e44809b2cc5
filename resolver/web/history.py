"""What was looked up before: searched, filtered, taken out."""

from uuid import UUID

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from resolver.models import Lookup
from resolver.services import history
from resolver.services.owners import reader_of
from resolver.web.forms import FilterForm
from resolver.web.paging import query_without

ON_PAGE = 50


@require_safe
def show(request: HttpRequest) -> HttpResponse:
    """The caller's lookups, newest first."""
    form = FilterForm(request.GET)
    wanted = form.wanted()
    page = Paginator(history.lookups(reader_of(request), **wanted), ON_PAGE).get_page(request.GET.get("page"))
    context = {"form": form, "wanted": wanted, "page": page, "rest": query_without(request, "page"), "here": "history"}
    return render(request, "resolver/history.html", context, status=422 if form.errors else 200)


@require_POST
def delete_one(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Take one lookup out; there is nothing to lose that asking again would not bring back."""
    history.delete_lookup(get_object_or_404(Lookup, pk=pk, owner=reader_of(request)))
    messages.success(request, "Deleted from the history.")
    return redirect("history")


@require_http_methods(["GET", "HEAD", "POST"])
def delete_all(request: HttpRequest) -> HttpResponse:
    """Ask first; then empty the history."""
    found = history.lookups(reader_of(request))
    if request.method != "POST":
        return render(request, "resolver/history_delete.html", {"count": found.count(), "here": "history"})
    history.delete_lookups(reader_of(request))
    messages.success(request, "The history is empty now.")
    return redirect("history")
