"""The charts of a list as files: SVG, and PNG drawn from it."""

from pathlib import Path
from uuid import UUID

import resvg_py
from django.contrib.humanize.templatetags.humanize import intcomma
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.formats import date_format
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_safe

from resolver.models import Job
from resolver.web.jobs.access import get_visible_job_or_404
from resolver.web.jobs.charts import build_group_bars, build_value_bars, count_values
from resolver.web.jobs.downloads import refuse_file
from resolver.web.reports.chart_svg import MOST_BARS, draw_chart

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
