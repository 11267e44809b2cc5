"""The labels of changes between two runs, and the headline of a comparison."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from django.contrib.humanize.templatetags.humanize import intcomma
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from resolver.domain.report.change import Change
from resolver.models import Job

Text = str | Promise  # translated when it is shown
_HAPPENED = (Change.WORKING, Change.ADDRESS, Change.AGENCY, Change.OTHERWISE)


@dataclass(frozen=True, slots=True)
class ChangeLabel:
    """`word` for tables, `advice` for what to do. `tone` is a colour and `sign` a shape; neither is shown without the
    word."""

    word: Text
    advice: Text
    tone: str
    sign: str


CHANGES: Mapping[str, ChangeLabel] = {
    Change.BROKEN: ChangeLabel(
        gettext_lazy("Newly broken"),
        gettext_lazy("These worked in the earlier list. Open a row to see who to contact."),
        "bad",
        "✗",
    ),
    Change.WORKING: ChangeLabel(
        gettext_lazy("Newly working"), gettext_lazy("Nothing to do: the error is fixed."), "good", "✓"
    ),
    Change.ADDRESS: ChangeLabel(
        gettext_lazy("Web address changed"),
        gettext_lazy("Update it if you store web addresses. DOI links don’t need to change."),
        "info",
        "→",
    ),
    Change.AGENCY: ChangeLabel(
        gettext_lazy("Agency changed"),
        gettext_lazy("If you report a problem, contact the new agency."),
        "info",
        "⇄",
    ),
    Change.OTHERWISE: ChangeLabel(
        gettext_lazy("Other changes"),
        gettext_lazy("Still working or still broken, but something changed. Open a row to see what."),
        "warn",
        "!",
    ),
    Change.UNANSWERED: ChangeLabel(
        gettext_lazy("Couldn’t be compared"),
        gettext_lazy("We couldn’t check these rows in at least one of the lists. Retry them there."),
        "unknown",
        "?",
    ),
    Change.ONLY_BEFORE: ChangeLabel(
        gettext_lazy("Only in the earlier list"),
        gettext_lazy("The later list doesn’t contain this DOI."),
        "unknown",
        "−",
    ),
    Change.ONLY_AFTER: ChangeLabel(
        gettext_lazy("Only in the later list"),
        gettext_lazy("The earlier list doesn’t contain this DOI."),
        "unknown",
        "+",
    ),
    Change.UNCHANGED: ChangeLabel(gettext_lazy("Unchanged"), "", "unknown", "="),
}


@dataclass(frozen=True, slots=True)
class Headline:
    """The result of a comparison in one line."""

    text: str
    tone: str
    sign: str


def build_headline(counts: Mapping[str, int], *, by_line: bool) -> Headline:
    """Return the worst change, and how many could not be compared, if any. The unit is rows if two runs of one file
    are compared (`by_line`), else DOIs."""
    first, unanswered = _first(counts, by_line=by_line), counts.get(Change.UNANSWERED, 0)
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


def _first(counts: Mapping[str, int], *, by_line: bool) -> Headline:
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
