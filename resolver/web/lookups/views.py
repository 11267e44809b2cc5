"""Looking up one name, and the page of its result."""

from collections.abc import Mapping
from functools import partial
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from resolver.domain.display.handle_values import describe_values
from resolver.domain.display.location_table import LocationCriteria
from resolver.models import Draft, Lookup
from resolver.models.single_objects import find_object
from resolver.services.accounts.owners import get_owner, get_owner_for_reading
from resolver.services.lookups import look_up
from resolver.services.proxy_answers.cache import NEVER
from resolver.services.proxy_answers.configured_proxy import proxy_from_settings
from resolver.services.proxy_answers.redirects import get_country
from resolver.services.storage.clock import read_clock
from resolver.web.lookups.name_links import get_edit_url
from resolver.web.lookups.result_context import build_result_context
from resolver.web.lookups.usable_doi import add_stored_answers

_NOT_OF_A_LIST = {"row": None, "line": None, "kept": False}
"""What the page of a row has as well. Django takes five times as long for a variable that is missing."""


@require_safe
def show_lookup(request: HttpRequest, pk: UUID) -> HttpResponse:
    """The result of one lookup. Another owner's lookup answers 404."""
    lookup = find_object(Lookup, pk=pk, owner=get_owner_for_reading(request))
    if lookup is None:
        raise Http404
    record = lookup.record or {}
    circumstances = LocationCriteria(str(record.get("handle") or lookup.doi), country=get_country(request))
    context = build_result_context(
        lookup,
        form=lookup.form,
        problems=lookup.problems,
        candidates=lookup.all_candidates,
        suggestion=lookup.suggestion,
    )
    context |= {
        "lookup": lookup,
        "use": add_stored_answers(context["use"], proxy=lookup.proxy, now=read_clock()),
        "record": describe_values(record.get("values"), circumstances),
        "again": {"action": reverse("lookup-again", args=[lookup.pk])},
        "edit": "" if context["use"] else get_edit_url(lookup.input),
        **_NOT_OF_A_LIST,
    }
    return render(request, "lookups/detail.html", context)


@require_POST
def look_up_again(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Look up the stored text again; a form field would change its line breaks."""
    lookup = get_object_or_404(Lookup, pk=pk, owner=get_owner_for_reading(request))
    try:
        return look_up_and_redirect(request, lookup.input, fresh=True, title=lookup.title, author=lookup.author)
    except look_up.LookupPaused as pause:
        return render_lookup_paused(request, pause, lookup.input, lookup=lookup)


def look_up_and_redirect(
    request: HttpRequest, text: str, *, fresh: bool = False, title: str = "", author: str = ""
) -> HttpResponse:
    """Look up a text, store the result and redirect to its page. `title` and `author`: of the work that is meant.
    Raises `look_up.LookupPaused`."""
    now, proxy = read_clock(), proxy_from_settings()
    since = NEVER if fresh else None
    owner = partial(get_owner, request)
    lookup = look_up.create_lookup(
        text, owner=owner, proxy=proxy, now=now, fresh_since=since, title=title, author=author
    )
    return redirect("lookup", pk=lookup.pk)


def render_lookup_paused(
    request: HttpRequest,
    pause: look_up.LookupPaused,
    text: str,
    *,
    lookup: Lookup | None = None,
    draft: Draft | None = None,
    work: Mapping[str, str] | None = None,
) -> HttpResponse:
    """A page with a button to try again: with the text and the fields of its `work`, or with the `lookup` or the
    `draft` that it comes from."""
    context = {"why": str(pause), "text": text, "lookup": lookup, "draft": draft, "work": dict(work or {})}
    response = render(request, "lookups/proxy_unavailable.html", context, status=503)
    response["Retry-After"] = str(pause.seconds)
    return response
