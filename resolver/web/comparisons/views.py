"""Two lists side by side: checked again, chosen, compared, downloaded."""

import time
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from resolver import tasks
from resolver.domain.report.change import Change
from resolver.models import Comparison, Job
from resolver.services.accounts.owners import get_owner_for_reading
from resolver.services.accounts.quotas import QuotaReached
from resolver.services.comparisons import compare, export, reruns
from resolver.services.http.downloads import build_csv_download
from resolver.services.jobs.job_search import find_jobs
from resolver.services.jobs.lifecycle import JobStillRunning
from resolver.services.proxy_answers.configured_proxy import proxy_from_settings
from resolver.services.results.export import build_file_name
from resolver.services.storage.clock import read_clock
from resolver.services.storage.leases import TURN_SECONDS
from resolver.services.uploads.daily_upload_bytes import UploadLimitReached, count_upload
from resolver.services.uploads.stored_uploads import FileIsGone, measure_upload
from resolver.web.comparisons.compared_rows import read_compared_rows
from resolver.web.comparisons.page_context import build_comparison_context
from resolver.web.jobs.access import get_own_job_or_404, get_visible_job_or_404, raise_404_if_gone
from resolver.web.site.form_fields import get_csv_delimiter
from resolver.web.site.polling import answer_poll, is_poll, stop_polling
from resolver.web.wording.translate_message import translate_message


@require_POST
def start_rerun(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Start another run of the same file; a second click leads to the run that the first one started."""
    job = get_own_job_or_404(request, pk)
    try:
        with raise_404_if_gone(), count_upload(request, measure_upload(job.upload)):
            run = reruns.create_rerun(job, proxy=proxy_from_settings(), now=read_clock())
    except JobStillRunning as running:
        messages.info(request, _("We’re already checking this list."))
        return redirect("job", pk=running.job.pk)
    except (FileIsGone, FileNotFoundError):
        messages.error(request, _("The uploaded file is no longer available. Upload it again."))
        return redirect("job", pk=pk)
    except (QuotaReached, UploadLimitReached) as error:
        messages.error(request, translate_message(str(error)))
        return redirect("job", pk=pk)
    tasks.enqueue_job(run)
    return redirect("job", pk=run.pk)


@require_safe
def redirect_to_comparison(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Redirect to the comparison with the list in `?with=`, else with the run that the list's page offers first."""
    job = get_own_job_or_404(request, pk)
    other: Job | None
    try:
        others = find_jobs(get_owner_for_reading(request)).exclude(pk=job.pk)
        if "with" in request.GET:
            other = others.filter(pk=request.GET["with"]).first()
        else:
            other = reruns.choose_run_to_compare(reruns.find_other_runs(job)[: reruns.MOST_OFFERED], job)
    except ValidationError:  # not the id of a list
        other = None
    if other is None:
        messages.error(request, _("Choose a list to compare with."))
        return redirect("job", pk=pk)
    return redirect("job-compare", pk=pk, other=other.pk)


@never_cache
@require_safe
def show_comparison(request: HttpRequest, pk: UUID, other: UUID) -> HttpResponse:
    """What changed from the older list to the newer. Short lists are compared now, others by a worker."""
    polled = is_poll(request)
    try:
        before, after = _get_both(request, pk, other)
    except Http404:
        if polled:
            return stop_polling(request)
        raise
    if before.pk != pk:
        return redirect("job-compare", pk=before.pk, other=after.pk)
    context: dict[str, Any] = {"before": before, "after": after, "polled": polled}
    try:
        with raise_404_if_gone():
            comparison = _compare(before, after)
    except JobStillRunning:
        return render(request, "comparisons/not_ready.html", context, status=409)
    if comparison.done:
        kind, template = _read_kind(request), "comparisons/detail.html"
        context |= build_comparison_context(comparison, before, after, kind)
        context |= {"page": read_compared_rows(comparison, kind, request), "comparison": comparison}
    else:
        compared, all_rows = sum(comparison.counts.values()), max(before.total, after.total, 1)
        context["percent"], template = min(99, 100 * compared // all_rows), "comparisons/progress.html"
    response = render(request, template, context)
    return answer_poll(response, ended=comparison.done) if polled else response


@require_safe
def download_csv(request: HttpRequest, pk: UUID, other: UUID) -> HttpResponseBase:
    """Send all differences, or those of one kind, as CSV with both results."""
    before, after = _get_both(request, pk, other)
    try:
        with raise_404_if_gone():
            comparison: Comparison | None = _compare(before, after)
    except JobStillRunning:
        comparison = None
    if comparison is None or not comparison.done:
        return redirect("job-compare", pk=before.pk, other=after.pk)
    kind = _read_kind(request)
    columns, lines = export.list_columns(comparison), export.iterate_lines(comparison, kind)
    name = build_file_name(after.filename, kind or "changes")
    return build_csv_download(name, columns, lines, delimiter=get_csv_delimiter(request))


def _get_both(request: HttpRequest, pk: UUID, other: UUID) -> tuple[Job, Job]:
    """Return two lists of one owner that the requester may see, the older one first. Raises Http404."""
    one, two = get_visible_job_or_404(request, pk), get_visible_job_or_404(request, other)
    if one.pk == two.pk or one.owner != two.owner:
        raise Http404
    return compare.order_runs(one, two)


def _compare(before: Job, after: Job) -> Comparison:
    """Return the comparison, which may not be finished. Raises JobStillRunning."""
    now = read_clock()
    comparison = compare.get_or_create_comparison(before, after, now=now)
    if not comparison.done and not compare.is_claimed(comparison, now):
        if compare.is_small(before, after):
            compare.advance_comparison(comparison.pk, until=time.monotonic() + TURN_SECONDS)
            comparison.refresh_from_db()
        else:
            tasks.start_comparisons()
    comparison.before, comparison.after = before, after  # saves two queries
    return comparison


def _read_kind(request: HttpRequest) -> str:
    """Return the kind in the address; "" for anything else."""
    kind = request.GET.get("kind", "")
    return kind if kind in set(Change) - {Change.UNCHANGED} else ""
