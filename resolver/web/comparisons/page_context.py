"""The context of the comparison page: its result in one line, the numbers and the filter above the table."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.contrib.humanize.templatetags.humanize import intcomma
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from resolver.domain.report.change import Change
from resolver.models import Comparison, Job
from resolver.web.wording.labels import CHANGES

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
        "has_changes": bool(different),
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


_HAPPENED = (Change.WORKING, Change.ADDRESS, Change.AGENCY, Change.OTHERWISE)


@dataclass(frozen=True, slots=True)
class Headline:
    """The result of a comparison in one line."""

    text: str
    tone: str
    sign: str


def build_headline(counts: Mapping[str, int], *, by_line: bool) -> Headline:
    """Return the worst change, and how many could not be compared, if any. The unit is rows if two runs of one file
    are compared (`by_line`), else DOIs."""
    first, unanswered = _describe_first(counts, by_line=by_line), counts.get(Change.UNANSWERED, 0)
    if not unanswered or first.tone == "unknown":
        return first
    text = _("%(headline)s; %(count)s couldn’t be compared")
    text %= {"headline": first.text, "count": intcomma(unanswered)}
    return replace(first, text=text) if first.tone == "bad" else Headline(text, "unknown", "?")


def add_proxy_warning(compared: Headline, before: Job, after: Job) -> Headline:
    """Return the headline, with a warning if sample data or different proxies make it say nothing about the DOIs."""
    shown = {"headline": compared.text}
    if before.sample != after.sample:
        return Headline(_("Sample data and real answers: %(headline)s") % shown, "warn", "!")
    if before.sample:
        return replace(compared, text=_("Sample data: %(headline)s") % shown)
    if before.proxy != after.proxy:
        return Headline(_("Two different proxies: %(headline)s") % shown, "warn", "!")
    return compared


def _describe_first(counts: Mapping[str, int], *, by_line: bool) -> Headline:
    if broken := counts.get(Change.BROKEN, 0):
        if by_line:
            text = ngettext("%(count)s row is newly broken", "%(count)s rows are newly broken", broken)
        else:
            text = ngettext("%(count)s DOI is newly broken", "%(count)s DOIs are newly broken", broken)
        return Headline(text % {"count": intcomma(broken)}, "bad", "✗")
    if changed := sum(counts.get(kind, 0) for kind in _HAPPENED):
        text = _("Nothing is newly broken; %(count)s changed")
        return Headline(text % {"count": intcomma(changed)}, "info", "→")
    if not counts.get(Change.UNCHANGED):
        return Headline(_("Nothing could be compared"), "unknown", "?")
    if counts.get(Change.ONLY_BEFORE) or counts.get(Change.ONLY_AFTER):
        return Headline(_("No changes in the DOIs that are in both lists"), "good", "✓")
    return Headline(_("No changes"), "good", "✓")
