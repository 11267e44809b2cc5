"""The answers for programs that monitor the portal: whether it is alive and can work, and metrics for Prometheus."""

from collections.abc import Iterable
from http import HTTPStatus
from ipaddress import ip_address
from pathlib import Path
from typing import cast

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.utils.crypto import constant_time_compare
from django.views.decorators.http import require_safe
from prometheus_client import CollectorRegistry, Metric, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from resolver.services.health.figures import PortalFigures
from resolver.services.health.readiness import check_parts, measure_uptime
from resolver.services.maintenance.operation import find_stuck_lists
from resolver.services.proxy_answers.configured_proxy import proxy_from_settings
from resolver.services.storage.clock import read_clock

_FORWARDED = ("x-forwarded-", "x-real-ip", "forwarded", "via")  # beginnings


@login_not_required
@require_safe
def show_metrics(request: HttpRequest) -> HttpResponse:
    """Return the counts of all processes and the figures of this moment. 404 for strangers."""
    if not (_has_token(request) or _is_from_this_machine(request)):
        raise Http404
    registry = CollectorRegistry()
    registry.register(_CountsOfAllProcesses())
    now = read_clock()
    registry.register(PortalFigures(proxy_from_settings(), now, find_stuck_lists(now)))
    return HttpResponse(generate_latest(registry), content_type=CONTENT_TYPE_PLAIN_0_0_4)


class _CountsOfAllProcesses(Collector):
    """The counts of the processes that share the folder, those that have ended included."""

    def collect(self) -> Iterable[Metric]:
        folder = settings.METRICS_DIR
        if not folder:
            return ()
        # A process that was killed while it began its file leaves an empty one, which the library can't read:
        # https://github.com/prometheus/client_python/issues/1199
        files = [str(path) for path in Path(folder).glob("*.db") if path.stat().st_size]
        return cast(Iterable[Metric], MultiProcessCollector.merge(files))


def _has_token(request: HttpRequest) -> bool:
    wanted = settings.METRICS_TOKEN
    return bool(wanted) and constant_time_compare(request.headers.get("Authorization", ""), f"Bearer {wanted}")


def _is_from_this_machine(request: HttpRequest) -> bool:
    """A server on this machine that hands on requests of others says so."""
    address = request.META["REMOTE_ADDR"]
    is_forwarded = any(name.lower().startswith(_FORWARDED) for name in request.headers)
    return bool(address) and not is_forwarded and ip_address(address).is_loopback


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
