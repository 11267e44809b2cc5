"""The record page: all values of a name's record, and what a click on its link would do (P1-P12, A3-A5, L1-L6)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from resolver.domain.display.handle_values import HandleValueRows, describe_values
from resolver.domain.display.location_table import Circumstances
from resolver.domain.handle.parameters import Parameters
from resolver.domain.handle.record import LOCATIONS, Answer, HandleValue, Record
from resolver.domain.name.encoding import to_url, url_path
from resolver.domain.redirect.locations import Location
from resolver.domain.redirect.result import Outcome
from resolver.domain.redirect.targets import NAMESPACE, url_values
from resolver.proxy.limits import Paused
from resolver.services.lookups.look_up import NotNow
from resolver.services.proxy_answers.doi_proxy import proxy_from_settings
from resolver.services.proxy_answers.redirects import Resolved, country_of, resolve_link
from resolver.web.lookups.result import record_page, with_link
from resolver.web.records.forms import ParameterForm
from resolver.web.records.redirect_text import describe_redirect

OWN, BEHIND, OF_PREFIX = "own", "behind", "prefix"
"""Whose record it is: the name's, that of a name behind an alias, or one for all names of the prefix."""


@require_safe
def show(request: HttpRequest) -> HttpResponse:
    """`?name=` a DOI or a link, and any of the parameters; without a name, the form alone."""
    if "name" not in request.GET:
        return _form_alone(request, ParameterForm())
    form = ParameterForm(request.GET)
    if not form.is_valid():
        return _form_alone(request, form, status=422)
    try:
        told = _told(request, form)
    except Paused as pause:
        not_now = NotNow(pause)
        response = _form_alone(request, form, status=503, why=str(not_now))
        response["Retry-After"] = str(not_now.seconds)
        return response
    return render(request, "records/detail.html", {"form": form, "here": "records", **told})


def _form_alone(request: HttpRequest, form: ParameterForm, status: int = 200, why: str = "") -> HttpResponse:
    return render(request, "records/form.html", {"form": form, "why": why, "here": "records"}, status=status)


def _first(among: Sequence[Location]) -> Location:
    return among[0]


@dataclass(frozen=True)
class Shown:
    """One record on the page, and `whose` it is. `folded`: it is the prefix's, and holds nothing for its names."""

    handle: str
    whose: str
    folded: bool
    told: HandleValueRows
    asked_at: datetime | None


def _told(request: HttpRequest, form: ParameterForm) -> dict[str, Any]:
    name = form.cleaned_data["name"]
    country = form.cleaned_data["country"] or country_of(request)
    parameters = Parameters.of(form.query)
    proxy = proxy_from_settings()
    # Chance takes the first: the page names all that it may come to.
    found = resolve_link(name, parameters, country=country, proxy=proxy, now=timezone.now(), pick=_first)
    outcome = found.outcome
    done = describe_redirect(outcome, parameters, url_values=_url_values(found.held[outcome.name].answer, parameters))
    question = f"?{form.query}" if form.query else ""
    return {
        "name": name,
        "country": country,
        "click": done,
        "meant": [(other, record_page(other)) for other in done.meant],
        "way": outcome.way[1:],
        "at_proxy": to_url(name) + question,
        "here_too": f"{request.scheme}://{request.get_host()}{reverse('home')}{url_path(name)}{question}",
        "plain_page": record_page(name),
        "look_up": with_link({"doi": name}),
        "records": _records(found, Circumstances(outcome.name, parameters.locatt, country)),
        "proxy": proxy.base_url,
    }


def _url_values(answer: Answer, parameters: Parameters) -> int:
    """How many URL values could be taken."""
    if not isinstance(answer, Record):
        return 0
    return len(url_values(parameters.select(answer.values)))


def _records(found: Resolved, circumstances: Circumstances) -> list[Shown]:
    shown = []
    for handle, held in found.held.items():
        if isinstance(held.answer, Record):
            told = describe_values(held.answer.raw.get("values"), circumstances)
            whose = _whose(handle, found.outcome)
            folded = whose == OF_PREFIX and not any(map(_is_for_names, held.answer.values))
            shown.append(Shown(handle, whose, folded, told, held.asked_at))
    return shown


def _whose(handle: str, outcome: Outcome) -> str:
    if handle == outcome.way[0]:
        return OWN
    return BEHIND if handle in outcome.way else OF_PREFIX


def _is_for_names(value: HandleValue) -> bool:
    """Whether it may say where all names of the prefix lead."""
    return value.is_type(NAMESPACE) or value.is_type(LOCATIONS)
