"""The addresses of doi.org. Those that could also be a page of the portal come after its pages."""

from django.urls import re_path

from resolver.gateway import views

# Possible prefixes of a handle: `10.1000`, `10`, `20.500.12592`, `0.NA`, `10.SERV`. Anything else is not a name.
PREFIX = r"[0-9]+(?:\.[0-9A-Za-z_-]+)*(?:/|\Z)"
LABEL = "(?:[Uu][Rr][Nn]:)?[Dd][Oo][Ii]:|[Ii][Nn][Ff][Oo]:[Dd][Oo][Ii]/"

# The views read the rest from the raw request.
urlpatterns = [
    re_path(r"^api/handles/", views.record, name="gateway-record"),
    re_path(r"^(?:doiRA|ra)/", views.agencies, name="gateway-agencies"),
    re_path(f"^(?:{LABEL}|{PREFIX})", views.redirect, name="gateway-redirect"),
]

# These come after all pages of the portal, because page names may be as short.
short_names = [re_path(r"^[A-Za-z0-9]{3,8}\Z", views.redirect_short, name="gateway-short")]
