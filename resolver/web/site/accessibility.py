"""The accessibility statement."""

from datetime import date

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from resolver import conf

STATED = date(2026, 11, 22)
"""When the statement was last compared with the tests."""


@login_not_required  # a barrier may be in front of the login
@require_safe
def show_accessibility(request: HttpRequest) -> HttpResponse:
    """What was done for accessibility, what was tested, and how to report a barrier."""
    context = {"stated": STATED, "contact": conf.contact_email()}
    return render(request, "site/accessibility.html", context)
