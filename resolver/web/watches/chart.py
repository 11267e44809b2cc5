"""A small chart of the broken rows over the last runs, as lengths for an inline SVG."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.contrib.humanize.templatetags.humanize import intcomma
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from resolver.models import RunState, WatchRun

RUNS = 30
HEIGHT = 40
_STEP, _LEAST = 6, 2  # a bar is 4 wide


@dataclass(frozen=True, slots=True)
class RunBar:
    """A run. All lengths are texts, because a template would write numbers as the reader does. `kind`: `broken`,
    `none`, or `unknown` for a run that says nothing."""

    x: str
    y: str
    height: str
    kind: str


@dataclass(frozen=True, slots=True)
class RunChart:
    """The bars of the runs, the oldest first, and the same in words."""

    bars: Sequence[RunBar]
    width: str
    words: str


def build_run_chart(runs: Sequence[WatchRun]) -> RunChart | None:
    """Return the chart of the runs that are over, which come newest first; None without any."""
    over = [run for run in runs if run.is_over][:RUNS][::-1]
    if not over:
        return None
    most = max((run.broken for run in over if _says(run)), default=0)
    bars = [_draw(run, number, most) for number, run in enumerate(over)]
    words = ngettext(
        "Broken rows in the last run: %(numbers)s",
        "Broken rows in the last %(count)s runs, the oldest first: %(numbers)s",
        len(over),
    )
    numbers = ", ".join(intcomma(run.broken) if _says(run) else _("unknown") for run in over)
    return RunChart(bars, str(_STEP * len(over)), words % {"count": len(over), "numbers": numbers})


def _draw(run: WatchRun, number: int, most: int) -> RunBar:
    height = max(_LEAST, round(HEIGHT * run.broken / most)) if _says(run) and run.broken else _LEAST
    kind = "unknown" if not _says(run) else "broken" if run.broken else "none"
    if kind == "unknown":
        height = HEIGHT // 4
    return RunBar(str(_STEP * number), str(HEIGHT - height), str(height), kind)


def _says(run: WatchRun) -> bool:
    return run.state == RunState.SETTLED
