"""Answers to an open page that polls a part of itself (htmx)."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render


def stop_polling(request: HttpRequest) -> HttpResponse:
    """What an open page shows in place of a list that it may no longer see."""
    return replace_live_part(render(request, "jobs/live/_gone.html", status=286))  # htmx's own status: stop polling


def replace_live_part(response: HttpResponse) -> HttpResponse:
    """Make htmx replace the whole live part, not only the progress: actions and results change too."""
    response["HX-Retarget"], response["HX-Reswap"] = "#live", "innerHTML"
    return response


def is_poll(request: HttpRequest) -> bool:
    """Whether an open page polls itself."""
    return request.headers.get("HX-Request") == "true"


def answer_poll(response: HttpResponse, *, ended: bool) -> HttpResponse:
    """Make htmx take only the progress from a whole page, or, when nothing is under way any more, all its content in
    place of the live part."""
    response["HX-Reselect"] = "#main > *" if ended else "#progress"
    if ended:
        response["HX-Retarget"], response["HX-Reswap"] = "#live", "outerHTML"
    return response
