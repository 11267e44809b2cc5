"""The answers for programs that monitor the portal: is the web server alive, and can the portal work?"""

from http import HTTPStatus

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_safe

from resolver.services.health.readiness import check_parts, measure_uptime
from resolver.services.proxy_answers.configured_proxy import proxy_from_settings
from resolver.services.storage.clock import read_clock


@login_not_required
@require_safe
def show_alive(request: HttpRequest) -> HttpResponse:
    """Return 200. It needs nothing but the web server, because a restart of that would repair nothing else."""
    return HttpResponse("ok", content_type="text/plain; charset=utf-8")


@login_not_required
@require_safe
def show_readiness(request: HttpRequest) -> HttpResponse:
    """Return 200, or 503 if a part of the portal can't work, and as JSON what is wrong with which."""
    parts = check_parts(proxy_from_settings(), now=read_clock(), uptime=measure_uptime())
    ready = all(part.is_ready for part in parts)
    details = {part.name: {"ready": part.is_ready, "detail": part.trouble} for part in parts}
    return JsonResponse(
        {"ready": ready, "parts": details}, status=HTTPStatus.OK if ready else HTTPStatus.SERVICE_UNAVAILABLE
    )
