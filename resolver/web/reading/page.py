"""The page `/read`, and the library that it loads. Without the files of Pyodide neither is there."""

from typing import Any

from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from doi_reading import CATALOGUE
from resolver.conf import measure_reader
from resolver.web.reading.library_archive import build_library_archive


@require_safe
def show_reading_page(request: HttpRequest) -> HttpResponse:
    """The page that reads texts in the browser. No text comes here. Raises Http404 without the files of Pyodide."""
    context = build_reading_context(
        worker=staticfiles_storage.url("resolver/reading_worker.js"),
        files=f"{settings.STATIC_URL}reading/",
        library=reverse("read-library"),
    )
    response = render(request, "reading/page.html", context)
    response["Content-Security-Policy"] = settings.READING_POLICY
    return response


@require_safe
def send_library(request: HttpRequest) -> HttpResponse:
    """The modules of doi_reading as a ZIP file. Raises Http404 without the files of Pyodide."""
    if not measure_reader():
        raise Http404
    return HttpResponse(build_library_archive(), content_type="application/zip")


def build_reading_context(*, worker: str, files: str, library: str) -> dict[str, Any]:
    """Return what the page shows. It has the addresses of the worker, of the folder of Pyodide's files and of the
    library. Raises Http404 without these files."""
    sizes = measure_reader()
    if not sizes:
        raise Http404
    fetched = sum(size for name, size in sizes.items() if not name.endswith(".mjs"))  # a browser imports the others
    archive = len(build_library_archive())
    return {
        "worker": worker,
        "files": files,
        "library": library,
        "bytes": fetched + archive,
        "megabytes": round((sum(sizes.values()) + archive) / 1e6),
        "problems": CATALOGUE.values(),
    }
