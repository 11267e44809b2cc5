"""The results of a list as bars: numbers and shares for the text, lengths for the picture beside it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext as _

from resolver.domain.report.row_task import RowTask
from resolver.domain.report.triage import RowGroup
from resolver.models import Job
from resolver.services.results.facets import count_groups
from resolver.services.results.task_counts import count_tasks
from resolver.web.jobs.row_filters import MOST_FACET_VALUES, fits_in_url
from resolver.web.wording.labels import get_sign_and_tone, label_value

SHORTEST = 1.5  # per cent: a single row of a million can still be seen, even in a bar with a pattern
MOST_AGENCIES = 4  # with a part of their own in the bar


@dataclass(frozen=True, slots=True)
class Bar:
    """One value and its rows. `length` is an SVG length; `address` leads to the rows, `key` names the link."""

    label: str
    rows: int
    share: str
    length: str
    address: str
    key: str
    sign: str
    tone: str


class BarPart(NamedTuple):
    """A part of one bar that has several; lengths as those of `Bar`."""

    label: str
    rows: int
    start: str
    length: str
    tone: str


def build_state_parts(job: Job, replaced: int = 0) -> list[BarPart]:
    """The rows that are ready with the DOI of the file, and with another one (`replaced`), those that are not, and
    those of which nothing is known, as parts of one bar. While the list runs, its rows that work count as ready."""
    counted = count_groups(job)
    failed, left = counted[RowGroup.COULD_NOT_ASK], counted[RowGroup.NOT_CHECKED]
    works = counted[RowGroup.FINE] + counted[RowGroup.TIDIER]
    ready = count_tasks(job).get(RowTask.READY, 0) if job.ended else works
    return _lay_side_by_side(
        [
            (_("With the DOI of your file"), max(0, ready - replaced), "good"),
            (_("With a corrected DOI"), replaced, "note"),
            (_("Not ready"), max(0, job.total - ready - failed - left), "bad"),
            (_("Couldn’t check"), failed, "unknown"),
            (_("Not checked yet"), left, "waits"),
        ]
    )


def build_agency_parts(job: Job) -> list[BarPart]:
    """The rows of the most frequent agencies and of all others, as parts of one bar; no query."""
    counted: Mapping[str, int] = job.counts.get("ra", {})
    most = sorted(counted.values(), reverse=True)[:MOST_AGENCIES]
    parts = [("", rows, f"part-{number}") for number, rows in enumerate(most, 1)]
    return _lay_side_by_side([*parts, ("", max(0, job.done - sum(most)), "part-rest")])


def _lay_side_by_side(values: list[tuple[str, int, str]]) -> list[BarPart]:
    total, before, parts = max(1, sum(rows for _label, rows, _tone in values)), 0, []
    for label, rows, tone in values:
        length = min(100.0, max(SHORTEST, 100 * rows / total))
        parts.append(BarPart(label, rows, f"{min(100 * before / total, 100 - length):.2f}%", f"{length:.2f}%", tone))
        before += rows
    return parts


def build_value_bars(job: Job, kind: str) -> list[Bar]:
    """A bar for each outcome, problem, agency or class of addresses, most rows first; the longest is as long as the
    chart is wide, and the shares are of the rows checked. A row may have several problems."""
    counted: Mapping[str, int] = job.counts.get(kind, {})
    values = sorted(filter(fits_in_url, filter(None, counted)), key=lambda value: (-counted[value], value))
    longest = max(counted.values(), default=0)
    return [_build_bar(job, kind, value, counted[value], longest) for value in values[:MOST_FACET_VALUES]]


def count_values(job: Job, kind: str) -> int:
    """The number of outcomes, problems or agencies of a list, also of those that get no bar."""
    return sum(map(bool, job.counts.get(kind, {})))


def _build_bar(job: Job, kind: str, value: str, rows: int, longest: int) -> Bar:
    key = urlencode({kind: value}, errors="surrogatepass")
    sign, tone = get_sign_and_tone(kind, value, mixed=job.needs_review > 0)
    return Bar(
        label_value(kind, value),
        rows,
        format_percentage(rows, job.done),
        f"{min(100.0, max(SHORTEST, 100 * rows / max(1, longest))):.2f}%",
        f"{reverse('job-rows', args=[job.pk])}?{key}",
        key,
        sign,
        tone,
    )


def format_percentage(rows: int, total: int) -> str:
    """The percentage in words: 0% and 100% only if they are exact."""
    percent = round(100 * rows / max(1, total))
    if rows and percent == 0:
        return _("less than 1%")
    if rows < total and percent >= 100:
        return _("more than 99%")
    return _("%(percent)d%%") % {"percent": min(100, percent)}
