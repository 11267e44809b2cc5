"""What an outcome is called on a page, with its sign and tone: one place, so that no two pages say it differently, and
a bar or a tag never stands for something by its colour alone."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast

from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy, ngettext

from resolver.domain.problems.problem import CATALOGUE
from resolver.domain.report.report import COULD_NOT_ASK, Outcome
from resolver.domain.report.triage import Group

# A promise of text stands wherever text can stand here: in templates, in the choices of a form.
_ = cast("Callable[[str], str]", gettext_lazy)


@dataclass(frozen=True, slots=True)
class Verdict:
    """`word` for tables, `headline` and `sentence` for the result page, `advice` for the help page.

    `tone` chooses a colour and `sign` a shape; neither ever stands without the word.
    """

    word: str
    headline: str
    sentence: str
    advice: str
    tone: str
    sign: str


_NOTHING_LEARNED = _("We couldn’t find out whether this DOI is registered. Check again later.")

VERDICTS: Mapping[str, Verdict] = {
    Outcome.RESOLVED: Verdict(
        _("resolved"),
        _("Registered, with a web address"),
        _("The DOI is registered and its record has a web address."),
        _("Nothing to do."),
        "good",
        "✓",
    ),
    Outcome.NO_URL: Verdict(
        _("no web address"),
        _("Registered, but without a web address"),
        _("The DOI is registered, but its record has no web address, so its link doesn’t open a page."),
        _("Contact the Registration Agency or the publisher."),
        "warn",
        "!",
    ),
    Outcome.NO_VALUES: Verdict(
        _("empty record"),
        _("Registered, but its record is empty"),
        _("The DOI is registered, but its record is empty, so its link doesn’t open a page."),
        _("Contact the Registration Agency or the publisher."),
        "warn",
        "!",
    ),
    Outcome.NOT_FOUND: Verdict(
        _("not registered"),
        _("Not registered"),
        _("This DOI isn’t registered, so its link shows an error page."),
        _("Check it against the publication, character by character. If it matches, contact the agency of the prefix."),
        "bad",
        "✗",
    ),
    Outcome.REGISTERED: Verdict(
        _("registered"),
        _("Registered"),
        _("The DOI is registered with a Registration Agency. A quick check doesn’t look up its record."),
        _("Nothing to do. Run the full check if you need the web addresses."),
        "good",
        "✓",
    ),
    Outcome.INVALID: Verdict(
        _("not a DOI"),
        _("Not a DOI"),
        _("This isn’t a valid DOI, so we couldn’t check it."),
        _("See the problems, and the suggestion if there is one."),
        "bad",
        "✗",
    ),
    Outcome.PROXY_ERROR: Verdict(
        _("couldn't check (DOI service error)"),
        _("Couldn’t check: DOI service error"),
        _NOTHING_LEARNED,
        _("Check again later. The DOI may still be registered."),
        "unknown",
        "?",
    ),
    Outcome.UNREACHABLE: Verdict(
        _("couldn't check (DOI service unreachable)"),
        _("Couldn’t check: no answer from the DOI service"),
        _NOTHING_LEARNED,
        _("Check again later. The DOI may still be registered."),
        "unknown",
        "?",
    ),
    "": Verdict(_("not asked"), _("Not checked yet"), _("We haven’t checked this DOI yet."), "", "unknown", "…"),
}

_TWICE = _("It looks encoded twice, but it is registered like this. Check it against the publication.")
_EXIST = (Outcome.RESOLVED, Outcome.REGISTERED, Outcome.NO_URL, Outcome.NO_VALUES)
_SIGNS = {"bad": "✗", "unknown": "?", "warn": "!", "good": "✓"}  # the worst tone first
_AT_FAULT = _("The DOI is registered, but your link may open the wrong DOI.")

# What a problem changes of the verdict's page, with the outcomes of which it does; the first that fits counts.
_SITUATIONS: tuple[tuple[str, Collection[str], str, str], ...] = (
    (
        "no-doi",
        (Outcome.INVALID,),
        _("No DOI in this text"),
        _("We found nothing in it that looks like a DOI."),
    ),
    (
        "missing-suffix",
        (Outcome.INVALID,),
        _("Only a prefix, not a DOI"),
        _("The part after the slash is missing."),
    ),
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
    (
        "double-encoded",
        (Outcome.RESOLVED, Outcome.REGISTERED),
        _("Registered, but it looks encoded twice"),
        _TWICE,
    ),
)


def verdict_on(outcome: str, problems: Collection[Mapping[str, str]], addresses_are_safe: bool = True) -> Verdict:
    """The words of the outcome for a page about one answer; a problem may make them more exact, and a warning of them.
    `problems` have a `code` and a `severity`; `addresses_are_safe`: one at least is a web address, or none is there."""
    found = VERDICTS.get(outcome, VERDICTS[""])
    codes = {problem["code"] for problem in problems}
    errors = {problem["code"] for problem in problems if problem["severity"] == "error"}
    for code, outcomes, headline, sentence in _SITUATIONS:
        if code in codes and outcome in outcomes:
            return _doubtful(replace(found, headline=headline, sentence=sentence))
    if not addresses_are_safe:
        headline, sentence = _("Registered, but without a safe web address"), _("Its record has no web address.")
        return _doubtful(replace(found, headline=headline, sentence=sentence))
    if found.tone == "good" and any(code.startswith("unescaped-") for code in errors):
        headline = _("Registered, but your link is broken")
        return _doubtful(replace(found, headline=headline, sentence=_AT_FAULT))
    return found


def verdict_on_all(first: Verdict, outcomes: Sequence[str]) -> Verdict:
    """The verdict on a text with several DOIs, in the worst tone of all: `first` is that on the first of them, and
    `outcomes` are those of all. Where none of them could be asked for, `first` says it already."""
    exist, unasked = (sum(each in kinds for each in outcomes) for kinds in (_EXIST, COULD_NOT_ASK))
    tones = {first.tone, *(VERDICTS.get(each, VERDICTS[""]).tone for each in outcomes)}
    if len(outcomes) == 1 or tones == {"unknown"}:
        return first
    shown = {"exist": exist, "all": len(outcomes), "unasked": unasked}
    if unasked:
        headline = gettext("%(exist)s of %(all)s DOIs registered, %(unasked)s couldn’t be checked") % shown
    elif not exist:
        headline = gettext("None of the %(all)s DOIs is registered") % shown
    elif exist == len(outcomes):
        headline = gettext("All %(all)s DOIs are registered") % shown
    else:
        headline = (
            ngettext("%(exist)s of %(all)s DOIs is registered", "%(exist)s of %(all)s DOIs are registered", exist)
            % shown
        )
    tone = next(tone for tone in _SIGNS if tone in tones)
    return replace(first, headline=headline, tone=tone, sign=_SIGNS[tone])


def exists(outcome: str) -> bool:
    """Whether the name is registered, whatever its record holds."""
    return outcome in _EXIST


def _doubtful(verdict: Verdict) -> Verdict:
    return replace(verdict, tone="warn", sign="!") if verdict.tone == "good" else verdict


FORMS: Mapping[str, str] = {
    "name": _("a DOI name"),
    "label": _("a DOI name after the label doi:"),
    "uri": _("a doi: URI"),
    "urn": _("a URN"),
    "info": _("an info:doi/ URI"),
    "url": _("a DOI link"),
    "api-url": _("a link to the DOI proxy's interface"),
    "wrapped": _("a link through a library’s proxy or link resolver"),
    "publisher-url": _("a publisher's link"),
    "text": _("text that contains a DOI"),
    "none": _("text without a DOI"),
}

STATES: Mapping[str, str] = {
    "queued": _("In queue"),
    "reading": _("Reading and checking the file"),
    "checking": _("Checking"),
    "finished": _("Finished"),
    "cancelled": _("Cancelled"),
    "failed": _("Failed"),
}

SEVERITIES: Mapping[str, str] = {"error": _("Error"), "warning": _("Warning"), "info": _("Note")}


def problem_word(code: str) -> str:
    """A problem's name for people, in their language; a code that the catalogue has not, as it is."""
    return gettext(CATALOGUE[code].title) if code in CATALOGUE else code


SEVERITY_SIGNS: Mapping[str, str] = {"error": "✗", "warning": "!", "info": "i"}


@dataclass(frozen=True, slots=True)
class GroupLabel:
    """A group of rows: `word` beside a number, `rows` by itself."""

    word: str | Promise
    rows: str | Promise
    sign: str
    tone: str


GROUPS: Mapping[str, GroupLabel] = {
    Group.NEEDS_WORK: GroupLabel(_("need attention"), _("Rows that need attention"), "✗", "bad"),
    Group.COULD_NOT_ASK: GroupLabel(_("couldn’t be checked"), _("Rows we couldn’t check"), "?", "unknown"),
    Group.NOT_ASKED: GroupLabel(_("not checked yet"), _("Rows not checked yet"), "…", "unknown"),
    Group.FINE: GroupLabel(_("OK"), _("Rows that are OK"), "✓", "good"),
}


def shape(name: str, value: str) -> tuple[str, str]:
    """Sign and tone of an outcome, a problem or an agency (which has neither)."""
    if name == "outcome" and value in VERDICTS:
        return VERDICTS[value].sign, VERDICTS[value].tone
    if name == "problem" and value in CATALOGUE:
        severity = str(CATALOGUE[value].severity)
        return SEVERITY_SIGNS[severity], severity
    return "", ""
