"""The addresses of doi.org. Those that could also be a page of the portal come after its pages."""

import re

from django.urls import re_path

from resolver.domain.handle.names_in_path import LABEL, PREFIX
from resolver.gateway import views

# Django reverses addresses, and knows no flags inside a pattern.
_IN_ANY_CASE = re.sub("[a-z]", lambda letter: f"[{letter[0].upper()}{letter[0]}]", LABEL)

# Slashes before the path are dropped, as at doi.org. The views read the rest from the raw request.
urlpatterns = [
    re_path(r"^/*api/handles/", views.record, name="gateway-record"),
    re_path(r"^(?:doiRA|ra)/", views.agencies, name="gateway-agencies"),
    re_path(rf"^/*(?:{_IN_ANY_CASE}|{PREFIX}(?:/|\Z))", views.redirect, name="gateway-redirect"),
]

# These come after all pages of the portal, because page names may be as short.
short_names = [re_path(r"^/*[A-Za-z0-9]{3,8}\Z", views.redirect_short, name="gateway-short")]
