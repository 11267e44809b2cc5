"""The portal's addresses, and some that fail as a portal may."""

import errno
from collections.abc import Callable

from django.db import OperationalError
from django.http import HttpRequest, HttpResponse
from django.urls import include, path

from doiportal import urls

handler400, handler500 = urls.handler400, urls.handler500


def failing(error: Exception) -> Callable[[HttpRequest], HttpResponse]:
    def view(request: HttpRequest) -> HttpResponse:
        raise error

    return view


urlpatterns = [
    path("broken/500", failing(ZeroDivisionError())),
    path("broken/503", failing(OperationalError("no connection"))),
    path("broken/507", failing(OSError(errno.ENOSPC, "full"))),
    path("", include("doiportal.urls")),
]
