"""The labels of changes between two runs."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from resolver.domain.report.change import Change

Text = str | Promise  # translated when it is shown


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
