"""The record page: all values of a name's record, and what a click on its link would do (P1-P12, A3-A5, L1-L6)."""

from operator import itemgetter
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from doi_reading import encode
from resolver.domain.display.handle_values import describe_values
from resolver.domain.display.location_table import LocationCriteria
from resolver.domain.handle.proxy_parameters import ProxyParameters
from resolver.domain.handle.record import LOCATIONS, HandleValue, Record, find_url_values
from resolver.domain.redirect.record_addresses import NAMESPACE
from resolver.domain.redirect.resolve_results import Redirect, ResolveResult
from resolver.proxy.limits import Paused
from resolver.services.lookups.look_up import LookupPaused
from resolver.services.proxy_answers.configured_proxy import proxy_from_settings
from resolver.services.proxy_answers.redirects import ResolvedLink, get_country, get_header_attributes, resolve_link
from resolver.services.storage.clock import read_clock
from resolver.web.lookups.name_links import add_links, get_record_page_url
from resolver.web.records.forms import ParameterForm
from resolver.web.records.redirect_text import describe_redirect

OWN, BEHIND, OF_PREFIX = "own", "behind", "prefix"
"""Whose record it is: of the name, of the name that an alias stands for, or of the prefix for all its names."""


@require_safe
def show_record(request: HttpRequest) -> HttpResponse:
    """`?name=` a DOI or a link, with any parameters; without a name only the form."""
    if "name" not in request.GET:
        return _render_form(request, ParameterForm())
    form = ParameterForm(request.GET)
    if not form.is_valid():
        return _render_form(request, form, status=422)
    try:
        context = _build_context(request, form)
    except Paused as pause:
        not_now = LookupPaused(pause)
        response = _render_form(request, form, status=503, why=str(not_now))
        response["Retry-After"] = str(not_now.seconds)
        return response
    return render(request, "records/detail.html", {"form": form, **context})


def _render_form(request: HttpRequest, form: ParameterForm, status: int = 200, why: str = "") -> HttpResponse:
    return render(request, "records/form.html", {"form": form, "why": why}, status=status)


def _build_context(request: HttpRequest, form: ParameterForm) -> dict[str, Any]:
    name = form.cleaned_data["name"]
    country = form.cleaned_data["country"] or get_country(request)
    parameters, by_headers = ProxyParameters.of(form.query), get_header_attributes(request)
    proxy = proxy_from_settings()
    # A random choice takes the first location: the page names all that are possible.
    wanted = parameters.asking_for(by_headers)
    resolved = resolve_link(name, wanted, country=country, proxy=proxy, now=read_clock(), pick=itemgetter(0))
    outcome = resolved.outcome
    answer = resolved.held[outcome.name].answer
    values = find_url_values(parameters.select(answer.values)) if isinstance(answer, Record) else []
    click = describe_redirect(outcome, parameters, url_values=len(values))
    query = f"?{form.query}" if form.query else ""
    choice = outcome.choice if isinstance(outcome, Redirect) else None
    criteria = LocationCriteria(outcome.name, parameters.locatt, country, by_headers, choice)
    return {
        "name": name,
        "country": country,
        "click": click,
        "meant": [(other, get_record_page_url(other)) for other in click.meant],
        "way": outcome.way[1:],
        "at_proxy": encode(name) + query,
        "here_too": f"{request.scheme}://{request.get_host()}{reverse('home')}{encode(name, 'path')}{query}",
        "plain_page": get_record_page_url(name),
        "look_up": add_links({"doi": name}),
        "records": _describe_records(resolved, criteria),
        "proxy": proxy.base_url,
    }


def _describe_records(resolved: ResolvedLink, circumstances: LocationCriteria) -> list[dict[str, Any]]:
    """Each record on the page. `folded`: it belongs to the prefix and has nothing for its names."""
    return [
        {
            "handle": handle,
            "whose": (whose := _find_owner(handle, resolved.outcome)),
            "folded": whose == OF_PREFIX and not any(map(_is_for_names, held.answer.values)),
            "values": describe_values(held.answer.raw.get("values"), circumstances),
            "answered_at": held.answered_at,
        }
        for handle, held in resolved.held.items()
        if isinstance(held.answer, Record)
    ]


def _find_owner(handle: str, outcome: ResolveResult) -> str:
    if handle == outcome.way[0]:
        return OWN
    return BEHIND if handle in outcome.way else OF_PREFIX


def _is_for_names(value: HandleValue) -> bool:
    """Whether the value may decide where links with names of the prefix go."""
    return value.is_type(NAMESPACE) or value.is_type(LOCATIONS)
