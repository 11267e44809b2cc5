"""Pages about the portal itself: how accessible it is, and whether it is alive."""

from datetime import date

from django.contrib.auth.decorators import login_not_required
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from resolver import conf

STATED = date(2026, 11, 22)
"""When the accessibility statement was last held against what the tests do."""


@login_not_required  # a barrier may stand before the login
@require_safe
def accessibility(request: HttpRequest) -> HttpResponse:
    """What was done for accessibility, what was tested and what was not, and whom to tell of a barrier."""
    context = {"stated": STATED, "contact": conf.contact_email(), "here": "accessibility"}
    return render(request, "site/accessibility.html", context)


@login_not_required
@require_safe
def health(request: HttpRequest) -> HttpResponse:
    """200 when the web process answers and reaches its database; needs no login."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
        cursor.fetchone()
    return HttpResponse("ok", content_type="text/plain; charset=utf-8")
