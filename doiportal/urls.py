"""Every address of the portal begins here: accounts and stored rows, the REST face, the pages, then doi.org's own."""

from django.contrib import admin
from django.urls import include, path

urlpatterns = [
    path("admin/", admin.site.urls),
    path("api/v1/", include("resolver.api.urls")),
    path("", include("resolver.web.urls")),
    path("", include("resolver.gateway.urls")),
]

handler400 = "doiportal.faults.bad_request"
handler500 = "doiportal.faults.server_error"
