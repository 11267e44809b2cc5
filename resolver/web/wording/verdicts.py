"""Verdicts: what an outcome means for the reader of a page, in a word, a headline, a sentence and a tone."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast

from django.utils.functional import lazy
from django.utils.text import capfirst
from django.utils.translation import gettext, gettext_lazy, ngettext

from resolver.domain.redirect.destination import NOWHERE
from resolver.domain.report.outcome import COULD_NOT_ASK, EXISTS, Outcome
from resolver.domain.report.target import Target
from resolver.domain.report.text_problems import WHITE_SPACE
from resolver.domain.report.triage import RowGroup, find_row_group
from resolver.web.wording.tone_signs import SIGNS, Toned
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

_TWICE = _("It looks encoded twice, but it is registered like this. Check it against the publication.")
_DIVIDED = _("Remove the space: a link made from this text doesn’t work.")
_AT_FAULT = _("The DOI is registered, but your link may open the wrong DOI.")

_UNCLEAR = _("The DOI is registered, but it may not be the one that is meant. See the problems below.")

# A problem, the outcomes that it changes, and their headline and sentence then; the first that applies counts.
_SITUATIONS: tuple[tuple[str, Collection[str], str, str], ...] = (
    ("no-doi", (Outcome.INVALID,), _("No DOI in this text"), _("We found nothing in it that looks like a DOI.")),
    ("empty", (Outcome.INVALID,), _("Empty cell"), _("There is nothing in it to check.")),
    ("missing-suffix", (Outcome.INVALID,), _("Only a prefix, not a DOI"), _("The part after the slash is missing.")),
    (
        "short-doi",
        (Outcome.INVALID,),
        _("A shortDOI, not a DOI"),
        _("A shortDOI stands for a DOI. Keep the DOI instead."),
    ),
    (
        "alias-loop",
        (Outcome.NO_URL,),
        _("Registered, but its aliases form a loop"),
        _("The DOI is registered, but its link shows an error."),
    ),
    (
        "deleted",
        (Outcome.RESOLVED,),
        _("Registered, but its link opens a page for deleted DOIs"),
        _("The DOI is registered, but its link no longer opens the document."),
    ),
    *(
        (
            code,
            (Outcome.RESOLVED,),
            _("Registered, but its record leads nowhere"),
            _("The DOI is registered, but the address in its record opens no document."),
        )
        for code in NOWHERE
    ),
    ("double-encoded", (Outcome.RESOLVED, Outcome.REGISTERED), _("Registered, but it looks encoded twice"), _TWICE),
)


_ELSEWHERE: Mapping[str, tuple[str, str]] = {
    Target.OTHER_HOST: (
        _("Registered, but it leads to another site"),
        _("The DOI is registered, but its record doesn’t lead to the expected site."),
    ),
    Target.NO_ADDRESS: (
        _("Registered, but without a web address"),
        _("The DOI is registered, but its record has no web address to compare with the expected one."),
    ),
    Target.SAME_HOST: (
        _("Registered, but it leads to another page"),
        _("The DOI leads to the expected site, but to another page than expected."),
    ),
}
"""The headline and the sentence for a DOI with an address that isn't the expected one."""
_ATTENTION: Mapping[str, tuple[str, str]] = {
    RowGroup.NEEDS_WORK: ("warn", _("needs attention")),
    RowGroup.TIDIER: ("tidy", _("could be tidier")),
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
    return replace(found, tone=tone, attention=words) if words and found.tone == "good" else found


def find_verdict(
    outcome: str,
    problems: Collection[Mapping[str, str]],
    addresses_are_safe: bool = True,
    *,
    address: str = "",
    rewritten: bool = False,
) -> Verdict:
    """Return the texts of an outcome for the page of one result, which a problem may change. `problems` have a `code`
    and a `severity`; `addresses_are_safe` is False if no address is a web address. `address`: the class of the address,
    see `Target`. `rewritten`: the page shows how the DOI should be written."""
    found = VERDICTS.get(outcome, VERDICTS[""])
    codes = {problem["code"] for problem in problems}
    errors = {problem["code"] for problem in problems if problem["severity"] == "error"}
    if outcome == Outcome.INVALID and not codes.isdisjoint(WHITE_SPACE) and errors <= WHITE_SPACE:
        return replace(found, headline=_("Not a DOI: a space divides it"), sentence=_DIVIDED)
    for code, outcomes, headline, sentence in _SITUATIONS:
        if code in codes and outcome in outcomes:
            return replace(found, headline=headline, sentence=sentence, tone=find_status(outcome, codes).tone)
    if not addresses_are_safe:
        headline = _("Registered, but without a safe web address")
        sentence = _("The address in its record isn’t a web address.")
        return _mark_doubtful(replace(found, headline=headline, sentence=sentence))
    if found.tone == "good" and any(code.startswith("unescaped-") for code in errors):
        headline = _("Registered, but your link is broken")
        return _mark_doubtful(replace(found, headline=headline, sentence=_AT_FAULT))
    # Another DOI in the text is no matter of this one.
    codes -= {"several-dois", "other-not-registered"}
    status = find_status(outcome, codes, address)
    if found.tone == "good" and address in _ELSEWHERE and find_status(outcome, codes).tone != "warn":
        headline, sentence = _ELSEWHERE[address]
        return replace(found, headline=headline, sentence=sentence, tone=status.tone)
    if found.tone == "good" and status.tone == "tidy":
        if not rewritten or outcome == Outcome.REGISTERED:  # a quick check doesn't know whether it works
            return replace(found, tone="tidy")
        headline = _("Works, but should be written differently")
        sentence = _("The DOI is registered and works, but you can write it in a better way.")
        return replace(found, headline=headline, sentence=sentence, tone="tidy")
    if found.tone == "good" and status.tone == "warn":
        return _mark_doubtful(replace(found, headline=_("Registered, but it needs attention"), sentence=_UNCLEAR))
    return found


def combine_verdicts(first: Verdict, outcomes: Sequence[str]) -> Verdict:
    """Return the verdict on a text with several DOIs, in the worst tone of all; never in green, because each DOI needs
    a row of its own. `first` is the verdict on the first DOI, and `outcomes` are those of all. It stays if none could
    be checked."""
    exist, unasked = (sum(each in kinds for each in outcomes) for kinds in (EXISTS, COULD_NOT_ASK))
    tones = {first.tone, *(VERDICTS.get(each, VERDICTS[""]).tone for each in outcomes)}
    if len(outcomes) == 1 or tones <= {"unknown", "waits"}:
        return first
    shown = {"exist": exist, "all": len(outcomes), "unasked": unasked}
    if unasked:
        headline = gettext("%(exist)s of %(all)s DOIs registered, %(unasked)s couldn’t be checked") % shown
    elif not exist:
        headline = gettext("None of the %(all)s DOIs is registered") % shown
    elif exist == len(outcomes):
        headline = gettext("All %(all)s DOIs are registered") % shown
    else:
        some = ngettext("%(exist)s of %(all)s DOIs is registered", "%(exist)s of %(all)s DOIs are registered", exist)
        headline = some % shown
    return replace(first, headline=headline, tone=next(tone for tone in SIGNS if tone in tones | {"warn"}))


def _mark_doubtful(verdict: Verdict) -> Verdict:
    return replace(verdict, tone="warn") if verdict.tone == "good" else verdict
