"""How fast a list is checked, and how long it will take.

Nothing is stored: the page carries what it saw in the last minute in its address, and sends it when it polls. The first
view shows no rate: the list may have stood still for days, or only its precheck runs, which completes no row.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.contrib.humanize.templatetags.humanize import intcomma
from django.utils.timesince import timeuntil
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from resolver.domain.foreign_text import parse_whole_number
from resolver.models import LAST_LINE, Job, State

WINDOW_SECONDS = 60
INTERVAL_SECONDS = 15  # between two points that are kept
_MOST_POINTS = 2 + WINDOW_SECONDS // INTERVAL_SECONDS


@dataclass(frozen=True, slots=True)
class ProgressPoint:
    """One view of the page: its time in seconds since 1970, and the rows done by then."""

    at: int
    done: int


def parse_progress(text: str, now: datetime) -> list[ProgressPoint]:
    """The points in an address, oldest first; invalid ones are dropped."""
    latest, points = int(now.timestamp()) + 1, list[ProgressPoint]()
    for part in text[:200].split("."):  # no page sends more
        at, _, done = part.partition("-")
        when, rows = parse_whole_number(at, latest), parse_whole_number(done, LAST_LINE)
        if when is not None and rows is not None:
            point = ProgressPoint(when, rows)
            if (not points or points[-1].at < point.at) and point.at <= now.timestamp():
                points.append(point)
    return points[-_MOST_POINTS:]


def format_progress(points: Sequence[ProgressPoint], job: Job, now: datetime) -> str:
    """The points of the last minute and a new one, for the next address. During the precheck only the new one."""
    at = int(now.timestamp())
    if job.prechecking:
        return f"{at}-{job.done}"
    kept = list(points)
    if not kept or at - kept[-1].at >= INTERVAL_SECONDS:
        kept.append(ProgressPoint(at, job.done))
    while len(kept) > 1 and at - kept[1].at >= WINDOW_SECONDS:
        kept.pop(0)
    return ".".join(f"{point.at}-{point.done}" for point in kept)


def describe_pace(job: Job, points: Sequence[ProgressPoint], now: datetime) -> str:
    """The rate in words, and the time left unless the file is still being read; "" if neither is known."""
    if job.ended or job.prechecking or not points:
        return ""
    seconds, rows = now.timestamp() - points[0].at, job.done - points[0].done
    if seconds < 1 or rows <= 0:
        return ""
    per_minute = max(1, round(60 * rows / seconds))
    rate = ngettext("%(n)s row a minute", "%(n)s rows a minute", per_minute) % {"n": intcomma(per_minute)}
    if job.state != State.CHECKING:
        return rate
    return _("%(rate)s, %(time)s left") % {
        "rate": rate,
        "time": format_time((job.total - job.done) * seconds / rows, now),
    }


def format_time(seconds: float, now: datetime) -> str:
    if seconds < 60:
        return _("less than a minute")
    # An address may contain any time, and a date ends with the year 9999.
    most_seconds = timedelta(days=365).total_seconds()
    return _("about %(time)s") % {"time": timeuntil(now + timedelta(seconds=min(seconds, most_seconds)), now)}
