"""The result of a comparison in one line."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from django.contrib.humanize.templatetags.humanize import intcomma
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from resolver.domain.report.change import Change
from resolver.models import Job

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
    """Return the headline with a warning if the lists were checked with sample data or with different proxies, which
    says nothing about the DOIs."""
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
