"""What to do about DOIs that don't lead to the expected page: files of new addresses, and texts for the agencies."""

import re
from collections.abc import Iterator, Mapping, Sequence

from django.contrib.humanize.templatetags.humanize import intcomma
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from resolver.domain.agencies.agency_contacts import find_contact
from resolver.domain.report.row_task import RowTask
from resolver.domain.report.target import Target
from resolver.models import Job, Row
from resolver.services.http.downloads import stream_file
from resolver.services.results import address_updates
from resolver.services.results.address_updates import UNREGISTERED, AgencyText, write_agency_text
from resolver.services.results.export import build_file_name
from resolver.services.results.row_numbers import number_rows
from resolver.services.results.row_queries import RowFilter, find_line_numbers
from resolver.services.results.task_counts import count_tasks
from resolver.web.jobs.downloads import pass_visible_job
from resolver.web.jobs.expected_address import split_addresses
from resolver.web.site.form_fields import get_csv_delimiter

ROWS_SHOWN = 20
_PREFIX = re.compile(r"10\.[0-9.]{1,50}", re.ASCII)


@require_safe
@pass_visible_job
def show_address_updates(request: HttpRequest, job: Job) -> HttpResponse:
    """The first rows that lead elsewhere, and the prefixes and agencies of the DOIs to correct."""
    address_updates.ensure_audited(job)
    counts = address_updates.count_updates(job)
    context = {
        "job": job,
        "rows_elsewhere": count_tasks(job)[RowTask.ELSEWHERE],
        "rows": [(row, *split_addresses(job, row)) for row in _list_first_rows(job)],
        "counts": counts,
        "kinds": list(_list_kinds(counts.by_kind)),
        "unregistered": counts.by_kind.get(UNREGISTERED, 0),
        "uncompared": address_updates.count_uncompared(job),
        "prefixes": counts.by_prefix,
        "agencies": [(name, find_contact(name).both if name else "", rows) for name, rows in counts.by_agency],
    }
    return render(request, "jobs/address_updates.html", context)


def _list_kinds(by_kind: Mapping[str, int]) -> Iterator[str]:
    """How many of the DOIs to correct lead where."""
    other, page, nowhere = (by_kind.get(each, 0) for each in (Target.OTHER_HOST, Target.SAME_HOST, Target.NO_ADDRESS))
    sentences = (
        (ngettext("%(dois)s leads to another site", "%(dois)s lead to another site", other), other),
        (
            ngettext(
                "%(dois)s leads to another page of the expected site",
                "%(dois)s lead to another page of the expected site",
                page,
            ),
            page,
        ),
        (ngettext("%(dois)s leads nowhere", "%(dois)s lead nowhere", nowhere), nowhere),
    )
    return (sentence % {"dois": intcomma(dois)} for sentence, dois in sentences if dois)


def _list_first_rows(job: Job) -> Sequence[Row]:
    rows = Row.objects.filter(job=job)
    lines = find_line_numbers(job, RowFilter(task=RowTask.ELSEWHERE), rows.order_by("line"), ROWS_SHOWN)
    return number_rows(job, list(rows.filter(line__in=lines).order_by("line")))


@require_safe
@pass_visible_job
def download_updates(request: HttpRequest, job: Job) -> HttpResponseBase:
    """The DOIs with their expected addresses as CSV; `?prefix=` for one prefix."""
    prefix = request.GET.get("prefix", "")
    if prefix and not _PREFIX.fullmatch(prefix):
        raise Http404
    address_updates.ensure_audited(job)
    return address_updates.build_updates_download(job, prefix=prefix, delimiter=get_csv_delimiter(request))


@require_safe
@pass_visible_job
def show_agency_text(request: HttpRequest, job: Job) -> HttpResponse:
    """The text for the agency in `?ra=`, to copy."""
    name, text = _write_text(request, job)
    return render(request, "jobs/agency_text.html", {"job": job, "agency": name, "text": text})


@require_safe
@pass_visible_job
def download_agency_text(request: HttpRequest, job: Job) -> HttpResponseBase:
    """The text for the agency in `?ra=` as a file."""
    _name, text = _write_text(request, job)
    name = build_file_name(job.filename, "for-agency", "txt")
    return stream_file(name, "text/plain; charset=utf-8", [text.text.encode()])


def _write_text(request: HttpRequest, job: Job) -> tuple[str, AgencyText]:
    address_updates.ensure_audited(job)
    name = request.GET.get("ra", "")
    rows = dict(address_updates.count_updates(job).by_agency).get(name, 0)
    if not name or not rows:
        raise Http404
    return name, write_agency_text(job, name, rows)
