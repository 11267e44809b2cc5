"""The box on the front page, and the page for lists: from what somebody gives to a result or to a draft."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_safe

from resolver import conf
from resolver.domain.parsing.pasted_text import split_lines
from resolver.models import Draft
from resolver.services.jobs import drafts
from resolver.services.jobs.uploads import UploadTooLarge
from resolver.services.lookups import history, look_up
from resolver.services.owners import owner_of, reader_of
from resolver.sheets.errors import UnreadableFile
from resolver.web.jobs.forms import BoxForm, ListForm
from resolver.web.lookups.views import not_now, see

RECENT = 5


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """The front page: something to look up, or a list. With `?text=` the box holds this text already."""
    text = request.GET.get("text", "")
    return _home(request, BoxForm(initial={"text": text if len(text) <= conf.max_cell() else ""}))


@require_http_methods(["GET", "HEAD", "POST"])
def create(request: HttpRequest) -> HttpResponse:
    """One thing: ask, store, and go to its result. A list: go to where it is looked at before it starts."""
    if request.method != "POST":
        return redirect("home")
    form = BoxForm(request.POST, request.FILES)
    if form.is_valid() and form.one_thing:
        return _looked_up(request, form.cleaned_data["text"])
    return _taken_in(request, form) or _home(request, form, status=422)


@require_http_methods(["GET", "HEAD", "POST"])
def new(request: HttpRequest) -> HttpResponse:
    """The form for a list, and taking it in; or which line is wrong and what to do."""
    form = ListForm(request.POST, request.FILES) if request.method == "POST" else ListForm()
    taken = _taken_in(request, form) if form.is_bound else None
    context = {"form": form, "here": "jobs"}
    return taken or render(request, "jobs/upload.html", context, status=422 if form.errors else 200)


def _looked_up(request: HttpRequest, text: str) -> HttpResponse:
    try:
        response = see(request, text)
    except look_up.NotNow as pause:
        return not_now(request, pause, text)
    count = len(split_lines(text))
    if count > 1:
        told = ngettext(
            "We looked up your %(count)d line as one text.",
            "We looked up your %(count)d lines as one text, because no more than one of them contains a DOI. "
            "To check each line separately, go to Lists, choose “Upload a list” and paste them there.",
            count,
        )
        messages.info(request, told % {"count": count})
    return response


def _taken_in(request: HttpRequest, form: BoxForm) -> HttpResponse | None:
    """The way to the draft; None where there is none, and the form says why."""
    if not form.is_valid():
        return None
    try:
        draft = _drafted(request, form)
    except (UnreadableFile, UploadTooLarge) as error:
        form.refuse(error)
        return None
    response = redirect("draft", pk=draft.pk)
    response.status_code = 303
    return response


def _drafted(request: HttpRequest, form: BoxForm) -> Draft:
    file, text = form.cleaned_data["file"], form.cleaned_data["text"]
    owner, now = owner_of(request), timezone.now()
    if file is None:
        return drafts.create_from_text(text, owner=owner, now=now)
    return drafts.create_from_file(file, file.name, owner=owner, now=now)


def _home(request: HttpRequest, form: BoxForm, status: int = 200) -> HttpResponse:
    recent = history.lookups(reader_of(request))[:RECENT]
    return render(request, "home.html", {"form": form, "recent": recent, "here": "home"}, status=status)
