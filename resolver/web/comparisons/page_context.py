"""The context of the comparison page: the headline, the numbers and the filter above the table."""

from typing import Any

from resolver.domain.report.change import Change
from resolver.models import Comparison, Job
from resolver.web.comparisons.change_labels import CHANGES
from resolver.web.comparisons.headline import add_proxy_warning, build_headline

_ALWAYS = (Change.BROKEN, Change.WORKING, Change.ADDRESS, Change.AGENCY, Change.OTHERWISE)


def build_comparison_context(comparison: Comparison, before: Job, after: Job, kind: str) -> dict[str, Any]:
    """The numbers above the table; no query."""
    counts: dict[str, int] = comparison.counts
    total = sum(counts.values())
    only_before, only_after = counts.get(Change.ONLY_BEFORE, 0), counts.get(Change.ONLY_AFTER, 0)
    matched = total - only_before - only_after
    different = {code for code, rows in counts.items() if rows and code != Change.UNCHANGED}
    return {
        "headline": add_proxy_warning(build_headline(counts, by_line=comparison.by_line), before, after),
        "kinds": [
            {
                "code": str(code),
                "label": label,
                "rows": rows,
                "width": max(1, 100 * rows // total) if code in different else 0,  # per cent, wide enough to be seen
            }
            for code, label in CHANGES.items()
            if (rows := counts.get(code, 0)) or code in _ALWAYS
        ],
        "kind": kind,
        "chosen": CHANGES[kind] if kind else None,
        "newly_broken": counts.get(Change.BROKEN, 0),
        "differing": sum(counts[code] for code in different if kind in ("", code)),
        "all_unanswered": different == {Change.UNANSWERED},
        "matched": matched,
        "one_is_quick": before.quick != after.quick,
        # Each list with its rows that have no DOI name to match by, and those never checked.
        "lists": [
            (job, max(0, job.done - job.duplicates - matched - alone), job.total - job.done)
            for job, alone in ((before, only_before), (after, only_after))
        ],
    }
