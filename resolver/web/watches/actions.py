"""What can be done with a watch: create, edit, run now, pause, resume, end; and with its rows: accept, withdraw."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.models import User
from django.forms import model_to_dict
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from resolver import conf, tasks
from resolver.models import Job, Watch, WatchedState
from resolver.services.accounts.owners import get_owner_for_reading
from resolver.services.jobs.lifecycle import JobStillRunning
from resolver.services.jobs.row_readings import compares_works
from resolver.services.storage.clock import read_clock
from resolver.services.watches import history, registration, row_states, runs
from resolver.services.watches.mail_addresses import find_address
from resolver.web.jobs.access import get_own_job_or_404
from resolver.web.watches.forms import AcceptanceForm, WatchForm, explain_refusal
from resolver.web.watches.views import get_own_watch_or_404


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def watch_list(request: HttpRequest, pk: UUID) -> HttpResponse:
    """The form for a watch of an ended list. A watched list redirects to its watch: a second click creates none."""
    job = get_own_job_or_404(request, pk)
    if not job.ended:
        messages.info(request, _("Wait until the check has ended. Then you can watch this list."))
        return redirect("job", pk=pk)
    if watch := history.find_watch_of_list(job):
        messages.info(request, _("You already watch this list."))
        return redirect("watch", pk=watch.pk)
    form = WatchForm(
        request.POST if request.method == "POST" else None,
        account=_get_account(request),
        can_compare=compares_works(job),
        initial={"compare": True},
    )
    if form.is_valid():
        try:
            watch = registration.create_watch(
                job,
                **form.get_wanted(),
                portal=request.build_absolute_uri("/"),
                language=get_language() or "en",
                now=read_clock(),
            )
        except registration.WatchRefused as refused:
            form.add_error(None, explain_refusal(refused.reason, job))
        except JobStillRunning:
            return redirect("job", pk=pk)
        else:
            messages.success(request, _("You’re watching this list. We’ll tell you when a DOI breaks."))
            return redirect("watch", pk=watch.pk)
    return _render(request, form, job, None)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def edit_watch(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Change what was decided about a watch. Another interval begins a new schedule."""
    watch = get_own_watch_or_404(request, pk)
    sent = request.POST if request.method == "POST" else None
    initial = model_to_dict(watch, ("name", "every", "depth", "compare", "mail", "webhook"))
    form = WatchForm(sent, account=_get_account(request), can_compare=compares_works(watch.job), initial=initial)
    if form.is_valid():
        try:
            registration.update_watch(watch, form.get_wanted(), now=read_clock())
        except registration.WatchRefused as refused:
            form.add_error(None, explain_refusal(refused.reason, watch.job))
        else:
            messages.success(request, _("Your changes are saved."))
            return redirect("watch", pk=pk)
    return _render(request, form, watch.job, watch)


def _render(request: HttpRequest, form: WatchForm, job: Job, watch: Watch | None) -> HttpResponse:
    context: dict[str, Any] = {"form": form, "job": job, "watch": watch, "sends_mail": conf.sends_mail()}
    context["mail_address"] = find_address(get_owner_for_reading(request))
    return render(request, "watches/form.html", context, status=422 if form.errors else 200)


def _get_account(request: HttpRequest) -> User | None:
    return request.user if request.user.is_authenticated else None


@require_POST
def run_now(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Start a run now, unless one is under way. A paused watch resumes."""
    watch = get_own_watch_or_404(request, pk)
    if runs.find_open_run(watch):
        messages.info(request, _("This list is being checked. The result will appear on this page."))
    else:
        runs.run_soon(watch, read_clock())
        tasks.start_watches()
        messages.success(request, _("The check is starting. Refresh this page in a moment to see it."))
    return redirect("watch", pk=pk)


@require_POST
def pause_or_resume(request: HttpRequest, pk: UUID, *, paused: bool) -> HttpResponse:
    """Start no more runs until the watch is resumed, or resume the schedule."""
    registration.update_watch(get_own_watch_or_404(request, pk), {"paused": paused}, now=read_clock())
    if paused:
        messages.success(request, _("This watch is paused. No checks start until you resume it."))
    else:
        messages.success(request, _("The watch is running again."))
    return redirect("watch", pk=pk)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def end_watch(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Ask first, then end the watch. Its lists stay until they are as old as other lists may become."""
    watch = get_own_watch_or_404(request, pk)
    if request.method != "POST":
        keep = conf.retention_period()
        context = {
            "watch": watch,
            "lists": runs.KEPT_LISTS,
            "keep_days": keep.days if keep else 0,
            "outlived": keep is not None and (watch.job.finished_at or watch.job.created_at) < read_clock() - keep,
        }
        return render(request, "watches/confirm_end.html", context)
    registration.delete_watch(watch, now=read_clock())
    messages.success(request, _("The watch has ended."))
    return redirect("watches")


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def accept_row(request: HttpRequest, pk: UUID, line: int) -> HttpResponse:
    """Accept a broken row as it is, with a note; it isn't reported until it changes."""
    watch = get_own_watch_or_404(request, pk)
    form = AcceptanceForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        if row_states.accept_row(watch, line, form.cleaned_data["note"]):
            messages.success(request, _("The row is accepted as it is. We’ll tell you if it changes."))
        else:
            messages.info(request, _("This row isn’t broken, so there is nothing to accept."))
        return redirect("watch", pk=pk)
    found = history.read_known_rows(watch, list(registration.find_rows(watch, *WatchedState).filter(line=line)))
    context = {"watch": watch, "line": line, "known": found[0] if found else None, "form": form}
    return render(request, "watches/accept.html", context, status=422 if form.errors else 200)


@require_POST
def withdraw_acceptance(request: HttpRequest, pk: UUID, line: int) -> HttpResponse:
    """Count an accepted row among the broken ones again."""
    watch = get_own_watch_or_404(request, pk)
    if row_states.withdraw_acceptance(watch, line):
        messages.success(request, _("The row counts as broken again."))
    return redirect("watch", pk=pk)
