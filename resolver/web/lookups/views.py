"""Looking up one name, and the page that says what was found."""

from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from resolver.domain.display.handle_values import describe_values
from resolver.domain.display.location_table import Circumstances
from resolver.models import Draft, Lookup
from resolver.services.lookups import look_up
from resolver.services.owners import owner_of, reader_of
from resolver.services.proxy_answers.doi_proxy import proxy_from_settings
from resolver.services.proxy_answers.redirects import country_of
from resolver.web.lookups.result import context_for_result


@require_POST
def again(request: HttpRequest, pk: UUID) -> HttpResponse:
    """The same text once more, exactly as it is stored: a form field would change its line breaks."""
    found = _own(request, pk)
    try:
        return see(request, found.input, fresh=True)
    except look_up.NotNow as pause:
        return not_now(request, pause, found.input, found=found)


def see(request: HttpRequest, text: str, *, fresh: bool = False) -> HttpResponse:
    """Ask, store, and go to the page of the result, which can be reloaded and kept. Raises `look_up.NotNow`."""
    now = timezone.now()
    found = look_up.look_up(text, owner=lambda: owner_of(request), proxy=proxy_from_settings(), now=now, fresh=fresh)
    response = redirect("lookup", pk=found.pk)
    response.status_code = 303
    return response


def not_now(
    request: HttpRequest, pause: look_up.NotNow, text: str, *, found: Lookup | None = None, draft: Draft | None = None
) -> HttpResponse:
    """Try again later; with the text, so that nobody has to type it once more. `found`: what is to be asked again;
    `draft`: what was to be looked up as one text."""
    context = {"why": str(pause), "text": text, "found": found, "draft": draft, "here": "home"}
    response = render(request, "lookups/proxy_unavailable.html", context, status=503)
    response["Retry-After"] = str(pause.seconds)
    return response


def _own(request: HttpRequest, pk: UUID) -> Lookup:
    """Another owner's lookup is as good as none: 404."""
    return get_object_or_404(Lookup, pk=pk, owner=reader_of(request))


@require_safe
def show(request: HttpRequest, pk: UUID) -> HttpResponse:
    """What was found about one text."""
    found = _own(request, pk)
    context = {"lookup": found, "here": "home", **context_for_lookup(found, country_of(request))}
    return render(request, "lookups/detail.html", context)


def context_for_lookup(found: Lookup, country: str) -> dict[str, Any]:
    """What the page shows that is not stored: all of it follows from what is, and from the reader's `country`."""
    record = found.record or {}
    told = context_for_result(
        found,
        form=found.form,
        problems=found.problems,
        candidates=found.candidates,
        suggestion=found.suggestion,
    )
    circumstances = Circumstances(str(record.get("handle") or found.doi), country=country)
    again = {"action": reverse("lookup-again", args=[found.pk])}
    return {**told, "told": describe_values(record.get("values"), circumstances), "again": again}
