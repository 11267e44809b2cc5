"""The headline of the page of a result: the whole situation in the reader's words, and one sentence more."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, cast

from django.utils.translation import gettext, gettext_lazy, ngettext

from resolver.domain.redirect.destination import NOWHERE
from resolver.domain.report.correction import (
    COMPARE_WORK,
    CUT_SHORT,
    FOUND_BY_IDENTIFIER,
    FOUND_BY_TITLE,
    HYPERLINK,
    OTHER_WORK,
    UNPROVEN,
    is_unsure,
)
from resolver.domain.report.outcome import COULD_NOT_ASK, EXISTS, Outcome
from resolver.domain.report.report import is_safe_link
from resolver.domain.report.target import Target
from resolver.domain.report.text_problems import WHITE_SPACE
from resolver.domain.report.triage import DELETED
from resolver.domain.work.events import CONCERN, RETRACTED
from resolver.models import Lookup
from resolver.web.lookups.result_facts import INVISIBLE, ResultFacts
from resolver.web.wording.tone_signs import SIGNS, Toned
from resolver.web.wording.verdicts import VERDICTS, find_status

# Lazy texts are used like texts here: the table is made at import.
_ = cast("Callable[[str], str]", gettext_lazy)


@dataclass(frozen=True, slots=True)
class ResultHeadline(Toned):
    """`text` is the heading, `sentence` stands below it. `code` names the situation."""

    code: str
    text: str
    sentence: str
    tone: str


class _Situation(NamedTuple):
    """A row of the table. `tone`: "" for that of the outcome together with the problems."""

    code: str
    applies: Callable[[ResultFacts], object]
    text: str
    sentence: str
    tone: str = ""


def _has(*codes: str) -> Callable[[ResultFacts], object]:
    return lambda f: f.has(*codes)


def _is(*outcomes: str) -> Callable[[ResultFacts], object]:
    return lambda f: f.result.outcome in outcomes


def _always(_facts: ResultFacts) -> bool:
    return True


def _is_guess(f: ResultFacts) -> bool:
    return f.doubtful or is_unsure(f.codes) or f.has(UNPROVEN)


def _is_divided(f: ResultFacts) -> bool:
    """Whether only white space is wrong with the text."""
    return f.has(*WHITE_SPACE) and WHITE_SPACE.issuperset(f.errors)


def _leads_to(target: Target) -> Callable[[ResultFacts], bool]:
    """Return the condition for a DOI with another address than expected, if its text is not the first concern."""
    return lambda f: f.address == target and find_status(f.result.outcome, f.codes).tone != "warn"


def _has_unsafe_addresses(f: ResultFacts) -> bool:
    return bool(f.result.urls) and not any(map(is_safe_link, f.result.urls))


def _has_tone(tone: str) -> Callable[[ResultFacts], bool]:
    return lambda f: find_status(f.result.outcome, f.codes, f.address).tone == tone


_NOTHING_LEARNED: Sequence[_Situation] = (
    _Situation("not-checked", _is(""), _("Not checked yet"), _("We haven’t checked this DOI yet."), "waits"),
    _Situation("not-read", _has("not-read"), _("We couldn’t read this text"), _("This is an error of the portal. It says nothing about the DOI."), "unknown"),
    _Situation("no-record", lambda f: f.result.ra, _("We couldn’t get the record of this DOI"), _("We only know its agency. Check again later."), "unknown"),
    _Situation("unreachable", _is(Outcome.UNREACHABLE), _("We couldn’t check this DOI"), _("The DOI system didn’t answer. Your DOI may still be right: check again later."), "unknown"),
    _Situation("proxy-error", _always, _("We couldn’t check this DOI"), _("The DOI system answered with an error. Your DOI may still be right: check again later."), "unknown"),
)  # fmt: skip

_SEVERAL_FOUND = _Situation(
    "several-found",
    lambda f: f.has(FOUND_BY_TITLE, FOUND_BY_IDENTIFIER) and f.rivals,
    _("We found works that may be this one"),
    _("Perhaps none of them is. Compare each with your row."),
    "warn",
)

_FOUND: Sequence[_Situation] = (
    _Situation("identified", _has(FOUND_BY_IDENTIFIER), _("Another column of this row has a DOI"), _("Compare its work with your row before you accept it."), "warn"),
    _Situation("searched", _has(FOUND_BY_TITLE), _("We searched, and found a DOI for this row"), _("Compare the work with your row before you accept it."), "warn"),
    _Situation("guess-for-invalid", lambda f: _is_guess(f) and f.result.outcome == Outcome.INVALID, _("This isn’t a valid DOI, and we only have a guess"), _("We can’t tell which DOI is meant. Compare our guess with the publication.")),
    _Situation("guess", _is_guess, _("This DOI isn’t registered, and we only have a guess"), _("We can’t tell which DOI is meant. Compare our guess with the publication.")),
    _Situation("short-doi-found", _has("short-doi"), _("This is a shortDOI, and we found its DOI"), _("A shortDOI only stands for a DOI. Store the DOI itself."), "warn"),
    _Situation("cut-link-found", lambda f: f.end, _("This link is cut short, and we found the DOI"), _("The link stops at “%(sign)s”. What is left isn’t registered. The complete DOI is."), "warn"),
    _Situation("hyperlink-found", _has(HYPERLINK), _("This DOI isn’t registered, but the one in the hyperlink is"), _("The cell shows one DOI, and its hyperlink opens another. Only that one is registered."), "warn"),
    _Situation("invisible-found", lambda f: len(f.errors) == 1 and INVISIBLE.issuperset(f.errors), _("There is an invisible character in this DOI"), _("Use it without."), "tidy"),
    _Situation("divided-found", _has(*WHITE_SPACE), _("A space divides this DOI, and we found it whole"), _("A link made from your text wouldn’t work. The whole DOI is registered."), "warn"),
    _Situation("invalid-found", _is(Outcome.INVALID), _("This isn’t a valid DOI, but we found one that is"), _("It is registered. Compare it with the publication before you use it."), "warn"),
    _Situation("found", _always, _("This DOI isn’t registered, but we found one that is"), _("Compare it with the publication before you use it."), "warn"),
)  # fmt: skip

_NOT_A_DOI: Sequence[_Situation] = (
    _SEVERAL_FOUND,
    _Situation("empty", _has("empty"), _("There’s nothing in this cell"), _("So there was nothing to check."), "unknown"),
    _Situation("damaged-record", _has("unreadable-record"), _("This record of your file is damaged"), _("We couldn’t read its DOIs.")),
    _Situation("template", _has("template"), _("No DOI was assigned"), _("This is an unfilled template of the journal’s software.")),
    _Situation("rivals-for-invalid", lambda f: f.rivals, _("This isn’t a valid DOI, but similar ones are"), _("Only one of them can be meant. Compare them with the publication.")),
    _Situation("short-doi", _has("short-doi"), _("This is a shortDOI, not a DOI"), _("We found no DOI behind it.")),
    _Situation("no-doi", _has("no-doi"), _("There’s no DOI in this text"), _("A DOI begins with 10., a number and a slash.")),
    _Situation("divided", _is_divided, _("A space divides this DOI"), _("A link made from this text doesn’t work. Remove the space.")),
    _Situation("missing-suffix", _has("missing-suffix"), _("This is only the beginning of a DOI"), _("The part after the slash is missing.")),
    _Situation("invalid", _always, _("This isn’t a valid DOI"), _("We couldn’t check it as it is written.")),
)  # fmt: skip

_NOT_REGISTERED: Sequence[_Situation] = (
    _Situation("template", _has("template"), _("No DOI was assigned"), _("This is an unfilled template of the journal’s software.")),
    _Situation("test-prefix", _has("test-prefix"), _("This is an example, not a registered DOI"), _("Its prefix is for examples and tests, so its link shows an error page.")),
    _SEVERAL_FOUND,
    _Situation("rivals", lambda f: f.rivals, _("This DOI isn’t registered, but similar ones are"), _("Only one of them can be meant. Compare them with the publication.")),
    _Situation("fake-resolver", _has("fake-resolver"), _("This link isn’t from the DOI system"), _("It only looks like a DOI link, and its DOI isn’t registered.")),
    _Situation("cut-short", _has(CUT_SHORT), _("The end of this DOI is missing"), _("The text is shortened. What is left isn’t registered.")),
    _Situation("cut-link", lambda f: f.end and f.cut, _("This link is cut short, and its DOI isn’t registered"), _("The link stops at “%(sign)s”, and shows an error page.")),
    _Situation("not-registered", _always, _("This DOI isn’t registered"), _("Its link shows an error page.")),
)  # fmt: skip

_REGISTERED: Sequence[_Situation] = (
    _Situation("cut-link-longer", lambda f: f.whole and f.end, _("This link is cut short, and we found the whole DOI"), _("The link stops at “%(sign)s”. What is left is registered too, but the whole DOI is probably meant."), "warn"),
    _Situation("longer", lambda f: f.whole, _("This DOI is cut short, and we found the whole one"), _("What we read first is registered too, but the whole DOI is probably meant."), "warn"),
    _Situation("other-work", _has(OTHER_WORK), _("Registered, but for another work"), _("The record describes another work than your row."), "bad"),
    _Situation("alias-loop", _has("alias-loop"), _("Registered, but its aliases form a loop"), _("The link shows an error. Only the agency can correct that."), "warn"),
    _Situation("deleted", _has(DELETED), _("Registered, but deleted"), _("Its link opens a page for deleted DOIs, not the document."), "warn"),
    _Situation("nowhere", _has(*NOWHERE), _("Registered, but its link leads nowhere"), _("The web address in its record opens no document."), "warn"),
    _Situation("no-url", _is(Outcome.NO_URL), _("Registered, but its link opens nothing"), _("Readers who follow it don’t get to the document."), "warn"),
    _Situation("no-values", _is(Outcome.NO_VALUES), _("Registered, but its link opens nothing"), _("Readers who follow it don’t get to the document."), "warn"),
    _Situation("unsafe-address", lambda f: f.has("unsafe-url") or _has_unsafe_addresses(f), _("Registered, but with an unsafe address"), _("An address in its record isn’t a web address."), "warn"),
    _Situation("retracted", lambda f: f.has(RETRACTED) and f.is_work_alone, _("Registered, but the work was retracted"), _("It is the DOI of a work that was retracted later."), "warn"),
    _Situation("broken-link", lambda f: any(code.startswith("unescaped-") for code in f.errors), _("Registered, but your link is broken"), _("Your link may open the wrong DOI."), "warn"),
    _Situation("other-host", _leads_to(Target.OTHER_HOST), _("Registered, but it leads to another site"), _("Its record doesn’t lead to the site that you expect.")),
    _Situation("no-address", _leads_to(Target.NO_ADDRESS), _("Registered, but without a web address"), _("Its record has no web address to compare with yours.")),
    _Situation("same-host", _leads_to(Target.SAME_HOST), _("Registered, but it leads to another page"), _("It leads to the site that you expect, but to another page.")),
    _Situation("double-encoded", _has("double-encoded"), _("Registered, but it looks encoded twice"), _("Compare it with the publication: another DOI may be meant.")),
    _Situation("compare-work", _has(COMPARE_WORK), _("Registered, but is it the right work?"), _("Your row and the record differ. Compare them."), "warn"),
    _Situation("doubtful-other", lambda f: f.meant and _has_tone("warn")(f), _("Registered, but is it the right one?"), _("Your text may also mean %(meant)s.")),
    _Situation("doubtful", _has_tone("warn"), _("Registered, but is it the right one?"), _("Compare it with the publication.")),
    _Situation("concern", lambda f: f.has(CONCERN) and _has_tone("good")(f), _("This DOI works, but there is an expression of concern"), _("The publisher has warned readers of this work."), "tidy"),
    _Situation("alias", lambda f: f.main_doi, _("Works, but it’s an alias"), _("Another DOI is the main one. Store that one instead."), "tidy"),
    _Situation("write-differently-unchecked", lambda f: f.is_written_oddly and f.result.outcome == Outcome.REGISTERED, _("Registered, but write it like this"), _("A quick check doesn’t look up the web address."), "tidy"),
    _Situation("write-differently", lambda f: f.is_written_oddly, _("Works, but write it like this"), _("The DOI is registered, and its record has a web address."), "tidy"),
    _Situation("registered", _is(Outcome.REGISTERED), _("This DOI is registered"), _("A quick check doesn’t look up the web address.")),
    _Situation("works-as-it-is", _has_tone("tidy"), _("This DOI works"), _("It looks unusual, but it is registered like this. Keep it as it is.")),
    _Situation("works", _always, _("This DOI works"), _("It is registered, and its record has a web address. We don’t check whether the page opens.")),
)  # fmt: skip


def choose_headline(facts: ResultFacts) -> ResultHeadline:
    """Return the headline of a result: that of several DOIs, or of the only one."""
    result = facts.result
    outcomes = [result.outcome, *(other["outcome"] for other in result.others)]
    found = _choose_for_one(facts)
    tones = {found.tone, *(VERDICTS.get(each, VERDICTS[""]).tone for each in outcomes)}
    if not result.others or tones <= {"unknown", "waits"}:
        return found
    # Never in green: a link opens one of them only, and in a list each needs a row of its own.
    tone = next(tone for tone in SIGNS if tone in tones | {"warn"})
    if facts.has("link-differs"):
        sentence = _("The text and the hyperlink of the cell differ.")
    elif not isinstance(result, Lookup):
        sentence = _("Each DOI needs its own row or field.")
    else:
        copy, compare = _("Copy the one that you need."), _("Compare them with the publication.")
        sentence = copy if EXISTS.intersection(outcomes) else compare
    return ResultHeadline("several", _count_registered(outcomes), str(sentence), tone)


def _choose_for_one(facts: ResultFacts) -> ResultHeadline:
    outcome = facts.result.outcome
    if outcome in EXISTS:
        table = _REGISTERED
    elif outcome not in (Outcome.INVALID, Outcome.NOT_FOUND):
        table = _NOTHING_LEARNED
    elif facts.suggestion:
        table = _FOUND
    else:
        table = _NOT_A_DOI if outcome == Outcome.INVALID else _NOT_REGISTERED
    code, _applies, text, sentence, tone = next(one for one in table if one.applies(facts))
    said = str(sentence) % {"sign": facts.end, "meant": facts.meant[:120]}
    return ResultHeadline(code, str(text), said, tone or find_status(outcome, facts.codes, facts.address).tone)


def _count_registered(outcomes: Sequence[str]) -> str:
    exist, unasked = (sum(each in kinds for each in outcomes) for kinds in (EXISTS, {*COULD_NOT_ASK, ""}))
    shown = {"exist": exist, "all": len(outcomes), "unasked": unasked}
    if unasked:
        return gettext("%(exist)s of %(all)s DOIs registered, %(unasked)s couldn’t be checked") % shown
    if len(outcomes) == 2:
        both = gettext("Both DOIs are registered") if exist else gettext("Neither DOI is registered")
        return gettext("Only one of the two DOIs is registered") if exist == 1 else both
    if not exist:
        return gettext("None of the %(all)s DOIs is registered") % shown
    if exist == len(outcomes):
        return gettext("All %(all)s DOIs are registered") % shown
    some = ngettext("%(exist)s of %(all)s DOIs is registered", "%(exist)s of %(all)s DOIs are registered", exist)
    return some % shown
