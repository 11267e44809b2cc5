"""Errors outside the views (a full disk, no database, a wrong Host header), for programs in the form of doi.org."""

from django.http import HttpRequest, HttpResponse

from resolver.gateway.views import error_as_data
from resolver.services import storage_errors

DATA = ("/api/handles/", "/doiRA/", "/ra/")


def is_for_programs(request: HttpRequest) -> bool:
    """Return whether the address is one of the gateway's that answer in JSON."""
    return request.path_info.startswith(DATA)


def bad_request() -> HttpResponse:
    return error_as_data(400, "The request cannot be read.")


def server_error(error: BaseException | None) -> HttpResponse:
    """Return response code 2, and so HTTP 500 (A2), without internal details."""
    if storage_errors.is_full(error):
        return error_as_data(500, storage_errors.FULL)
    if storage_errors.is_away(error):
        return error_as_data(500, storage_errors.AWAY)
    return error_as_data(500, "Something went wrong on our side. It has been written to the log.")
