"""What was found in a list, as bars: numbers and shares for the text, lengths for the picture beside it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext as _

from resolver.domain.report.triage import Group
from resolver.models import Job
from resolver.services.results.facets import count_groups
from resolver.web.jobs.row_filters import MOST, is_short
from resolver.web.site.labels import GROUPS, VERDICTS, problem_word, shape

THINNEST = 0.7  # per cent: a single row of a million is still to be seen


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
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Summary:
    """A list at a glance: its rows by what they ask of their reader, `stack` in the order of one bar."""

    fine: Bar
    work: Bar
    unanswered: Bar
    waiting: Bar

    @property
    def stack(self) -> Sequence[Bar]:
        """The parts of the bar that are there."""
        return [bar for bar in (self.fine, self.work, self.unanswered, self.waiting) if bar.rows]


def summary(job: Job) -> Summary:
    """From the counts that are kept in the job; no query."""
    counted = count_groups(job)
    whole, start, bars = max(1, sum(counted.values())), 0.0, []
    groups = (Group.FINE, Group.NEEDS_WORK, Group.COULD_NOT_ASK, Group.NOT_ASKED)
    for group, percent in zip(groups, percents([counted[group] for group in groups]), strict=True):
        kind, rows = GROUPS[group], counted[group]
        bar = _bar(job, "group", str(group), str(kind.word), rows, whole, (kind.sign, kind.tone), start)
        bars.append(replace(bar, share=_in_words(rows, whole, percent)))
        start += 100 * rows / whole
    return Summary(*bars)


def outcomes(job: Job) -> list[Bar]:
    """Most rows first, each with what to do."""
    return _bars(job, "outcome", {key: str(VERDICTS.get(key, VERDICTS[""]).word) for key in job.counts["outcome"]})


def problems(job: Job) -> list[Bar]:
    """Likewise, but what to do is said of each row: it hangs on whether the name exists. A row may have several."""
    return _bars(job, "problem", {key: problem_word(key) for key in job.counts["problem"]})


def agencies(job: Job) -> list[Bar]:
    """Likewise."""
    return _bars(job, "ra", {key: key for key in job.counts["ra"]})


def _bars(job: Job, kind: str, labels: Mapping[str, str]) -> list[Bar]:
    counted: Mapping[str, int] = job.counts[kind]
    ordered = sorted(counted.items(), key=lambda item: (-item[1], item[0]))
    return [
        _bar(job, kind, value, labels[value], rows, max(1, job.done), shape(kind, value), hint=_hint(kind, value))
        for value, rows in ordered
        if value and is_short(value)
    ][:MOST]


def _hint(kind: str, value: str) -> str:
    if kind == "outcome" and value in VERDICTS and VERDICTS[value].tone != "good":
        return str(VERDICTS[value].advice)
    return ""


def _bar(
    job: Job,
    kind: str,
    value: str,
    label: str,
    rows: int,
    whole: int,
    look: tuple[str, str],
    start: float = 0.0,
    hint: str = "",
) -> Bar:
    query = urlencode({kind: value}, errors="surrogatepass")
    length = min(100.0, max(THINNEST, 100 * rows / whole))
    return Bar(
        label,
        rows,
        share(rows, whole),
        f"{min(start, 100 - length):.2f}%",
        f"{length:.2f}%",
        f"{reverse('job-rows', args=[job.pk])}?{query}",
        query,
        *look,
        hint,
    )


def share(rows: int, whole: int) -> str:
    """Of a hundred, in words; neither nothing nor all is said of what is not."""
    return _in_words(rows, whole, round(100 * rows / whole))


def percents(parts: Sequence[int]) -> list[int]:
    """Each part of their sum, so rounded that together they are 100: the largest remainders are rounded up."""
    whole = max(1, sum(parts))
    rounded = [100 * part // whole for part in parts]
    missing = 100 - sum(rounded) if any(parts) else 0
    for index in sorted(range(len(parts)), key=lambda index: -(100 * parts[index] % whole))[:missing]:
        rounded[index] += 1
    return rounded


def _in_words(rows: int, whole: int, percent: int) -> str:
    if rows and percent == 0:
        return _("less than 1%")
    if rows < whole and percent >= 100:
        return _("more than 99%")
    return _("%(percent)d%%") % {"percent": min(100, percent)}
