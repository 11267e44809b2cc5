"""What was looked up before: searched, filtered, taken away, taken out."""

from uuid import UUID

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from resolver.models import Lookup
from resolver.services.downloads import download
from resolver.services.lookups import history
from resolver.services.lookups.export import HEADER, lookup_rows
from resolver.services.owners import reader_of
from resolver.sheets.output.formats import ExportFormat
from resolver.web.site.form_fields import HistoryForm, delimiter_of
from resolver.web.site.paging import query_without

ON_PAGE = 50


@require_safe
def show(request: HttpRequest) -> HttpResponse:
    """The caller's lookups, newest first, or those that fit."""
    owner = reader_of(request)
    kinds = history.kinds_of_lookups(owner)
    form = HistoryForm(request.GET, kinds=kinds)
    wanted = form.wanted()
    page = Paginator(history.lookups(owner, **wanted), ON_PAGE).get_page(request.GET.get("page"))
    context = {
        "form": form,
        "wanted": wanted,
        "page": page,
        "all_of_them": sum(kinds.outcomes.values()),
        "rest": query_without(request, "page"),
        "query": query_without(request),
        "here": "history",
    }
    return render(request, "lookups/history.html", context, status=422 if form.errors else 200)


@require_safe
def file(request: HttpRequest, form: ExportFormat) -> HttpResponseBase:
    """All lookups, or those that the same filters leave, with the columns of a list's results."""
    filters = HistoryForm(request.GET)
    if not filters.is_valid():
        return _back_to_the_form(request)
    rows = lookup_rows(history.lookups(reader_of(request), **filters.wanted()))
    return download(f"history.{form.suffix}", form, HEADER, rows, delimiter=delimiter_of(request))


@require_POST
def delete_one(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Take one lookup out; there is nothing to lose that asking again would not bring back. Leads to the same filters
    and page again."""
    history.delete_lookup(get_object_or_404(Lookup, pk=pk, owner=reader_of(request)))
    messages.success(request, _("Deleted from your history."))
    return _back_to_the_form(request)


@require_http_methods(["GET", "HEAD", "POST"])
def delete_all(request: HttpRequest) -> HttpResponse:
    """Ask first; then empty the history."""
    found = history.lookups(reader_of(request))
    if request.method != "POST":
        return render(request, "lookups/history_confirm_delete.html", {"count": found.count(), "here": "history"})
    history.delete_lookups(reader_of(request))
    messages.success(request, _("History deleted."))
    return redirect("history")


def _back_to_the_form(request: HttpRequest) -> HttpResponse:
    """With the same filters, and what is wrong with them."""
    query = request.GET.urlencode()
    return redirect(f"{reverse('history')}{'?' if query else ''}{query}")
