"""A small chart of the broken rows over the last runs, as lengths for an inline SVG."""

from collections.abc import Sequence
from typing import Any

from django.contrib.humanize.templatetags.humanize import intcomma
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from resolver.models import RunState, WatchRun

RUNS_IN_CHART = 30
HEIGHT_PIXELS = 40
STEP_PIXELS = 6  # from one bar to the next; a bar is 4 wide


def build_run_chart(runs: Sequence[WatchRun]) -> dict[str, Any] | None:
    """Return the bars of the runs that are over, the oldest first, and the same in words; None without any. The runs
    come newest first. All lengths are texts, because a template would format numbers for the reader's language."""
    over = [run for run in runs if run.is_over][:RUNS_IN_CHART][::-1]
    if not over:
        return None
    most = max((run.broken for run in over if _has_result(run)), default=0)
    bars = [_draw(run, number, most) for number, run in enumerate(over)]
    words = ngettext(
        "Broken rows in the last run: %(numbers)s",
        "Broken rows in the last %(count)s runs, the oldest first: %(numbers)s",
        len(over),
    )
    numbers = ", ".join(intcomma(run.broken) if _has_result(run) else _("unknown") for run in over)
    words %= {"count": len(over), "numbers": numbers}
    return {"bars": bars, "width": str(STEP_PIXELS * len(over)), "words": words}


def _draw(run: WatchRun, number: int, most: int) -> dict[str, str]:
    height = 2  # can still be seen
    if not _has_result(run):
        kind, height = "unknown", HEIGHT_PIXELS // 4
    elif run.broken:
        kind, height = "broken", max(height, round(HEIGHT_PIXELS * run.broken / most))
    else:
        kind = "none"
    return {"x": str(STEP_PIXELS * number), "y": str(HEIGHT_PIXELS - height), "height": str(height), "kind": kind}


def _has_result(run: WatchRun) -> bool:
    return run.state == RunState.SETTLED
