"""What a DOI stands for: a page of its own, and the part of it that htmx puts into an open page."""

from typing import Any
from uuid import UUID

from django import forms
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from resolver.domain.agencies.agency_contacts import find_contact
from resolver.domain.work.comparison import compare_works
from resolver.domain.work.evidence import WorkVerdict
from resolver.models import Lookup
from resolver.models.single_objects import find_object
from resolver.proxy.limits import Paused
from resolver.services.accounts.owners import get_owner_for_reading
from resolver.services.lookups.inspection import inspect_input
from resolver.services.lookups.look_up import LookupPaused
from resolver.services.lookups.metadata import describe_work, find_described_work
from resolver.services.proxy_answers.configured_proxy import proxy_from_settings
from resolver.services.proxy_answers.name_answers import get_name_to_ask
from resolver.services.storage.clock import read_clock
from resolver.web.lookups.name_links import (
    add_links,
    build_comparison_query,
    get_metadata_page_url,
    get_record_page_url,
)
from resolver.web.lookups.search_offer import build_search_offer
from resolver.web.site.form_fields import VERBATIM, VerbatimTextField
from resolver.web.wording.works import show_comparison

_TYPES = {
    "article": gettext_lazy("article"),
    "article-journal": gettext_lazy("journal article"),
    "article-magazine": gettext_lazy("magazine article"),
    "article-newspaper": gettext_lazy("newspaper article"),
    "book": gettext_lazy("book"),
    "book-chapter": gettext_lazy("book chapter"),
    "chapter": gettext_lazy("book chapter"),
    "component": gettext_lazy("part of a publication"),
    "dataset": gettext_lazy("dataset"),
    "dissertation": gettext_lazy("thesis"),
    "edited-book": gettext_lazy("book"),
    "graphic": gettext_lazy("image"),
    "journal": gettext_lazy("journal"),
    "journal-article": gettext_lazy("journal article"),
    "journal-issue": gettext_lazy("journal issue"),
    "monograph": gettext_lazy("book"),
    "motion_picture": gettext_lazy("film or video"),
    "paper-conference": gettext_lazy("conference paper"),
    "peer-review": gettext_lazy("peer review"),
    "posted-content": gettext_lazy("preprint"),
    "proceedings": gettext_lazy("conference proceedings"),
    "proceedings-article": gettext_lazy("conference paper"),
    "reference-entry": gettext_lazy("reference entry"),
    "report": gettext_lazy("report"),
    "review": gettext_lazy("review"),
    "review-book": gettext_lazy("book review"),
    "software": gettext_lazy("software"),
    "song": gettext_lazy("sound recording"),
    "standard": gettext_lazy("standard"),
    "thesis": gettext_lazy("thesis"),
    "webpage": gettext_lazy("web page"),
}


class NameForm(forms.Form):
    """A DOI or a link. Once valid, `name` is the name in it."""

    name = VerbatimTextField(
        longest=lambda: settings.MAX_CELL,
        label=gettext_lazy("DOI or link"),
        error_messages={"required": gettext_lazy("Enter a DOI or a link.")},
        widget=forms.TextInput(attrs=VERBATIM),
    )

    def clean_name(self) -> str:
        name = get_name_to_ask(inspect_input(self.cleaned_data["name"]))
        if name is None:
            raise forms.ValidationError(_("This text doesn’t contain a DOI."))
        return name


@require_safe
def show_metadata(request: HttpRequest) -> HttpResponse:
    """`?name=` a DOI or a link; `again=1` requests it from the agency again; `brief` is for a line of another page;
    `lookup` names a lookup of this owner, with whose title or reference it is compared. Without a name only the form.
    """
    if "name" not in request.GET:
        return render(request, "lookups/metadata/form.html", {"form": NameForm()})
    form = NameForm(request.GET)
    if not form.is_valid():
        return render(request, "lookups/metadata/form.html", {"form": form}, status=422)
    name, lookup = form.cleaned_data["name"], _find_lookup(request)
    context: dict[str, Any] = {
        "name": name,
        "this_page": get_metadata_page_url(name) + (build_comparison_query(lookup) if lookup else ""),
        "record_page": get_record_page_url(name),
        "look_up": add_links({"doi": name}),
    }
    try:
        proxy = proxy_from_settings()
        described = describe_work(name, proxy=proxy, now=read_clock(), fresh="again" in request.GET)
    except Paused as pause:
        paused = LookupPaused(pause)
        response = _render(request, context | {"pause": paused.why}, 503)
        response["Retry-After"] = str(paused.seconds)
        return response
    meant = find_described_work(lookup) if lookup else None
    if meant and described.work:
        compared = compare_works(meant, described.work)
        context["comparison"] = show_comparison(compared, meant.text)
        if lookup and compared.verdict is WorkVerdict.DIFFERENT:
            context["search"] = build_search_offer(lookup)
    context |= {
        "described": described,
        "agency": find_contact(described.agency) if described.agency else None,
        "source": described.source or _("not known"),
        "type": _TYPES.get(described.work.type.lower(), described.work.type) if described.work else "",
    }
    return _render(request, context, 503 if described.failure else 200)


def _find_lookup(request: HttpRequest) -> Lookup | None:
    try:
        key = UUID(request.GET.get("lookup", ""))
    except ValueError:
        return None
    return find_object(Lookup, pk=key, owner=get_owner_for_reading(request))


def _render(request: HttpRequest, context: dict[str, Any], status: int) -> HttpResponse:
    """htmx puts only answers of status 200 into the page."""
    if "HX-Request" in request.headers:
        part = "_line" if "brief" in request.GET else "_work"
        return render(request, f"lookups/metadata/{part}.html", context)
    return render(request, "lookups/metadata/page.html", context, status=status)
