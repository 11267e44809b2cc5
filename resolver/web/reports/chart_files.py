"""The charts of a list as files: SVG documents of their own, and PNG drawn from them.

A document has attributes instead of styles, because the policy of the portal allows no inline style. Colours are those
of light pages, on white. Each bar has a sign and numbers, so nothing depends on the colour."""

from collections.abc import Sequence
from pathlib import Path
from unicodedata import east_asian_width
from uuid import UUID

import resvg_py
from django.contrib.humanize.templatetags.humanize import intcomma
from django.http import Http404, HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.formats import date_format
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_safe

from resolver.models import Job
from resolver.web.jobs.access import get_visible_job_or_404
from resolver.web.jobs.charts import Bar, build_group_bars, build_value_bars, count_values
from resolver.web.jobs.downloads import refuse_file
from resolver.web.wording.text_filters import plain_text

CHARTS = {
    "groups": ("", gettext_lazy("Results")),
    "outcomes": ("outcome", gettext_lazy("Outcomes")),
    "problems": ("problem", gettext_lazy("Problems")),
    "agencies": ("ra", gettext_lazy("Registration Agencies")),
    "addresses": ("address", gettext_lazy("Where the DOIs lead")),
}
FONT = Path(__file__).parent / "fonts/DejaVuSans.ttf"


@require_safe
def download_svg(request: HttpRequest, pk: UUID, name: str) -> HttpResponse:
    """The chart as a vector image."""
    return _download(request, pk, name, "svg", "image/svg+xml; charset=utf-8")


@require_safe
def download_png(request: HttpRequest, pk: UUID, name: str) -> HttpResponse:
    """The chart as an image, with the portal's own font: the same on every machine."""
    return _download(request, pk, name, "png", "image/png")


def draw_chart_of(job: Job, name: str) -> str:
    """The chart of this name as SVG; no query. Raises KeyError for an unknown name."""
    kind, title = CHARTS[name]
    bars = build_value_bars(job, kind) if kind else [bar for bar in build_group_bars(job).values() if bar.rows]
    checked = ngettext("%(rows)s row checked", "%(rows)s rows checked", job.done) % {"rows": intcomma(job.done)}
    facts = [checked]
    if job.finished_at:
        facts.append(_("%(time)s UTC") % {"time": date_format(job.finished_at, "MOMENT_FORMAT")})
    facts.append(_("sample data, not from the DOI system") if job.sample else job.proxy)
    others = max(0, count_values(job, kind) - MOST_BARS) if kind else 0
    more = ngettext("%(others)s more isn’t shown.", "%(others)s more aren’t shown.", others)
    more = more % {"others": intcomma(others)} if others else ""
    return draw_chart(str(title), (job.title, ", ".join(facts)), bars, others=more)


def render_png(svg: str) -> bytes:
    """The document as PNG. Only the portal's font is used, and no other file is read."""
    return resvg_py.svg_to_bytes(
        svg_string=svg,
        skip_system_fonts=True,
        font_files=[str(FONT)],
        font_family="DejaVu Sans",
        sans_serif_family="DejaVu Sans",
        zoom=2,  # so that it is sharp in print
    )


def _download(request: HttpRequest, pk: UUID, name: str, ending: str, content_type: str) -> HttpResponse:
    job = get_visible_job_or_404(request, pk)
    if name not in CHARTS:
        raise Http404
    if not job.ended:
        why = _("We’re still checking this list. You can download charts when it’s finished.")
        return refuse_file(request, job, why, 409)
    svg = draw_chart_of(job, name)
    content: str | bytes = render_png(svg) if ending == "png" else svg
    headers = {"Content-Disposition": str(content_disposition_header(True, f"{name}.{ending}"))}
    return HttpResponse(content, content_type=content_type, headers=headers)


WIDTH_PIXELS, MARGIN_PIXELS = 800, 24
MOST_BARS = 20
_COLOURS = {
    "good": "#1a6334", "tidy": "#2f4f7a", "info": "#2f4f7a", "warn": "#7a4a00", "warning": "#7a4a00", "bad": "#9b1c1c",
    "error": "#9b1c1c", "unknown": "#474f57", "waits": "#76818a",
}  # fmt: skip
_WITHOUT_TONE = "#14506b"


def draw_chart(title: str, about: Sequence[str], bars: Sequence[Bar], *, others: str = "") -> str:
    """Return the document, in the reader's language. `about`: two lines that say which list it is. `bars` come in their
    order, and only the first MOST_BARS are drawn. `others`: a sentence on what has no bar. Labels may be any text."""
    longest = max((bar.rows for bar in bars), default=1)
    bar_length = WIDTH_PIXELS - 2 * MARGIN_PIXELS
    top, step, bottom = 122, 46, 30  # pixels: above the first bar, from one to the next, below the last
    drawn = [
        {
            "bar": bar,
            "label": fit(bar.label, 60),  # the numbers begin after these columns
            "text_y": top + number * step,
            "bar_y": top + number * step + 7,
            # One row beside 999,999 has 4 pixels.
            "length": f"{max(4, bar_length * bar.rows / max(1, longest)):.1f}" if bar.rows else "0",
            "colour": _COLOURS.get(bar.tone, _WITHOUT_TONE),
        }
        for number, bar in enumerate(bars[:MOST_BARS])
    ]
    height = top + max(1, len(drawn)) * step + bottom
    context = {
        "title": fit(title, 60),
        "about": [(fit(line, 95), 60 + 19 * number) for number, line in enumerate(about[:2])],
        "bars": drawn,
        "others": others,
        "width": WIDTH_PIXELS,
        "height": height,
        "margin": MARGIN_PIXELS,
        "end": WIDTH_PIXELS - MARGIN_PIXELS,
        "bar_length": bar_length,
        "top": top,
        "foot": height - 16,
    }
    return render_to_string("reports/chart.svg", context)


def fit(text: str, columns: int) -> str:
    """Return the text in at most so many columns, of which a wide character takes two, with … where it was cut. No
    character in it is invisible or forbidden in XML."""
    whole, used, kept = plain_text(text, 200), 0, []
    for character in whole:
        used += 2 if east_asian_width(character) in "WF" else 1
        kept.append(character)
        if used > columns:
            return "".join(kept[:-2]) + "…"
    return whole
