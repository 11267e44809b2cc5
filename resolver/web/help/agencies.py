"""The page of the Registration Agencies: who answers for a DOI, and where to report one (R6)."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from resolver.domain.tables.agency_contacts import CONTACTS, LIST


@require_safe
def show(request: HttpRequest) -> HttpResponse:
    """Every agency by the name that results give it."""
    return render(request, "help/agencies.html", {"agencies": CONTACTS.values(), "list": LIST, "here": "help"})
