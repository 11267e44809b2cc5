"""Verdicts: what an outcome means for the reader of a page, in a word, a headline, a sentence and a tone."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from typing import cast

from django.utils.functional import lazy
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy

from resolver.domain.report.correction import COMPARE_WORK
from resolver.domain.report.outcome import Outcome
from resolver.domain.report.triage import RowGroup, find_row_group
from resolver.web.wording.tone_signs import Toned
from resolver.web.wording.translate_message import translate_message

# Lazy texts are used like texts here: in templates and in the choices of forms.
_ = cast("Callable[[str], str]", gettext_lazy)


@dataclass(frozen=True, slots=True)
class Verdict(Toned):
    """The texts of an outcome: `word` for tables, `headline` and `sentence` for its page, `advice` for the help. `tone`
    is a colour and `sign` a shape; neither is shown without a text. `attention`: what a problem adds to the word."""

    word: str
    headline: str
    sentence: str
    advice: str
    tone: str
    attention: str = ""


_word = cast("Callable[[Outcome], str]", lazy(lambda outcome: capfirst(translate_message(outcome.word)), str))
_NOTHING_LEARNED = _("We couldn’t find out whether this DOI is registered. Check again later.")

VERDICTS: Mapping[str, Verdict] = {
    Outcome.RESOLVED: Verdict(
        _word(Outcome.RESOLVED),
        _("Resolved: registered, with a web address"),
        _("The DOI is registered and its record has a web address."),
        _("Nothing to do."),
        "good",
    ),
    Outcome.NO_URL: Verdict(
        _word(Outcome.NO_URL),
        _("Registered, but without a web address"),
        _("The DOI is registered, but its record has no web address, so its link doesn’t open a page."),
        _("Contact the Registration Agency or the publisher."),
        "warn",
    ),
    Outcome.NO_VALUES: Verdict(
        _word(Outcome.NO_VALUES),
        _("Registered, but its record is empty"),
        _("The DOI is registered, but its record is empty, so its link doesn’t open a page."),
        _("Contact the Registration Agency or the publisher."),
        "warn",
    ),
    Outcome.NOT_FOUND: Verdict(
        _word(Outcome.NOT_FOUND),
        _("Not registered"),
        _("This DOI isn’t registered, so its link shows an error page."),
        _("Check it against the publication, character by character. If it matches, contact the agency of the prefix."),
        "bad",
    ),
    Outcome.REGISTERED: Verdict(
        _word(Outcome.REGISTERED),
        _("Registered"),
        _("The DOI is registered with a Registration Agency. A quick check doesn’t look up its record."),
        _("Nothing to do. Run the full check if you need the web addresses."),
        "good",
    ),
    Outcome.INVALID: Verdict(
        _word(Outcome.INVALID),
        _("Not a DOI"),
        _("This isn’t a valid DOI, so we couldn’t check it."),
        _("See the problems, and the suggestion if there is one."),
        "bad",
    ),
    Outcome.PROXY_ERROR: Verdict(
        _word(Outcome.PROXY_ERROR),
        _("Couldn’t check: DOI service error"),
        _NOTHING_LEARNED,
        _("Check again later. The DOI may still be registered."),
        "unknown",
    ),
    Outcome.UNREACHABLE: Verdict(
        _word(Outcome.UNREACHABLE),
        _("Couldn’t check: no answer from the DOI service"),
        _NOTHING_LEARNED,
        _("Check again later. The DOI may still be registered."),
        "unknown",
    ),
    "": Verdict(_("Not checked"), _("Not checked yet"), _("We haven’t checked this DOI yet."), "", "waits"),
}

_ATTENTION: Mapping[str, tuple[str, str]] = {
    RowGroup.NEEDS_WORK: ("warn", _("needs attention")),
    RowGroup.TIDIER: ("tidy", _("needs cleaning up")),
}
"""For what is registered and has an address: the tone and the words of its group."""


def find_status(outcome: str, codes: Collection[str], address: str = "") -> Verdict:
    """Return the texts of an outcome together with the problems and the class of the address, for a tag. What needs
    attention is never green."""
    found = VERDICTS.get(outcome, VERDICTS[""])
    group = find_row_group(outcome, codes, address)
    if group is RowGroup.EMPTY:
        return replace(found, word=_("Empty"), tone="unknown")
    tone, words = _ATTENTION.get(group, ("", ""))
    if group is RowGroup.FINE and COMPARE_WORK in codes:
        tone, words = "warn", _("to compare")
    if group is RowGroup.TIDIER and find_row_group(outcome, codes) is not group:
        words = _("leads to another page")
    return replace(found, tone=tone, attention=words) if words and found.tone == "good" else found
