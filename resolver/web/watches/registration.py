"""The form of a watch: made from the page of a list, and changed later."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from resolver import conf
from resolver.models import Job, Watch
from resolver.services.accounts.owners import get_owner_for_reading
from resolver.services.jobs.lifecycle import JobStillRunning
from resolver.services.storage.clock import read_clock
from resolver.services.watches import history, registration
from resolver.services.watches.mail_addresses import find_address
from resolver.web.jobs.access import get_own_job_or_404
from resolver.web.watches.access import get_own_watch_or_404
from resolver.web.watches.forms import WatchForm, explain_refusal, get_initial


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def create(request: HttpRequest, pk: UUID) -> HttpResponse:
    """The form for a watch of a list that has ended. A watched list redirects to its watch, so a second click doesn't
    create a second one."""
    job = get_own_job_or_404(request, pk)
    if not job.ended:
        messages.info(request, _("Wait until the check has ended. Then you can watch this list."))
        return redirect("job", pk=pk)
    if watch := history.find_watch_of_list(job):
        messages.info(request, _("You already watch this list."))
        return redirect("watch", pk=watch.pk)
    form = WatchForm(request.POST if request.method == "POST" else None, account=_get_account(request))
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
            messages.success(request, _("You watch this list. We tell you when something changes."))
            return redirect("watch", pk=watch.pk)
    return _render(request, form, job, None)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def edit(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Change what was decided about a watch. Only what differs is changed: another interval begins a new schedule."""
    watch = get_own_watch_or_404(request, pk)
    sent = request.POST if request.method == "POST" else None
    form = WatchForm(sent, account=_get_account(request), initial=get_initial(watch))
    if form.is_valid():
        changes = {name: value for name, value in form.get_wanted().items() if getattr(watch, name) != value}
        try:
            registration.update_watch(watch, changes, now=read_clock())
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
