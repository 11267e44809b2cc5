"""Every address of the portal begins here: the REST face, then the pages."""

from django.urls import include, path

urlpatterns = [
    path("api/v1/", include("resolver.api.urls")),
    path("", include("resolver.web.urls")),
]
