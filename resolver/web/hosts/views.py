"""The hosts of a list: a check is started, its verdicts are shown and downloaded."""

from dataclasses import replace
from typing import Any
from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from resolver import tasks
from resolver.domain.redirect.web_host import FAULTS, HostCode
from resolver.models import HostCheck, Job
from resolver.services.hosts.check import HostChecksOff, NoHosts, filter_pending, may_have_hosts, start_host_check
from resolver.services.hosts.results import (
    COLUMNS,
    ORDER,
    count_verdicts,
    find_host_check,
    find_hosts,
    iterate_host_lines,
)
from resolver.services.http.downloads import build_csv_download
from resolver.services.jobs.lifecycle import JobStillRunning
from resolver.services.results.export import build_file_name
from resolver.services.storage.clock import read_clock
from resolver.services.storage.keyset import read_page
from resolver.web.jobs.access import get_own_job_or_404, get_visible_job_or_404, is_mine, raise_404_if_gone
from resolver.web.site.form_fields import get_csv_delimiter
from resolver.web.site.page_edge import parse_page_edge
from resolver.web.site.polling import answer_poll, is_poll, stop_polling
from resolver.web.wording.labels import HOST_LABELS

HOSTS_ON_PAGE = 100
SEEN = set(HostCode) - {HostCode.NO_SUCH_HOST, HostCode.NO_ANSWER, HostCode.NOT_CONTACTED, HostCode.UNCHECKED}


@never_cache
@require_safe
def show_hosts(request: HttpRequest, pk: UUID) -> HttpResponse:
    """The hosts with the verdicts so far, or why there are none."""
    polled = is_poll(request)
    try:
        job = get_visible_job_or_404(request, pk)
    except Http404:
        if polled:
            return stop_polling(request)
        raise
    check = find_host_check(job)
    context: dict[str, Any] = {
        "job": job,
        "mine": is_mine(request, job),
        "allowed": settings.HOST_CHECKS,
        "check": check,
        "polled": polled,
        "nothing": job.ended and not may_have_hosts(job),
    }
    if check is not None:
        context |= _build_check_context(request, job, check)
    response = render(request, "hosts/page.html", context)
    under_way = check is not None and not check.done and settings.HOST_CHECKS
    return answer_poll(response, ended=not under_way) if polled else response


@require_POST
def start_check(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Start the check of the hosts; a second click changes nothing."""
    job = get_own_job_or_404(request, pk)
    try:
        with raise_404_if_gone():
            start_host_check(job, now=read_clock())
        tasks.start_host_checks()
    except JobStillRunning:
        messages.info(request, _("We’re still checking this list. You can check its hosts when it’s finished."))
    except NoHosts:
        messages.info(request, _("No row of this list has a web address, so there are no hosts to check."))
    except HostChecksOff:
        messages.error(request, _("This portal doesn’t check hosts."))
    return redirect("job-hosts", pk=pk)


@require_safe
def download_checked_hosts(request: HttpRequest, pk: UUID) -> HttpResponseBase:
    """The hosts with their verdicts as CSV, all or those with a fault."""
    job = get_visible_job_or_404(request, pk)
    check = find_host_check(job)
    if check is None or not check.collected:
        return redirect("job-hosts", pk=pk)
    lines = iterate_host_lines(check, faulty=_wants_faulty(request))
    name = build_file_name(job.filename, "checked-hosts")
    return build_csv_download(name, COLUMNS, lines, delimiter=get_csv_delimiter(request))


def _build_check_context(request: HttpRequest, job: Job, check: HostCheck) -> dict[str, Any]:
    counts, faulty = count_verdicts(check), _wants_faulty(request)
    page = read_page(find_hosts(check, faulty=faulty), ORDER, parse_page_edge(request.GET), HOSTS_ON_PAGE)
    faults = sum(counts.get(code, 0) for code in FAULTS)
    # If no host of several was seen, the fault is probably the portal's network: then no result is red.
    none_seen = faults >= 3 and not any(counts.get(code) for code in SEEN)
    labels = {code: replace(each, tone="unknown") if none_seen else each for code, each in HOST_LABELS.items()}
    done = check.hosts - filter_pending(check).count() if check.collected and not check.done else 0
    return {
        "done": done,
        "percent": _compute_percent(job, check, done),
        "is_earlier": check.job_ended != (job.finished_at or job.created_at),
        "verdicts": [(code, label, counts[code]) for code, label in labels.items() if counts.get(code)],
        "page": page,
        "hosts": [(host, labels[host.verdict]) for host in page.items],
        "shown": faults if faulty else check.hosts,
        "faults": faults,
        "none_seen": none_seen,
        "faulty": faulty,
    }


def _compute_percent(job: Job, check: HostCheck, done: int) -> int:
    """How much of a check under way is done: collecting the hosts is a tenth of it."""
    if not check.collected:
        return 10 * (check.collected_up_to or 0) // max(job.total, 1)
    return min(99, 10 + 90 * done // max(check.hosts, 1))


def _wants_faulty(request: HttpRequest) -> bool:
    return request.GET.get("faults") == "1"
