"""The page that reads texts, as a folder for any web server: a file for each language, and all that it loads."""

import shutil
from pathlib import Path

from django.conf import settings
from django.template.loader import render_to_string
from django.utils import translation

from resolver.conf import READER_FILES
from resolver.web.reading.library_archive import build_library_archive
from resolver.web.reading.page import build_reading_context

_OF_HEADERS_ALONE = "frame-ancestors"
"""The directive that browsers don't take from a page."""


def write_reading_site(folder: Path) -> None:
    """Write the site into `folder`, which is made; files of it that are there already are replaced. Raises Http404
    without the files of Pyodide, and OSError."""
    context = build_reading_context(
        worker="resolver/reading_worker.js", files="reading/", library="reading/doi_reading.zip"
    )
    pages = [(_name_page(code), code, label) for code, label in settings.LANGUAGES]
    policy = _without_headers_alone(settings.READING_POLICY)
    folder.mkdir(parents=True, exist_ok=True)
    for name, code, _label in pages:
        with translation.override(code):
            page = render_to_string("reading/site.html", {**context, "policy": policy, "pages": pages})
        (folder / name).write_text(page, encoding="utf-8")
    shutil.copytree(settings.FILES_DIR / "static/resolver", folder / "resolver", dirs_exist_ok=True)
    (folder / "reading").mkdir(exist_ok=True)
    for name in READER_FILES:
        shutil.copyfile(settings.READING_FILES / name, folder / "reading" / name)
    (folder / "reading/doi_reading.zip").write_bytes(build_library_archive())


def _name_page(code: str) -> str:
    return "index.html" if code == settings.LANGUAGE_CODE else f"{code}.html"


def _without_headers_alone(policy: str) -> str:
    return "; ".join(one for one in policy.split("; ") if not one.startswith(_OF_HEADERS_ALONE))
