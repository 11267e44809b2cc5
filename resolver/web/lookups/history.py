"""The history of lookups: searched, filtered, downloaded, deleted."""

from uuid import UUID

from django import forms
from django.contrib import messages
from django.contrib.humanize.templatetags.humanize import intcomma
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from resolver.domain.handle.proxy_json import MAX_AGENCY_CHARACTERS
from resolver.models import Lookup
from resolver.services.accounts.owners import get_owner_for_reading
from resolver.services.http.downloads import build_download
from resolver.services.lookups import history
from resolver.services.lookups.export import build_history_table
from resolver.sheets.output.export_formats import ExportFormat
from resolver.web.site.form_fields import SearchForm, SearchTextField, VerbatimTextField, get_csv_delimiter
from resolver.web.wording.labels import label_problem
from resolver.web.wording.text_filters import plain_text
from resolver.web.wording.verdicts import VERDICTS


class HistoryForm(SearchForm):
    """The filters of the history. Unknown values match no lookup."""

    q = SearchTextField(label=gettext_lazy("Search"))
    outcome = forms.CharField(label=gettext_lazy("Outcome"), required=False)
    problem = forms.CharField(label=gettext_lazy("Problem"), required=False)
    ra = VerbatimTextField(label=gettext_lazy("Agency"), longest=MAX_AGENCY_CHARACTERS, required=False)

    def offer(self, kinds: history.LookupCounts) -> None:
        """Offer the values in the history with their counts, and the chosen value in any case."""
        # There are some dozen agencies, but a proxy may send any text.
        agencies = [name for name in list(kinds.agencies)[:100] if len(name) <= MAX_AGENCY_CHARACTERS]
        offered = {
            "outcome": (kinds.outcomes, {code: verdict.word for code, verdict in VERDICTS.items()}),
            "problem": (kinds.problems, {code: label_problem(code) for code in kinds.problems}),
            "ra": (kinds.agencies, {name: name for name in agencies}),
        }
        for name, (counts, labels) in offered.items():
            choices = {"": _("any")}
            choices |= {key: f"{label} ({intcomma(counts[key])})" for key, label in labels.items() if counts.get(key)}
            if chosen := str(self.data.get(name, "")):
                choices.setdefault(chosen, f"{plain_text(chosen, 80)} (0)")
            self.fields[name].widget = forms.Select(choices=list(choices.items()))


@require_safe
def show_history(request: HttpRequest) -> HttpResponse:
    """The caller's lookups that match the filters, newest first."""
    owner = get_owner_for_reading(request)
    kinds = history.count_lookups(owner)
    form = HistoryForm(request.GET)
    form.offer(kinds)
    wanted = form.get_wanted()
    context = {
        "form": form,
        "wanted": wanted,
        "page": Paginator(history.find_lookups(owner, **wanted), 50).get_page(request.GET.get("page")),
        "total": sum(kinds.outcomes.values()),
    }
    return render(request, "lookups/history.html", context, status=422 if form.errors else 200)


@require_safe
def download_history(request: HttpRequest, form: ExportFormat) -> HttpResponseBase:
    """The lookups that match the filters, with the columns of a list's results."""
    filters = HistoryForm(request.GET)
    if not filters.is_valid():
        return _back_to_history(request)
    table = build_history_table(history.find_lookups(get_owner_for_reading(request), **filters.get_wanted()))
    return build_download(f"history.{form.suffix}", form, table, delimiter=get_csv_delimiter(request))


@require_POST
def delete_one(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Delete one lookup without asking: a new lookup brings it back."""
    history.delete_lookup(get_object_or_404(Lookup, pk=pk, owner=get_owner_for_reading(request)))
    messages.success(request, _("Deleted from your history."))
    return _back_to_history(request)


@require_http_methods(["GET", "HEAD", "POST"])
def delete_all(request: HttpRequest) -> HttpResponse:
    """Ask first, then delete all lookups."""
    owner = get_owner_for_reading(request)
    if request.method != "POST":
        context = {"count": history.find_lookups(owner).count()}
        return render(request, "lookups/history_confirm_delete.html", context)
    history.clear_history(owner)
    messages.success(request, _("History deleted."))
    return redirect("history")


def _back_to_history(request: HttpRequest) -> HttpResponse:
    """With the filters and the page of the address."""
    return redirect(f"{reverse('history')}?{request.GET.urlencode()}".removesuffix("?"))
