"""What to do about DOIs that don't lead to the expected page: files of new addresses, and texts for the agencies."""

import re
from collections.abc import Callable
from functools import wraps
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from resolver.domain.agencies.agency_contacts import find_contact
from resolver.models import Job
from resolver.services.http.downloads import stream_file
from resolver.services.jobs.lifecycle import JobStillRunning
from resolver.services.results import address_updates
from resolver.services.results.address_updates import AgencyText, NoExpectedAddresses, write_agency_text
from resolver.services.results.export import build_file_name
from resolver.web.jobs.access import get_visible_job_or_404
from resolver.web.jobs.charts import count_elsewhere
from resolver.web.jobs.downloads import refuse_file
from resolver.web.site.forms import get_csv_delimiter

_PREFIX = re.compile(r"10\.[0-9.]{1,50}", re.ASCII)


def _for_compared_list(
    view: Callable[[HttpRequest, Job], HttpResponseBase],
) -> Callable[[HttpRequest, UUID], HttpResponseBase]:
    """Pass the list to the view once its expected addresses are compared; else answer with a page that says why not."""

    @wraps(view)
    def answer(request: HttpRequest, pk: UUID) -> HttpResponseBase:
        job = get_visible_job_or_404(request, pk)
        try:
            address_updates.ensure_audited(job)
            return view(request, job)
        except JobStillRunning:
            why = _("We’re still checking this list. You can download files when it’s finished.")
        except NoExpectedAddresses:
            why = _("This list has no column with expected web addresses. Check it again and choose one.")
        return refuse_file(request, job, why, 409)

    return answer


@require_safe
@_for_compared_list
def show_address_updates(request: HttpRequest, job: Job) -> HttpResponse:
    """The prefixes and the agencies of the DOIs to correct."""
    counts = address_updates.count_updates(job)
    context = {
        "job": job,
        "counts": counts,
        "elsewhere": count_elsewhere(job),
        "uncompared": address_updates.count_uncompared(job),
        "prefixes": counts.by_prefix,
        "agencies": [(name, find_contact(name).both if name else "", rows) for name, rows in counts.by_agency],
    }
    return render(request, "jobs/address_updates.html", context)


@require_safe
def download_updates(request: HttpRequest, pk: UUID) -> HttpResponseBase:
    """The DOIs with their expected addresses as CSV; `?prefix=` for one prefix."""
    prefix = request.GET.get("prefix", "")
    if prefix and not _PREFIX.fullmatch(prefix):
        raise Http404
    return _build_updates_download(request, pk)


@_for_compared_list
def _build_updates_download(request: HttpRequest, job: Job) -> HttpResponseBase:
    prefix, delimiter = request.GET.get("prefix", ""), get_csv_delimiter(request)
    return address_updates.build_updates_download(job, prefix=prefix, delimiter=delimiter)


@require_safe
@_for_compared_list
def show_agency_text(request: HttpRequest, job: Job) -> HttpResponse:
    """The text for the agency in `?ra=`, to copy."""
    name, text = _write_text(request, job)
    return render(request, "jobs/agency_text.html", {"job": job, "agency": name, "text": text})


@require_safe
@_for_compared_list
def download_agency_text(request: HttpRequest, job: Job) -> HttpResponseBase:
    """The text for the agency in `?ra=` as a file."""
    _name, text = _write_text(request, job)
    name = build_file_name(job.filename, "for-agency", "txt")
    return stream_file(name, "text/plain; charset=utf-8", [text.text.encode()])


def _write_text(request: HttpRequest, job: Job) -> tuple[str, AgencyText]:
    name = request.GET.get("ra", "")
    rows = dict(address_updates.count_updates(job).by_agency).get(name, 0)
    if not name or not rows:
        raise Http404
    return name, write_agency_text(job, name, rows)
