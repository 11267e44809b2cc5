"""All addresses of the portal, and a view that does nothing beside them."""

from django.http import HttpRequest, HttpResponse
from django.urls import include, path


def empty(request: HttpRequest) -> HttpResponse:
    return HttpResponse(b"{}", content_type="application/json")


urlpatterns = [path("measured/empty", empty), path("", include("doiportal.urls"))]
