"""What a change between two runs is called on a page: one place, so that no two pages say it differently."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from django.contrib.humanize.templatetags.humanize import intcomma
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from resolver.domain.report.diff import Change
from resolver.models import Job

Text = str | Promise  # translated when it is shown
_HAPPENED = (Change.WORKING, Change.ADDRESS, Change.AGENCY, Change.OTHERWISE)


@dataclass(frozen=True, slots=True)
class ChangeWords:
    """`word` for tables, `advice` for what to do. `tone` chooses a colour and `sign` a shape; neither ever stands
    without the word."""

    word: Text
    advice: Text
    tone: str
    sign: str


CHANGES: Mapping[str, ChangeWords] = {
    Change.BROKEN: ChangeWords(
        gettext_lazy("Newly broken"),
        gettext_lazy("These worked in the earlier run. Open a row to see who to contact."),
        "bad",
        "✗",
    ),
    Change.WORKING: ChangeWords(
        gettext_lazy("Newly working"), gettext_lazy("Nothing to do: the error is fixed."), "good", "✓"
    ),
    Change.ADDRESS: ChangeWords(
        gettext_lazy("Web address changed"),
        gettext_lazy("Update it if you store web addresses. DOI links don’t need to change."),
        "info",
        "→",
    ),
    Change.AGENCY: ChangeWords(
        gettext_lazy("Agency changed"),
        gettext_lazy("If you report a problem, contact the new agency."),
        "info",
        "⇄",
    ),
    Change.OTHERWISE: ChangeWords(
        gettext_lazy("Other changes"),
        gettext_lazy("Still working or still broken, but something changed. Open a row to see what."),
        "warn",
        "!",
    ),
    Change.UNANSWERED: ChangeWords(
        gettext_lazy("Couldn’t be compared"),
        gettext_lazy("At least one run couldn’t check these rows. Retry them."),
        "unknown",
        "?",
    ),
    Change.ONLY_BEFORE: ChangeWords(
        gettext_lazy("Only in the earlier list"),
        gettext_lazy("The later list doesn’t contain this DOI."),
        "unknown",
        "−",
    ),
    Change.ONLY_AFTER: ChangeWords(
        gettext_lazy("Only in the later list"),
        gettext_lazy("The earlier list doesn’t contain this DOI."),
        "unknown",
        "+",
    ),
    Change.UNCHANGED: ChangeWords(gettext_lazy("Unchanged"), "", "unknown", "="),
}


@dataclass(frozen=True, slots=True)
class Headline:
    """What one look must tell."""

    text: str
    tone: str
    sign: str


def headline(counts: Mapping[str, int], *, by_line: bool) -> Headline:
    """The worst first, in rows where two runs of one file are compared, else in DOIs; and always how many of them one
    of the runs has no answer for: of these nothing is known."""
    first, unanswered = _first(counts, by_line=by_line), counts.get(Change.UNANSWERED, 0)
    if not unanswered or first.tone == "unknown":
        return first
    text = ngettext(
        "%(headline)s; %(count)s couldn’t be compared",
        "%(headline)s; %(count)s couldn’t be compared",
        unanswered,
    )
    told = text % {"headline": first.text, "count": intcomma(unanswered)}
    return Headline(told, "bad", "✗") if first.tone == "bad" else Headline(told, "unknown", "?")


def of_two_proxies(told: Headline, before: Job, after: Job) -> Headline:
    """The same where the proxies that were asked must be known first: sample data are no evidence of any change, and
    neither is what two proxies say differently."""
    if before.sample != after.sample:
        return Headline(_("Sample data and real answers: %(headline)s") % {"headline": told.text}, "warn", "!")
    if before.sample:
        return replace(told, text=_("Sample data: %(headline)s") % {"headline": told.text})
    if before.proxy != after.proxy:
        return Headline(_("Two different proxies: %(headline)s") % {"headline": told.text}, "warn", "!")
    return told


def _first(counts: Mapping[str, int], *, by_line: bool) -> Headline:
    broken = counts.get(Change.BROKEN, 0)
    changed = sum(counts.get(kind, 0) for kind in _HAPPENED)
    if broken:
        if by_line:
            text = ngettext("%(count)s row is newly broken", "%(count)s rows are newly broken", broken)
        else:
            text = ngettext("%(count)s DOI is newly broken", "%(count)s DOIs are newly broken", broken)
        return Headline(text % {"count": intcomma(broken)}, "bad", "✗")
    if changed:
        if by_line:
            text = ngettext(
                "Nothing is newly broken; %(count)s row changed",
                "Nothing is newly broken; %(count)s rows changed",
                changed,
            )
        else:
            text = ngettext(
                "Nothing is newly broken; %(count)s DOI changed",
                "Nothing is newly broken; %(count)s DOIs changed",
                changed,
            )
        return Headline(text % {"count": intcomma(changed)}, "info", "→")
    if not counts.get(Change.UNCHANGED):
        return Headline(_("Nothing could be compared"), "unknown", "?")
    if counts.get(Change.ONLY_BEFORE) or counts.get(Change.ONLY_AFTER):
        return Headline(_("No changes in the DOIs that are in both lists"), "good", "✓")
    return Headline(_("No changes"), "good", "✓")
