"""Faults that no view answers (a full disk, no database, a wrong Host header), told to programs as doi.org would."""

from django.http import HttpRequest, HttpResponse

from resolver.gateway.views import told_as_data
from resolver.services import outages

DATA = ("/api/handles/", "/doiRA/", "/ra/")


def is_for_programs(request: HttpRequest) -> bool:
    """Whether whoever asked this of the gateway expects JSON."""
    return request.path_info.startswith(DATA)


def bad_request() -> HttpResponse:
    return told_as_data(400, "The request cannot be read.")


def server_error(error: BaseException | None) -> HttpResponse:
    """Response code 2 and so HTTP 500 (A2), and nothing from inside."""
    if outages.is_full(error):
        return told_as_data(500, outages.FULL)
    if outages.is_away(error):
        return told_as_data(500, outages.AWAY)
    return told_as_data(500, "Something went wrong on our side. It has been written to the log.")
