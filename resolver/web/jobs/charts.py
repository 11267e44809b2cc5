"""The results of a list as bars: numbers and shares for the text, lengths for the picture beside it."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext as _

from resolver.domain.report.target import Target
from resolver.domain.report.triage import GOOD, RowGroup
from resolver.models import Job
from resolver.services.results.facets import count_groups
from resolver.web.jobs.row_filters import MOST_FACET_VALUES, fits_in_url
from resolver.web.wording.labels import get_sign_and_tone, label_value
from resolver.web.wording.verdicts import VERDICTS

ORDER = (
    RowGroup.FINE, RowGroup.TIDIER, RowGroup.NEEDS_WORK, RowGroup.EMPTY, RowGroup.COULD_NOT_ASK, RowGroup.NOT_CHECKED
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Bar:
    """One value and its rows. `start` and `length` are SVG lengths; `address` leads to the rows, `key` names the link;
    `hint` says what to do."""

    label: str
    rows: int
    share: str
    start: str
    length: str
    address: str
    key: str
    sign: str
    tone: str
    hint: str


def build_group_bars(job: Job) -> dict[str, Bar]:
    """A bar for each group of rows, from the left to the right of one bar; no query. While the list is checked, the
    shares are of the rows checked, as those of `build_value_bars` are, and rows not checked yet have none."""
    counted = count_groups(job)
    total, done, bars = sum(counted.values()), 0, {}
    for group in ORDER:
        bar = _build_bar(job, "group", group, counted[group], total, done)
        if not job.ended:
            bar = replace(bar, share="" if group == RowGroup.NOT_CHECKED else format_percentage(bar.rows, job.done))
        bars[group.name.lower()] = bar
        done += counted[group]
    return bars


def count_elsewhere(job: Job) -> dict[str, int]:
    """How many rows don't lead to the expected page, and of which class they are; no query. Those of another site and
    those that lead nowhere (`rows`) need attention."""
    counted: Mapping[str, int] = job.counts.get("address", {})
    other_site, nowhere = counted.get(Target.OTHER_HOST, 0), counted.get(Target.NO_ADDRESS, 0)
    other_page = counted.get(Target.SAME_HOST, 0)
    return {"rows": other_site + nowhere, "other_site": other_site, "nowhere": nowhere, "other_page": other_page}


def build_value_bars(job: Job, kind: str) -> list[Bar]:
    """A bar for each outcome, problem, agency or class of addresses, most rows first; the longest is as long as the
    chart is wide, and the shares are of the rows checked. A row may have several problems; what to do about a problem
    depends on whether the DOI is registered, so only outcomes have a hint."""
    counted: Mapping[str, int] = job.counts.get(kind, {})
    values = sorted(filter(fits_in_url, filter(None, counted)), key=lambda value: (-counted[value], value))
    longest = max(counted.values(), default=0)
    return [
        _build_bar(job, kind, value, counted[value], job.done, longest=longest) for value in values[:MOST_FACET_VALUES]
    ]


def count_values(job: Job, kind: str) -> int:
    """The number of outcomes, problems or agencies of a list, also of those that get no bar."""
    return sum(map(bool, job.counts.get(kind, {})))


def _build_bar(job: Job, kind: str, value: str, rows: int, total: int, done: int = 0, longest: int = 0) -> Bar:
    key = urlencode({kind: value}, errors="surrogatepass")
    shortest = 1.5  # per cent: a single row of a million can still be seen, even in a bar with a pattern
    length = min(100.0, max(shortest, 100 * rows / max(1, longest or total)))
    sign, tone = get_sign_and_tone(kind, value, mixed=job.needs_review > 0)
    return Bar(
        label_value(kind, value),
        rows,
        format_percentage(rows, total),
        f"{min(100 * done / max(1, total), 100 - length):.2f}%",
        f"{length:.2f}%",
        f"{reverse('job-rows', args=[job.pk])}?{key}",
        key,
        sign,
        tone,
        str(VERDICTS[value].advice) if kind == "outcome" and value in VERDICTS and value not in GOOD else "",
    )


def format_percentage(rows: int, total: int) -> str:
    """The percentage in words: 0% and 100% only if they are exact."""
    percent = round(100 * rows / max(1, total))
    if rows and percent == 0:
        return _("less than 1%")
    if rows < total and percent >= 100:
        return _("more than 99%")
    return _("%(percent)d%%") % {"percent": min(100, percent)}
