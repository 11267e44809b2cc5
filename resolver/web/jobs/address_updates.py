"""What to do about DOIs that don't lead to the expected page: files of new addresses, and texts for the agencies."""

import re
from collections.abc import Callable
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
from resolver.services.results.address_updates import NoExpectedAddresses
from resolver.services.results.agency_text import AgencyText, write_agency_text
from resolver.services.results.export import build_file_name
from resolver.web.jobs.access import get_visible_job_or_404
from resolver.web.jobs.charts import count_elsewhere
from resolver.web.jobs.downloads import refuse_file
from resolver.web.site.forms import get_csv_delimiter

_PREFIX = re.compile(r"10\.[0-9.]{1,50}", re.ASCII)


@require_safe
def show_address_updates(request: HttpRequest, pk: UUID) -> HttpResponseBase:
    """The prefixes and the agencies of the DOIs to correct."""

    def answer(job: Job) -> HttpResponse:
        counts = address_updates.count_updates(job)
        agencies = [(name, find_contact(name).both if name else "", rows) for name, rows in counts.by_agency]
        context = {
            "job": job,
            "counts": counts,
            "elsewhere": count_elsewhere(job),
            "uncompared": address_updates.count_uncompared(job),
            "prefixes": counts.by_prefix,
            "agencies": agencies,
        }
        return render(request, "jobs/address_updates.html", context)

    return _answer_audited(request, pk, answer)


@require_safe
def download_updates(request: HttpRequest, pk: UUID) -> HttpResponseBase:
    """The DOIs with their expected addresses as CSV; `?prefix=` for one prefix."""
    prefix = request.GET.get("prefix", "")
    if prefix and not _PREFIX.fullmatch(prefix):
        raise Http404
    delimiter = get_csv_delimiter(request)
    return _answer_audited(
        request, pk, lambda job: address_updates.build_updates_download(job, prefix=prefix, delimiter=delimiter)
    )


@require_safe
def show_agency_text(request: HttpRequest, pk: UUID) -> HttpResponseBase:
    """The text for the agency in `?ra=`, to copy."""

    def answer(job: Job) -> HttpResponse:
        name, text = _write_text(request, job)
        return render(request, "jobs/agency_text.html", {"job": job, "agency": name, "text": text})

    return _answer_audited(request, pk, answer)


@require_safe
def download_agency_text(request: HttpRequest, pk: UUID) -> HttpResponseBase:
    """The text for the agency in `?ra=` as a file."""

    def answer(job: Job) -> HttpResponseBase:
        _name, text = _write_text(request, job)
        return stream_file(
            build_file_name(job.filename, "for-agency", "txt"), "text/plain; charset=utf-8", [text.text.encode()]
        )

    return _answer_audited(request, pk, answer)


def _write_text(request: HttpRequest, job: Job) -> tuple[str, AgencyText]:
    name = request.GET.get("ra", "")
    rows = dict(address_updates.count_updates(job).by_agency).get(name, 0)
    if not name or not rows:
        raise Http404
    return name, write_agency_text(job, name, rows)


def _answer_audited(request: HttpRequest, pk: UUID, answer: Callable[[Job], HttpResponseBase]) -> HttpResponseBase:
    job = get_visible_job_or_404(request, pk)
    try:
        address_updates.ensure_audited(job)
        return answer(job)
    except JobStillRunning:
        why = _("We’re still checking this list. You can download files when it’s finished.")
    except NoExpectedAddresses:
        why = _("This list has no column with expected web addresses. Check it again and choose one.")
    return refuse_file(request, job, why, 409)
