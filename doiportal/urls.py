"""Every address of the portal begins here: doi.org's, accounts, REST, reconciliation, then the pages."""

from django.contrib import admin
from django.urls import include, path
from django.views.generic import RedirectView

from doiportal import celery  # noqa: F401 - the app of the tasks that pages and REST start
from resolver.api.urls import NotFoundView
from resolver.gateway.urls import short_names

admin.autodiscover()

urlpatterns = [
    # First, since most requests may be for them; none of the portal's own begins like any of these.
    # Names as short as the portal's own come last.
    path("", include("resolver.gateway.urls")),
    # A password is changed in one place, where guesses at the current one are counted.
    path("admin/password_change/", RedirectView.as_view(pattern_name="password")),
    path("admin/", admin.site.urls),
    path("api/v1", NotFoundView.as_view()),  # without the slash, a program gets its 404 as JSON too
    path("api/v1/", include("resolver.api.urls")),
    path("", include("resolver.reconcile.urls")),
    path("", include("resolver.web.urls")),
    *short_names,
]

handler400 = "doiportal.error_views.bad_request"
handler500 = "doiportal.error_views.server_error"
