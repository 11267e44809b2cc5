"""The form on the front page, and the page for lists: from a text or a file to a result or a draft."""

from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_safe

from resolver.domain.foreign_text import split_nonblank_lines
from resolver.services.accounts.owners import get_owner, get_owner_for_reading
from resolver.services.jobs import drafts
from resolver.services.lookups import history, look_up
from resolver.services.storage.clock import read_clock
from resolver.services.uploads.daily_upload_bytes import UploadLimitReached, count_upload
from resolver.services.uploads.file_reader import build_file_reader
from resolver.services.uploads.reading_places import NoReadingPlace
from resolver.services.uploads.stored_uploads import UploadTooLarge
from resolver.sheets.errors import UnreadableFile
from resolver.web.lookups.views import look_up_and_redirect, render_lookup_paused
from resolver.web.upload_forms import OF_WORK, HomeForm, UploadForm

EXAMPLE = "https://doi.org/10.1002/(SICI)1097-0142(19960401)77:7<1356::AID-CNCR20>3.0.CO;2-#"
"""A link that a browser cuts short: the DOI in it is registered, what a browser opens is not."""


@require_safe
def show_home(request: HttpRequest) -> HttpResponse:
    """The front page. `?text=` fills the form."""
    text = request.GET.get("text", "")
    return _render_home(request, HomeForm(initial={"text": text if len(text) <= settings.MAX_CELL else ""}))


@require_http_methods(["GET", "HEAD", "POST"])
def look_up_or_draft(request: HttpRequest) -> HttpResponse:
    """Look up one text, or make a draft of a list, and redirect there. With a field `fresh` no stored answer counts."""
    if request.method != "POST":
        return redirect("home")
    form = HomeForm(request.POST, request.FILES)
    if form.is_valid() and form.one_thing:
        return _look_up(request, form.cleaned_data)
    return _make_draft(request, form) or _render_home(request, form)


@require_http_methods(["GET", "HEAD", "POST"])
def upload_list(request: HttpRequest) -> HttpResponse:
    """The form for a list; a POST makes a draft, or says which line is wrong."""
    form = UploadForm(request.POST, request.FILES) if request.method == "POST" else UploadForm()
    response = _make_draft(request, form) if form.is_bound else None
    return response or _render_form(request, form, "jobs/upload.html", {})


def _look_up(request: HttpRequest, wanted: dict[str, Any]) -> HttpResponse:
    text, work = wanted["text"], {name: wanted[name] for name in OF_WORK & wanted.keys()}
    try:
        response = look_up_and_redirect(request, text, fresh="fresh" in request.POST, **work)
    except look_up.LookupPaused as pause:
        return render_lookup_paused(request, pause, text, work=work)
    count = len(split_nonblank_lines(text))
    if count > 1:
        message = ngettext(
            "We looked up your %(count)d line as one text.",
            "We looked up your %(count)d lines as one text, because at most one of them contains a DOI. "
            "To check each line separately, go to Lists, choose “Upload a list” and paste them there.",
            count,
        )
        messages.info(request, message % {"count": count})
    return response


def _make_draft(request: HttpRequest, form: HomeForm) -> HttpResponse | None:
    """Redirect to a new draft; None if there is none, and the form says why."""
    if not form.is_valid():
        return None
    file, text, now = form.cleaned_data["file"], form.cleaned_data["text"], read_clock()
    field, size = ("file", file.size) if file is not None else ("text", len(text.encode("utf-8", "surrogatepass")))
    reader = build_file_reader(request)
    try:
        with count_upload(request, size):
            if file is None:
                draft = drafts.create_from_text(text, owner=get_owner(request), now=now, reader=reader)
            else:
                draft = drafts.create_from_file(file, file.name, owner=get_owner(request), now=now, reader=reader)
        return redirect("draft", pk=draft.pk)
    except (UnreadableFile, UploadTooLarge) as error:
        form.add_error(field, str(error))
    except UploadLimitReached as error:
        form.refuse_for_now(field, str(error), error.seconds)
    except NoReadingPlace as busy:
        form.refuse_for_now(field, str(busy), busy.wait, HTTPStatus.SERVICE_UNAVAILABLE)
    return None


def _render_home(request: HttpRequest, form: HomeForm) -> HttpResponse:
    recent = history.list_recent(get_owner_for_reading(request))
    return _render_form(request, form, "home.html", {"recent": recent, "example": EXAMPLE})


def _render_form(request: HttpRequest, form: HomeForm, template: str, context: dict[str, Any]) -> HttpResponse:
    response = render(request, template, {"form": form, **context}, status=form.refusal if form.errors else 200)
    if form.wait:
        response["Retry-After"] = str(form.wait)
    return response
