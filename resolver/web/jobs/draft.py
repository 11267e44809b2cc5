"""A list before it is checked: how it is read, which can be changed, and the start."""

from contextlib import suppress
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from resolver import tasks
from resolver.models import Draft, Job
from resolver.services.jobs import drafts
from resolver.services.lookups import look_up
from resolver.services.owners import reader_of
from resolver.services.proxy_answers.doi_proxy import proxy_from_settings
from resolver.sheets.errors import OtherChoice, UnreadableFile
from resolver.web.jobs.forms import BeginForm, ChoicesForm, rows_sentence
from resolver.web.jobs.preview import preview
from resolver.web.lookups.views import not_now, see


def own_draft(request: HttpRequest, pk: UUID) -> Draft:
    """Another owner's draft is as good as none: 404."""
    return get_object_or_404(Draft, pk=pk, owner=reader_of(request))


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def show(request: HttpRequest, pk: UUID) -> HttpResponse:
    """How the list is read with the choices of the query; by POST it starts with them. A draft that was started leads
    to its list: a second click, or the way back, finds that."""
    draft = Draft.objects.filter(pk=pk, owner=reader_of(request)).first()
    if draft is not None:
        with suppress(Draft.DoesNotExist):  # meanwhile
            return _show(request, draft)
    if Job.objects.filter(pk=pk, owner=reader_of(request)).exists():
        return _to_job(pk)
    raise Http404


def _show(request: HttpRequest, draft: Draft) -> HttpResponse:
    sent = request.POST if request.method == "POST" else None
    form = ChoicesForm(sent or request.GET, draft=draft)
    begin = BeginForm(sent)
    if sent is not None and form.is_valid() and begin.is_valid():
        try:
            job = drafts.start(
                draft, form.choices(), proxy=proxy_from_settings(), now=timezone.now(), **begin.cleaned_data
            )
        except UnreadableFile:
            pass  # the same is told below
        else:
            tasks.start_reading(job)
            return _to_job(job.pk)
    seen = drafts.look_at(draft, form.choices())
    if seen.refusal:
        form.refuse(seen.refusal.about if isinstance(seen.refusal, OtherChoice) else "delimiter", seen.refusal)
    form.offer(seen)
    context = {"draft": draft, "form": form, "begin": begin, "rows_words": rows_sentence(seen), **preview(seen)}
    status = 422 if form.errors or begin.errors else 200
    return render(request, "resolver/draft.html", {**context, "here": "jobs"}, status=status)


def _to_job(pk: UUID) -> HttpResponse:
    response = redirect("job", pk=pk)
    response.status_code = 303
    return response


@require_POST
def as_one(request: HttpRequest, pk: UUID) -> HttpResponse:
    """The lines were no list: look all of them up as one text."""
    draft = own_draft(request, pk)
    if not draft.text:
        raise Http404
    try:
        response = see(request, draft.text)
    except look_up.NotNow as pause:
        return not_now(request, pause, draft.text, draft=draft)
    drafts.throw_away(draft)
    return response


@require_POST
def delete(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Nothing of it is kept."""
    drafts.throw_away(own_draft(request, pk))
    messages.success(request, _("The list was thrown away. Nothing of it was checked or kept."))
    return redirect("home")
