"""How fast a list goes, and how long it will take.

Nothing of it is stored: the page carries what it has seen of the last minute in its address, and hands it in when it
looks again. Whoever looks for the first time is told nothing: the list may have stood still for days, or nothing but
Which RA was asked, which completes no row.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.contrib.humanize.templatetags.humanize import intcomma
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from resolver.models import Job, State

WINDOW = 60  # seconds
APART = 15  # between two glances that are remembered
_MOST = 2 + WINDOW // APART
_LONGEST = 200  # characters of what an address may carry


@dataclass(frozen=True, slots=True)
class Glance:
    """When somebody looked, in seconds since 1970, and how many rows were done."""

    at: int
    done: int


def remembered(text: str, now: datetime) -> list[Glance]:
    """The glances that an address carries, oldest first; nothing of what cannot be one."""
    found: list[Glance] = []
    for part in text[:_LONGEST].split("."):
        at, _, done = part.partition("-")
        if at.isascii() and at.isdigit() and done.isascii() and done.isdigit():
            glance = Glance(int(at), int(done))
            if (not found or found[-1].at < glance.at) and glance.at <= now.timestamp():
                found.append(glance)
    return found[-_MOST:]


def to_remember(glances: Sequence[Glance], job: Job, now: datetime) -> str:
    """The same with the present one, as the address of the next look carries it: a minute's worth. While Which RA is
    asked for the whole list there is nothing to measure yet, and the present one is all."""
    at = int(now.timestamp())
    if job.prechecking:
        return f"{at}-{job.done}"
    kept = list(glances)
    if not kept or at - kept[-1].at >= APART:
        kept.append(Glance(at, job.done))
    while len(kept) > 1 and at - kept[1].at >= WINDOW:
        kept.pop(0)
    return ".".join(f"{glance.at}-{glance.done}" for glance in kept)


def pace(job: Job, glances: Sequence[Glance], now: datetime) -> str:
    """The rate in words, and the time left unless the file is still being read; "" as long as there is nothing to tell
    them by."""
    if job.ended or job.prechecking or not glances:
        return ""
    seconds, rows = now.timestamp() - glances[0].at, job.done - glances[0].done
    if seconds < 1 or rows <= 0:
        return ""
    rate = _rate(rows / seconds)
    if job.state != State.CHECKING:
        return rate
    return _("%(rate)s, %(time)s left") % {"rate": rate, "time": _time((job.total - job.done) * seconds / rows)}


def _rate(rows_a_second: float) -> str:
    if rows_a_second < 1:
        number = _whole(rows_a_second * 60)
        return ngettext("%(n)s row a minute", "%(n)s rows a minute", number) % {"n": intcomma(number)}
    number = _whole(rows_a_second)
    return ngettext("%(n)s row a second", "%(n)s rows a second", number) % {"n": intcomma(number)}


def _time(seconds: float) -> str:
    if seconds < 60:
        return _("less than a minute")
    if seconds < 90 * 60:
        number = _whole(seconds / 60)
        return ngettext("about %(n)s minute", "about %(n)s minutes", number) % {"n": intcomma(number)}
    if seconds < 36 * 3600:
        number = _whole(seconds / 3600)
        return ngettext("about %(n)s hour", "about %(n)s hours", number) % {"n": intcomma(number)}
    number = _whole(seconds / 86400)
    return ngettext("about %(n)s day", "about %(n)s days", number) % {"n": intcomma(number)}


def _whole(number: float) -> int:
    return max(1, round(number))
