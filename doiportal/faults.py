"""Faults that no view answers (a wrong Host header, a broken middleware): to programs in the API's own shape."""

from django.http import HttpRequest, HttpResponse
from django.views import defaults

from resolver.api import errors

API = "/api/v1/"


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Django's handler400."""
    if request.path.startswith(API):
        return errors.bad_request(request)
    return defaults.bad_request(request, exception)


def server_error(request: HttpRequest) -> HttpResponse:
    """Django's handler500."""
    if request.path.startswith(API):
        return errors.server_error(request)
    return defaults.server_error(request)
