"""The works that a search finds for a text without a right DOI: a page of its own, and the part of it that htmx puts
into an open page."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, cast
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from resolver.domain.report.searched_work import describe_search
from resolver.domain.work.evidence import WorkComparison, WorkVerdict
from resolver.domain.work.found_works import FoundWork, SearchStatus
from resolver.domain.work.row_work import RowWork
from resolver.models import Lookup
from resolver.models.single_objects import find_object
from resolver.services.accounts.owners import get_owner_for_reading, get_sharer
from resolver.services.lookups.look_up import LookupPaused
from resolver.services.lookups.work_search import LookupSearch, find_work_to_search, search_for_lookup
from resolver.services.proxy_answers.configured_proxy import proxy_from_settings
from resolver.services.storage.clock import read_clock
from resolver.web.lookups.name_links import add_links
from resolver.web.lookups.search_offer import build_search_offer
from resolver.web.wording.labels import label_value
from resolver.web.wording.works import ShownComparison, VerdictWords, show_comparison

# Lazy texts are used like texts here.
_ = cast("Callable[[str], str]", gettext_lazy)

_SAME = VerdictWords(_("The registered title and author are those of your text."), "good")


@require_http_methods(["GET", "HEAD", "POST"])
def search_for_doi(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Search for the work of a lookup, which sends its words to the search services. Only a POST does; all else leads
    back to the lookup. Another owner's lookup answers 404."""
    owner = get_owner_for_reading(request)
    lookup = find_object(Lookup, pk=pk, owner=owner)
    if lookup is None:
        raise Http404
    work, offer = find_work_to_search(lookup), build_search_offer(lookup)
    if request.method != "POST" or work is None or offer is None:
        return redirect("lookup", pk=pk)
    context: dict[str, Any] = {"lookup": lookup, "search": offer, "sample": lookup.sample}
    caller = get_sharer(request) or owner
    try:
        found = search_for_lookup(lookup, work, caller=caller, proxy=proxy_from_settings(), now=read_clock())
    except LookupPaused as pause:
        response = _render(request, context | {"pause": pause.why}, 503)
        response["Retry-After"] = str(pause.seconds)
        return response
    searched = found.searched
    context |= {
        "found_by": searched.found_by,
        "works": [_show_work(one, found, work) for one in searched.works],
        "missing": describe_search(searched),
        "asked_on": searched.asked_at.date().isoformat() if searched.asked_at else "",
    }
    return _render(request, context, 503 if searched.found_by == SearchStatus.COULD_NOT_ASK else 200)


def _show_work(one: FoundWork, found: LookupSearch, work: RowWork) -> dict[str, Any]:
    """A found work for the template: its DOI with its links, whether it is suggested or registered, who lists it, and
    both sides."""
    suggestion = found.suggestion if one.doi == found.searched.suggested else None
    return {
        **add_links({"doi": suggestion.doi if suggestion else one.doi}),
        "suggestion": suggestion,
        "is_registered": one.doi in found.registered,
        "found_by": one.found_by,
        "source": label_value("found_by", one.found_by),
        "comparison": _show_comparison(one.comparison, work.text) if one.comparison else None,
    }


def _show_comparison(compared: WorkComparison, reference: str) -> ShownComparison:
    """Both sides. Others may have the same title and author: the verdict says no more than that."""
    shown = show_comparison(compared, reference)
    return replace(shown, words=_SAME) if compared.verdict is WorkVerdict.SAME else shown


def _render(request: HttpRequest, context: dict[str, Any], status: int) -> HttpResponse:
    """htmx puts only answers of status 200 into the page."""
    if "HX-Request" in request.headers:
        return render(request, "lookups/search/_found.html", context)
    return render(request, "lookups/search/page.html", context, status=status)
