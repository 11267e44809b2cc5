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


_NOTHING_LEARNED = _(
    "Nothing was learned about this DOI: it may exist or not. This answer is not kept, so checking again asks again."
)

VERDICTS: Mapping[str, Verdict] = {
    Outcome.RESOLVED: Verdict(
        _("resolved"),
        _("Registered, with a web address"),
        _("The DOI proxy knows this name, and its record holds an address to which a click leads."),
        _("Nothing to do."),
        "good",
        "✓",
    ),
    Outcome.NO_URL: Verdict(
        _("no address"),
        _("Registered, but without a web address"),
        _("The DOI proxy knows this name, but its record holds no address, so a click on it leads nowhere."),
        _("Tell the Registration Agency, or the publisher."),
        "warn",
        "!",
    ),
    Outcome.NO_VALUES: Verdict(
        _("empty record"),
        _("Registered, but its record is empty"),
        _("The DOI proxy knows this name, but its record holds nothing at all, so a click on it leads nowhere."),
        _("Tell the Registration Agency, or the publisher."),
        "warn",
        "!",
    ),
    Outcome.NOT_FOUND: Verdict(
        _("not found"),
        _("Not registered"),
        _("The DOI proxy answered that no such DOI exists, so a click on it leads to an error page."),
        _("Compare the name with the print, character by character; the agency of the prefix can say more."),
        "bad",
        "✗",
    ),
    Outcome.REGISTERED: Verdict(
        _("registered"),
        _("Registered"),
        _("A Registration Agency answers for this name. In a quick check the record itself is not asked for."),
        _("Nothing to do; run the full check when you need the addresses."),
        "good",
        "✓",
    ),
    Outcome.INVALID: Verdict(
        _("no DOI name"),
        _("No DOI name"),
        _("As it stands this is no DOI name, so there was none to ask for."),
        _("Look at the problems, and at the suggestion when there is one."),
        "bad",
        "✗",
    ),
    Outcome.PROXY_ERROR: Verdict(
        _("could not ask (proxy error)"),
        _("Could not ask: the DOI proxy gave no usable answer"),
        _NOTHING_LEARNED,
        _("Check again later. It says nothing about the DOI."),
        "unknown",
        "?",
    ),
    Outcome.UNREACHABLE: Verdict(
        _("could not ask (unreachable)"),
        _("Could not ask: the DOI proxy did not answer"),
        _NOTHING_LEARNED,
        _("Check again later. It says nothing about the DOI."),
        "unknown",
        "?",
    ),
    "": Verdict(_("not asked"), _("Not asked yet"), _("Nobody has asked for this name yet."), "", "unknown", "…"),
}

_TWICE = _("It looks encoded twice, but the DOI proxy knows this name as it is. Compare it with the print.")
_EXIST = (Outcome.RESOLVED, Outcome.REGISTERED, Outcome.NO_URL, Outcome.NO_VALUES)
_SIGNS = {"bad": "✗", "unknown": "?", "warn": "!", "good": "✓"}  # the worst tone first
_AT_FAULT = _("The name is registered, but what you gave does not lead there safely, or not to all of what was meant.")

# What a problem changes of the verdict's page, with the outcomes of which it does; the first that fits counts.
_SITUATIONS: tuple[tuple[str, Collection[str], str, str], ...] = (
    (
        "no-doi",
        (Outcome.INVALID,),
        _("No DOI in this text"),
        _("Nothing in it reads as a DOI, so there was none to ask for."),
    ),
    (
        "missing-suffix",
        (Outcome.INVALID,),
        _("A prefix alone, which is no DOI name"),
        _("It tells who registered, and not what: the part after the slash is missing."),
    ),
    (
        "short-doi",
        (Outcome.INVALID,),
        _("A short DOI, which is no DOI name"),
        _("It only stands for a DOI, and that is the one to keep."),
    ),
    (
        "alias-loop",
        (Outcome.NO_URL,),
        _("Registered, but its aliases run in a circle"),
        _("The DOI proxy knows this name, but a click on it ends in an error."),
    ),
    (
        "deleted",
        (Outcome.RESOLVED,),
        _("Registered, but it leads to a page for deleted DOIs"),
        _("The DOI proxy knows this name, but a click on it does not lead to the document any more."),
    ),
    (
        "double-encoded",
        (Outcome.RESOLVED, Outcome.REGISTERED),
        _("Registered, though it looks encoded twice"),
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
        headline, sentence = _("Registered, but without a safe web address"), _("Its record holds no web address.")
        return _doubtful(replace(found, headline=headline, sentence=sentence))
    if found.tone == "good" and any(code.startswith("unescaped-") for code in errors):
        headline = _("Registered, but the text that you gave is at fault")
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
    "wrapped": _("a link that goes through a library's proxy or link resolver"),
    "publisher-url": _("a publisher's link"),
    "text": _("text with a DOI in it"),
    "none": _("text without a DOI"),
}

STATES: Mapping[str, str] = {
    "queued": _("Waiting to be read"),
    "reading": _("Reading the file and checking what is read"),
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
