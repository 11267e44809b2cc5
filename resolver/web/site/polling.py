"""Answers to an open page that asks for a part of itself (htmx)."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

STOP_POLLING = 286  # htmx's own


def out_of_sight(request: HttpRequest) -> HttpResponse:
    """What an open page shows instead of a list that it may not, or no longer, look at; it asks no more."""
    return in_place_of_all(render(request, "jobs/_live_gone.html", status=STOP_POLLING))


def in_place_of_all(response: HttpResponse) -> HttpResponse:
    """Not of the numbers alone: what can be done and what was found changes too."""
    response["HX-Retarget"], response["HX-Reswap"] = "#live", "innerHTML"
    return response
