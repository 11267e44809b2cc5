"""The settings and the one address of a Django without middlewares, by which the pages of the portal are measured."""

from django.http import HttpRequest, HttpResponse
from django.urls import path

from doiportal.settings import *  # noqa: F403 - the database, in which the web server says that it is alive

ROOT_URLCONF = __name__
MIDDLEWARE: list[str] = []
INSTALLED_APPS = ["django.contrib.auth", "django.contrib.contenttypes", "resolver"]


def empty(request: HttpRequest) -> HttpResponse:
    """Return nothing."""
    return HttpResponse(b"{}", content_type="application/json")


urlpatterns = [path("empty", empty)]
