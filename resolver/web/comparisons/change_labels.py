"""The labels of changes between two runs."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import cast

from django.utils.translation import gettext_lazy

from resolver.domain.report.change import Change

_ = cast("Callable[[str], str]", gettext_lazy)  # translated when it is shown


@dataclass(frozen=True, slots=True)
class ChangeLabel:
    """`word` for tables, `advice` for what to do. `tone` is a colour and `sign` a shape; neither is shown without the
    word."""

    word: str
    advice: str
    tone: str
    sign: str


CHANGES: Mapping[str, ChangeLabel] = {
    Change.BROKEN: ChangeLabel(
        _("Newly broken"), _("These worked in the earlier list. Open a row to see who to contact."), "bad", "✗"
    ),
    Change.WORKING: ChangeLabel(_("Newly working"), _("Nothing to do: the error is fixed."), "good", "✓"),
    Change.ADDRESS: ChangeLabel(
        _("Web address changed"),
        _("Update it if you store web addresses. DOI links don’t need to change."),
        "info",
        "→",
    ),
    Change.AGENCY: ChangeLabel(_("Agency changed"), _("If you report a problem, contact the new agency."), "info", "⇄"),
    Change.OTHERWISE: ChangeLabel(
        _("Other changes"),
        _("Still working or still broken, but something changed. Open a row to see what."),
        "warn",
        "!",
    ),
    Change.UNANSWERED: ChangeLabel(
        _("Couldn’t be compared"),
        _("We couldn’t check these rows in at least one of the lists. Retry them there."),
        "unknown",
        "?",
    ),
    Change.ONLY_BEFORE: ChangeLabel(
        _("Only in the earlier list"), _("The later list doesn’t contain this DOI."), "unknown", "−"
    ),
    Change.ONLY_AFTER: ChangeLabel(
        _("Only in the later list"), _("The earlier list doesn’t contain this DOI."), "unknown", "+"
    ),
    Change.UNCHANGED: ChangeLabel(_("Unchanged"), "", "unknown", "="),
}
