"""What to do about DOIs that don't lead to the expected page: files of new addresses, and texts for the agencies."""

from collections.abc import Callable
from typing import Any, cast
from uuid import UUID

from django import forms
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from resolver.domain.tables.agency_contacts import contact
from resolver.models import Job
from resolver.services.downloads import stream_file
from resolver.services.jobs.lifecycle import JobStillRunning
from resolver.services.results import address_updates
from resolver.services.results.address_updates import NoExpectedAddresses
from resolver.services.results.agency_text import AgencyText, write_agency_text
from resolver.services.results.export import build_file_name
from resolver.web.jobs.access import get_visible_job_or_404
from resolver.web.jobs.downloads import refuse_file
from resolver.web.site.forms import get_csv_delimiter

LONGEST_PREFIX = 50


class CrossrefForm(forms.Form):
    """What Crossref's file needs beside the addresses."""

    doi_prefix = forms.ChoiceField(label=gettext_lazy("Prefix"))
    email = forms.EmailField(
        label=gettext_lazy("Your email address"),
        max_length=200,
        help_text=gettext_lazy("Crossref sends its report to this address. We put it into the file and don’t keep it."),
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
    )

    def __init__(self, *args: Any, prefixes: list[tuple[str, int]], **options: Any) -> None:
        super().__init__(*args, **options)
        field = cast("forms.ChoiceField", self.fields["doi_prefix"])
        field.choices = [(name, name) for name, _rows in prefixes]


@require_http_methods(["GET", "HEAD", "POST"])
def show(request: HttpRequest, pk: UUID) -> HttpResponseBase:
    """The prefixes and the agencies of the DOIs to correct. A POST returns the file for Crossref."""
    return _answer(request, pk, lambda job: _show(request, job))


def _show(request: HttpRequest, job: Job) -> HttpResponseBase:
    counts = address_updates.count_updates(job)
    form = CrossrefForm(request.POST if request.method == "POST" else None, prefixes=counts.of_crossref)
    if form.is_valid():
        prefix, email = form.cleaned_data["doi_prefix"], form.cleaned_data["email"]
        return address_updates.build_crossref_download(job, prefix=prefix, email=email)
    context = {
        "job": job,
        "prefixes": counts.by_prefix,
        "agencies": [(name, contact(name).both if name else "", rows) for name, rows in counts.by_agency],
        "form": form if counts.of_crossref else None,
    }
    return render(request, "jobs/address_updates.html", context, status=422 if form.errors else 200)


@require_safe
def download_updates(request: HttpRequest, pk: UUID) -> HttpResponseBase:
    """The DOIs with their expected addresses as CSV; `?prefix=` for one prefix."""
    prefix = request.GET.get("prefix", "")[:LONGEST_PREFIX]
    delimiter = get_csv_delimiter(request)
    return _answer(
        request, pk, lambda job: address_updates.build_updates_download(job, prefix=prefix, delimiter=delimiter)
    )


@require_safe
def show_agency_text(request: HttpRequest, pk: UUID) -> HttpResponseBase:
    """The text for the agency in `?ra=`, to copy."""

    def answer(job: Job) -> HttpResponse:
        name, text = _text(request, job)
        return render(request, "jobs/agency_text.html", {"job": job, "agency": name, "text": text})

    return _answer(request, pk, answer)


@require_safe
def download_agency_text(request: HttpRequest, pk: UUID) -> HttpResponseBase:
    """The text for the agency in `?ra=` as a file."""

    def answer(job: Job) -> HttpResponseBase:
        _name, text = _text(request, job)
        return stream_file(
            build_file_name(job.filename, "for-agency", "txt"), "text/plain; charset=utf-8", [text.text.encode()]
        )

    return _answer(request, pk, answer)


def _text(request: HttpRequest, job: Job) -> tuple[str, AgencyText]:
    name = request.GET.get("ra", "")
    rows = dict(address_updates.count_updates(job).by_agency).get(name, 0)
    if not name or not rows:
        raise Http404
    return name, write_agency_text(job, name, rows)


def _answer(request: HttpRequest, pk: UUID, answer: Callable[[Job], HttpResponseBase]) -> HttpResponseBase:
    job = get_visible_job_or_404(request, pk)
    try:
        address_updates.ensure_audited(job)
        return answer(job)
    except JobStillRunning:
        why = _("We’re still checking this list. You can download files when it’s finished.")
    except NoExpectedAddresses:
        why = _("This list has no column with expected web addresses. Check it again and choose one.")
    return refuse_file(request, job, why, 409)
