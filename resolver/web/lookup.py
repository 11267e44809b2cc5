"""Looking up one name, and the page that says what was found."""

from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from resolver import conf
from resolver.domain.readable.places import Circumstances
from resolver.domain.readable.values import rows
from resolver.models import Lookup
from resolver.services import history, lookup
from resolver.services.asking import proxy_from_settings
from resolver.services.owners import owner_of, reader_of
from resolver.services.resolving import country_of
from resolver.web.answer import answer
from resolver.web.forms import LookupForm

RECENT = 5


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """The front page: one text to look up, or a list to upload. With `?text=` the field holds this text already."""
    text = request.GET.get("text", "")
    return _home(request, LookupForm(initial={"text": text if len(text) <= conf.max_cell() else ""}))


def _home(request: HttpRequest, form: LookupForm, status: int = 200) -> HttpResponse:
    recent = history.lookups(reader_of(request))[:RECENT]
    return render(request, "resolver/home.html", {"form": form, "recent": recent, "here": "home"}, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
def create(request: HttpRequest) -> HttpResponse:
    """Ask, store, and go to the page of the result, which can be reloaded and kept."""
    if request.method != "POST":
        return redirect("home")
    form = LookupForm(request.POST)
    if not form.is_valid():
        return _home(request, form, status=422)
    try:
        return _see(request, form.cleaned_data["text"])
    except lookup.NotNow as pause:
        return _not_now(request, pause, form.cleaned_data["text"])


@require_POST
def again(request: HttpRequest, pk: UUID) -> HttpResponse:
    """The same text once more, exactly as it is stored: a form field would change its line breaks."""
    found = _own(request, pk)
    try:
        return _see(request, found.input, fresh=True)
    except lookup.NotNow as pause:
        return _not_now(request, pause, found.input, found)


def _see(request: HttpRequest, text: str, *, fresh: bool = False) -> HttpResponse:
    now = timezone.now()
    found = lookup.look_up(text, owner=owner_of(request), proxy=proxy_from_settings(), now=now, fresh=fresh)
    response = redirect("lookup", pk=found.pk)
    response.status_code = 303
    return response


def _not_now(request: HttpRequest, pause: lookup.NotNow, text: str, found: Lookup | None = None) -> HttpResponse:
    """Try again later; with the text, so that nobody has to type it once more. `found`: what is to be asked again."""
    context = {"why": str(pause), "text": text, "found": found, "here": "home"}
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
    context = {"lookup": found, "here": "home", **presented(found, country_of(request.headers))}
    return render(request, "resolver/lookup.html", context)


def presented(found: Lookup, country: str) -> dict[str, Any]:
    """What the page shows that is not stored: all of it follows from what is, and from the reader's `country`."""
    record = found.record or {}
    told = answer(
        found,
        form=found.form,
        problems=found.problems,
        candidates=found.candidates,
        suggestion=found.suggestion,
    )
    circumstances = Circumstances(str(record.get("handle") or found.doi), country=country)
    again = {"action": reverse("lookup-again", args=[found.pk])}
    return {**told, "told": rows(record.get("values"), circumstances), "again": again}
