"""What to do next about one result: a few steps for every outcome and situation, the most important first. Where the
catalogue has an advice, the step uses it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from resolver.domain.handle.answers import WhichRaAnswer
from resolver.domain.name.doi import fold
from resolver.domain.name.encoding import to_url
from resolver.domain.parsing.reading import CUTS, is_cut
from resolver.domain.problems.problem import CATALOGUE, Severity
from resolver.domain.redirect.address_fault import PLACEHOLDER, PRIVATE, UNUSABLE
from resolver.domain.report.correction import UNPROVEN
from resolver.domain.report.destination import ITSELF, MISSING, NOWHERE
from resolver.domain.report.outcome import Outcome
from resolver.domain.tables.agency_contacts import find_contact
from resolver.models import Lookup, Row
from resolver.web.site.translate_message import translate_message, translate_text

STATUS = "https://doi.statuspage.io/"  # the DOI system's own page of outages

# The DOI is right, but should be written differently.
_WRITING = frozenset(
    (*CUTS, "unescaped-percent", "unescaped-quote", "unescaped-recommended", "unescaped-non-ascii", "unescaped-slash",
    "dot-segment", "html-entity", "percent-in-name", "proxy-parameter", "tracking-parameter", "surrounding-text",
    "repeated-prefix", "old-resolver", "damaged-resolver", "fake-resolver", "wrapped", "publisher-url", "from-link")
)  # fmt: skip
_NOT_OF_THE_NAME = frozenset(
    {"alias", "deleted", "unsafe-url", *NOWHERE, "several-homes", "several-dois", "other-not-registered"}
)
# A browser ends the name of a link at these signs.
_ENDS = {"unescaped-hash": "#", "unescaped-question-mark": "?"}
_BRIEF = 120  # code points of a name in a sentence
_NAMED = 3  # names in a sentence


@dataclass(frozen=True, slots=True)
class ResultFacts:
    """What the steps depend on. `codes`: the problems, in their order in the text. `untried`: other possible DOIs
    couldn't be checked. `meant`: the first of them, or "". `doubtful`: the suggestion is only a guess. `longer`: the
    names with which a cut text goes on after a registered one, and whether each exists."""

    result: Lookup | Row
    codes: Sequence[str] = ()
    suggestion: str = ""
    meant: str = ""
    untried: bool = False
    doubtful: bool = False
    longer: Sequence[tuple[str, bool | None]] = ()

    @property
    def missing(self) -> list[str]:
        """The other DOIs in the text that aren't registered."""
        return [other["doi"] for other in self.result.others if other["outcome"] == Outcome.NOT_FOUND]


@dataclass(frozen=True, slots=True)
class NextStep:
    """One thing to do. `name`: a DOI name that `button` looks up, or without a `button` a link to copy. `again`: a
    button that checks the text again. `href` with `words`: a page to go to."""

    code: str
    sentence: str
    name: str = ""
    button: str = ""
    again: bool = False
    href: str = ""
    words: str = ""


def list_next_steps(facts: ResultFacts) -> list[NextStep]:
    """Return the steps for one result; at least one."""
    by_outcome = _STEPS.get(facts.result.outcome, _advise_on_unchecked)
    return [*_advise_on_missing(facts), *by_outcome(facts), *_advise_on_several(facts)] or [
        NextStep("nothing", _("Nothing to do. Keep this DOI as it is."))
    ]


def _advise_on_unchecked(_facts: ResultFacts) -> Iterator[NextStep]:
    yield NextStep("wait", _("Wait: we haven’t checked this row yet. If you stopped the list, continue it."))


def _could_not_ask(_facts: ResultFacts) -> Iterator[NextStep]:
    yield NextStep("again", _("Check again. Don’t change the DOI because of this result."), again=True)
    still = _("If this continues, see whether the DOI system reports an outage.")
    yield NextStep("status", still, href=STATUS, words=_("Status of the DOI system"))


def _advise_on_not_found(facts: ResultFacts) -> Iterator[NextStep]:
    if facts.suggestion:
        yield _take(facts)
        return
    if facts.untried:
        yield _advise_on_untried()
    prefix, _slash, suffix = facts.result.doi.partition("/")
    shown = {"prefix": _shorten(prefix), "suffix": _shorten(suffix)}
    if _is_cut(facts) and facts.meant and not facts.untried:
        yield _compare_whole(facts)
    elif facts.result.prefix_ra:
        sentence = _(
            "Check the part after the slash, “%(suffix)s”, against the publication. The prefix %(prefix)s is "
            "registered."
        )
        yield NextStep("compare-suffix", sentence % shown)
    elif _is_unknown(prefix, facts):
        sentence = _(
            "Check the part before the slash, %(prefix)s, against the publication: this prefix isn’t registered."
        )
        yield NextStep("compare-prefix", sentence % shown)
    else:
        sentence = _("Check the DOI against the publication. We couldn’t find the agency of the prefix %(prefix)s.")
        yield NextStep("compare", sentence % shown)
    if facts.result.prefix_ra:
        just_so = _("If the publication shows exactly this, contact %(agency)s: the DOI isn’t registered, or not yet.")
        yield _tell(facts.result.prefix_ra, just_so)
        form = _("Or report it with the form on doi.org’s page for this DOI.")
        yield NextStep("report", form, href=to_url(facts.result.doi), words=_("Go to the page at doi.org"))
    elif _is_unknown(prefix, facts):
        search = _("If the publication shows exactly this, search for the title on the publisher’s website.")
        yield NextStep("search", search)
    elif not facts.result.prefix_status and not facts.untried:
        yield NextStep("again", _("Check again to find the agency of the prefix."), again=True)


def _advise_on_invalid(facts: ResultFacts) -> Iterator[NextStep]:
    if facts.suggestion:
        yield _take(facts)
        return
    if "short-doi" in facts.codes:
        sentence = _("Look for the full DOI where you found this shortDOI. The shortDOI doesn’t lead to a DOI.")
        yield NextStep("short-doi", sentence)
        yield NextStep("again", _("Check again later: the DOI proxy may not have answered."), again=True)
        return
    if facts.untried:
        yield _advise_on_untried()
    advised = list(_advise_on_errors(facts))
    yield from advised
    if facts.meant and not facts.untried:
        sentence = _("Check it against the publication. None of the other possible DOIs below is registered.")
        yield NextStep("compare", sentence)
    elif not advised:
        yield NextStep("problems", _("Correct the problems below."))


def _advise_on_no_address(facts: ResultFacts) -> Iterator[NextStep]:
    if "alias-loop" in facts.codes:
        loop = _("Contact %(agency)s: the aliases of this DOI form a loop, and only they can correct it.")
        yield _tell(facts.result.ra, loop)
        return
    if facts.longer:
        yield from _advise_on_cut(facts)
    if facts.result.alias_of:
        yield _advise_on_alias(facts)
    if facts.result.outcome == Outcome.NO_VALUES:
        sentence = _("Contact %(agency)s: the record of this DOI is empty, so its link doesn’t open a page.")
    else:
        sentence = _("If this DOI should open a page, contact %(agency)s: its record has no web address.")
    yield _tell(facts.result.ra, sentence)


def _advise_on_registered(facts: ResultFacts) -> Iterator[NextStep]:
    yield from _advise_on_record(facts)
    if facts.longer:
        yield from _advise_on_cut(facts)
        return
    if "double-encoded" in facts.codes:
        twice = _("Check the DOI against the publication. It looks encoded twice, but it is registered like this.")
        yield NextStep("compare-encoded", twice)
    if "publisher-url" in facts.codes:
        yield _make_advice("publisher-url")
    if facts.result.others or "double-encoded" in facts.codes:
        pass  # one link would drop the other DOIs, or keep what is in doubt
    elif any(code in _WRITING for code in facts.codes) or _differs(facts):
        yield NextStep("use-link", _("Use this link instead of yours."), name=to_url(facts.result.doi))
    elif set(facts.codes) - _NOT_OF_THE_NAME:
        yield NextStep("leave", _("Keep it as it is. It looks unusual, but it is registered like this."))
    if facts.result.outcome == Outcome.REGISTERED:
        full = _("If you need its web addresses, look it up separately: a quick check doesn’t get the record.")
        yield NextStep("full", full, name=facts.result.doi, button=_("Look it up"))


def _differs(facts: ResultFacts) -> bool:
    """Return whether a text with a problem of the name doesn't hold the name as it is registered."""
    is_odd = not _NOT_OF_THE_NAME.issuperset(facts.codes)
    return is_odd and fold(facts.result.doi) not in fold(facts.result.input)


def _advise_on_cut(facts: ResultFacts) -> Iterator[NextStep]:
    """The one advice on a text of which a registered name is only the first part."""
    whole = next((name for name, exists in facts.longer if exists), "")
    rest = {"rest": _shorten((whole or facts.longer[0][0])[len(facts.result.doi) :])}
    if whole:
        sentence = _("Use the full DOI, with “%(rest)s”: it is registered too. Check it against the publication first.")
        yield NextStep("whole", sentence % rest, name=whole, button=_("Look up the full DOI"))
    elif any(exists is None for _name, exists in facts.longer):
        sentence = _("Check again: we couldn’t check whether the full DOI, with “%(rest)s”, is registered.")
        yield NextStep("untried", sentence % rest, again=True)
    elif not facts.result.others:  # else one link would drop the other DOIs
        sentence = _("Use this link. The rest of your text, “%(rest)s”, isn’t part of a registered DOI.")
        yield NextStep("use-link", sentence % rest, name=to_url(facts.result.doi))


def _advise_on_record(facts: ResultFacts) -> Iterator[NextStep]:
    if facts.result.alias_of:
        yield _advise_on_alias(facts)
    if "deleted" in facts.codes:
        sentence = _(
            "Look for the DOI that replaced it, on the publisher’s website or by title. If you can’t find "
            "it, contact %(agency)s."
        )
        yield _tell(facts.result.ra, sentence, code="deleted")
    if "unsafe-url" in facts.codes:
        sentence = _("Don’t open its address unless you trust it: it isn’t a web address. Contact %(agency)s.")
        yield _tell(facts.result.ra, sentence, code="unsafe-url")
    for code in NOWHERE:
        if code in facts.codes:
            yield _tell(facts.result.ra, describe_record_that_leads_nowhere(code, facts.result.doi), code=code)


def describe_record_that_leads_nowhere(code: str, doi: str) -> str:
    """Return what to tell the agency, with `%(agency)s` to be filled in."""
    sentence = {
        ITSELF: _("Tell %%(agency)s: the record of %(doi)s leads back to the DOI itself."),
        MISSING: _("Tell %%(agency)s: the record of %(doi)s leads to a DOI that isn’t registered."),
        PRIVATE: _("Tell %%(agency)s: the record of %(doi)s leads into a private network, which readers can’t open."),
        UNUSABLE: _("Tell %%(agency)s: the web address in the record of %(doi)s can’t be opened."),
        PLACEHOLDER: _("Tell %%(agency)s: the record of %(doi)s has a placeholder, not the address of the document."),
    }[code]
    return sentence % {"doi": _shorten(doi).replace("%", "%%")}


def _advise_on_missing(facts: ResultFacts) -> Iterator[NextStep]:
    """Unregistered other DOIs come first: below a first DOI without problems they would be missed."""
    if facts.missing:
        sentence = ngettext(
            "Correct the other DOI in this text: %(names)s isn’t registered.",
            "Correct %(count)s other DOIs in this text, which aren’t registered: %(names)s.",
            len(facts.missing),
        )
        names = ", ".join(map(_shorten, facts.missing[:_NAMED])) + "…" * (len(facts.missing) > _NAMED)
        shown = {"count": len(facts.missing), "names": names}
        yield NextStep("others-missing", sentence % shown, href="#others-title", words=_("View the other DOIs"))


def _compare_whole(facts: ResultFacts) -> NextStep:
    ends = next((sign for code, sign in _ENDS.items() if code in facts.codes), "")
    if ends:
        sentence = _(
            "The link ends at the “%(sign)s”. Neither %(name)s nor %(whole)s is registered. Check the full "
            "DOI against the publication."
        )
    else:
        sentence = _(
            "Check it against the publication, including the part that was cut off. Neither %(name)s nor "
            "%(whole)s is registered."
        )
    shown = {"sign": ends, "name": _shorten(facts.result.doi), "whole": _shorten(facts.meant)}
    return NextStep("compare-whole", sentence % shown)


def _advise_on_several(facts: ResultFacts) -> Iterator[NextStep]:
    if "link-differs" in facts.codes:
        yield replace(_make_advice("link-differs"), href="#others-title", words=_("View the other DOIs"))
    elif facts.result.others:
        count = len(facts.result.others)
        sentence = ngettext(
            "Put each DOI in its own row or field. We checked the other one too.",
            "Put each DOI in its own row or field. We checked the %(count)s others too.",
            count,
        )
        words = _("View the other DOIs")
        yield NextStep("several-dois", sentence % {"count": count}, href="#others-title", words=words)


def _take(facts: ResultFacts) -> NextStep:
    if "short-doi" in facts.codes and UNPROVEN not in facts.codes:
        stands = _("Use the DOI that this shortDOI stands for: it is registered.")
        return NextStep("take", stands, name=facts.suggestion, button=_("Look up the DOI"))
    if UNPROVEN in facts.codes:
        return replace(_make_advice(UNPROVEN), name=facts.suggestion, button=_("Look up the DOI"))
    if facts.doubtful:
        guess = _("Check the publication: this DOI is registered, but it may not be the one that is meant.")
        return NextStep("guess", guess, name=facts.suggestion, button=_("Look up the DOI"))
    if facts.result.outcome == Outcome.INVALID:
        sentence = _("Use the suggested DOI: it is registered. Check it against the publication first.")
    else:
        sentence = _(
            "Use the suggested DOI: yours isn’t registered, this one is. Check it against the publication first."
        )
    button = _("Look up %(name)s") % {"name": _shorten(facts.suggestion)}
    return NextStep("take", sentence, name=facts.suggestion, button=button)


def _advise_on_alias(facts: ResultFacts) -> NextStep:
    sentence = _("Use the main DOI instead (this is an alias).")
    return NextStep("alias", sentence, name=facts.result.alias_of, button=_("Look up the main DOI"))


def _advise_on_untried() -> NextStep:
    return NextStep("untried", _("Check again: we couldn’t check other possible DOIs."), again=True)


def _tell(ra: str, sentence: str, code: str = "tell") -> NextStep:
    """Contact the agency, with its page if it is known, or without an agency the publisher."""
    if not ra:
        return NextStep(code, sentence % {"agency": _("the publisher")})
    who = find_contact(ra)
    words = (
        _("Contact %(agency)s") % {"agency": who.name if who.name != "Public" else translate_message(who.full)}
        if who.address
        else ""
    )
    return NextStep(code, sentence % {"agency": _shorten(translate_message(who.both))}, href=who.address, words=words)


def _advise_on_errors(facts: ResultFacts) -> Iterator[NextStep]:
    """The advice of the catalogue on each error, once."""
    for code in dict.fromkeys(facts.codes):
        if code in CATALOGUE and CATALOGUE[code].severity == Severity.ERROR:
            yield _make_advice(code)


def _make_advice(code: str) -> NextStep:
    return NextStep(code, translate_text(CATALOGUE[code].advice))


def _is_cut(facts: ResultFacts) -> bool:
    """Whether a part of the text is not in the name; behind doi: a # belongs to the name (U7)."""
    shorter = facts.meant and len(facts.meant) < len(facts.result.doi)
    return is_cut(facts.codes) and not shorter


def _is_unknown(prefix: str, facts: ResultFacts) -> bool:
    """Whether Which RA says that the prefix doesn't exist (R3)."""
    return WhichRaAnswer(prefix, status=facts.result.prefix_status or None).exists is False


def _shorten(text: str) -> str:
    return text if len(text) <= _BRIEF else text[:_BRIEF] + "…"


_STEPS: Mapping[str, Callable[[ResultFacts], Iterator[NextStep]]] = {
    Outcome.PROXY_ERROR: _could_not_ask,
    Outcome.UNREACHABLE: _could_not_ask,
    Outcome.NOT_FOUND: _advise_on_not_found,
    Outcome.INVALID: _advise_on_invalid,
    Outcome.NO_URL: _advise_on_no_address,
    Outcome.NO_VALUES: _advise_on_no_address,
    Outcome.RESOLVED: _advise_on_registered,
    Outcome.REGISTERED: _advise_on_registered,
}
