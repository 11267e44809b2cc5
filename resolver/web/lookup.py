"""Looking up one name, and the page that says what was found."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from resolver.domain.doi import fold
from resolver.domain.encoding import to_uri, to_url, to_urn
from resolver.domain.readable.places import Circumstances
from resolver.domain.readable.values import rows
from resolver.domain.reading import read
from resolver.domain.report import Outcome, prefix_sentence
from resolver.models import Draft, Lookup, Row
from resolver.services import lookup
from resolver.services.asking import proxy_from_settings
from resolver.services.owners import owner_of, reader_of
from resolver.services.resolving import country_of
from resolver.web.forms import LookupForm
from resolver.web.marking import SHOWN, mark, named


@require_POST
def again(request: HttpRequest, pk: UUID) -> HttpResponse:
    """The same text once more, exactly as it is stored: a form field would change its line breaks."""
    found = _own(request, pk)
    try:
        return see(request, found.input, fresh=True)
    except lookup.NotNow as pause:
        return not_now(request, pause, found.input, found=found)


def see(request: HttpRequest, text: str, *, fresh: bool = False) -> HttpResponse:
    """Ask, store, and go to the page of the result, which can be reloaded and kept. Raises `lookup.NotNow`."""
    now = timezone.now()
    found = lookup.look_up(text, owner=owner_of(request), proxy=proxy_from_settings(), now=now, fresh=fresh)
    response = redirect("lookup", pk=found.pk)
    response.status_code = 303
    return response


def not_now(
    request: HttpRequest, pause: lookup.NotNow, text: str, *, found: Lookup | None = None, draft: Draft | None = None
) -> HttpResponse:
    """Try again later; with the text, so that nobody has to type it once more. `found`: what is to be asked again;
    `draft`: what was to be looked up as one text."""
    context = {"why": str(pause), "text": text, "found": found, "draft": draft, "here": "home"}
    response = render(request, "resolver/not_now.html", context, status=503)
    response["Retry-After"] = str(pause.seconds)
    return response


def _own(request: HttpRequest, pk: UUID) -> Lookup:
    """Another owner's lookup is as good as none: 404."""
    return get_object_or_404(Lookup, pk=pk, owner=reader_of(request))


@require_safe
def show(request: HttpRequest, pk: UUID) -> HttpResponse:
    """What was found about one text."""
    found = _own(request, pk)
    context = {"lookup": found, "here": "home", "form": LookupForm(), **presented(found, country_of(request.headers))}
    return render(request, "resolver/lookup.html", context)


def presented(found: Lookup, country: str) -> dict[str, Any]:
    """What the page shows that is not stored: all of it follows from what is, and from the reader's `country`."""
    record = found.record or {}
    circumstances = Circumstances(str(record.get("handle") or found.doi), country=country)
    suggested = (found.suggestion or {}).get("doi", "")
    told = {fold(suggested), *(fold(other["doi"]) for other in found.others)}
    readings = [asking(candidate) for candidate in found.candidates if fold(candidate["doi"]) not in told]
    return {
        **marked(found.input, found.problems),
        **written(found.doi),
        "told": rows(record.get("values"), circumstances),
        "prefix_told": told_of_prefix(found),
        "suggested": asking(found.suggestion) if suggested else None,
        "exist_too": [reading for reading in readings if reading.get("exists")],
        "readings": [reading for reading in readings if not reading.get("exists")],
        "tried": any(candidate.get("exists") is not None for candidate in found.candidates),
        "no_answer": found.outcome in (Outcome.NOT_FOUND, Outcome.INVALID),
        "others": [asking(other) for other in found.others],
    }


def written(doi: str) -> dict[str, str]:
    """The name in a link, a doi: URI and a URN, and the address of its record page; nothing where there is no name."""
    if not doi:
        return {}
    return {"url": to_url(doi), "uri": to_uri(doi), "urn": to_urn(doi), "record_page": record_page(doi)}


def record_page(name: str) -> str:
    """The page that shows the whole record of exactly this name."""
    return f"{reverse('records')}?{urlencode({'name': asks_for(name)})}"


def told_of_prefix(found: Lookup | Row) -> str:
    """Which part of a name that is not registered to suspect, and whom to tell."""
    if found.outcome != Outcome.NOT_FOUND:
        return ""
    prefix = found.doi.partition("/")[0]
    return prefix_sentence(prefix, found.prefix_ra, found.prefix_status, suggested=bool(found.suggestion))


def asking(named: Mapping[str, Any]) -> dict[str, Any]:
    """A suggestion, a candidate or another DOI, with its link and the text that asks for it."""
    return {**named, "url": to_url(named["doi"]), "asks": asks_for(named["doi"])}


def marked(text: str, problems: list[dict[str, Any]]) -> dict[str, Any]:
    """The text as it was given, its problems marked in place, and each with the names of the characters at fault."""
    return {
        "stretches": mark(text, problems),
        "left_out": max(0, len(text) - SHOWN),
        "problems": [{**problem, "named": named(text[problem["start"] : problem["end"]])} for problem in problems],
    }


def asks_for(name: str) -> str:
    """A text that reads as exactly this name: the name, or its link where the name alone reads otherwise (E11)."""
    link = to_url(name)
    # A link may hold `&`, but `&lt;` in it would be taken for what HTML makes of `<`.
    ways = (name, link, link.replace("&", "%26"))
    return next((way for way in ways if str(read(way).doi) == name), link)
