"""Pages about the portal itself: what its answers mean, and whether it is alive."""

from django.contrib.auth.decorators import login_not_required
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from resolver.domain.problems import CATALOGUE
from resolver.web.wording import VERDICTS

_ORDER = {"error": 0, "warning": 1, "info": 2}


@require_safe
def about_verdicts(request: HttpRequest) -> HttpResponse:
    """What each outcome and each problem means."""
    verdicts = [(code, verdict) for code, verdict in VERDICTS.items() if code]
    entries = sorted(CATALOGUE.values(), key=lambda entry: (_ORDER.get(str(entry.severity), 3), entry.code))
    context = {"verdicts": verdicts, "entries": entries, "here": "help"}
    return render(request, "resolver/about_verdicts.html", context)


@login_not_required
@require_safe
def health(request: HttpRequest) -> HttpResponse:
    """200 when the web process answers and reaches its database; needs no login."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
        cursor.fetchone()
    return HttpResponse("ok", content_type="text/plain; charset=utf-8")
