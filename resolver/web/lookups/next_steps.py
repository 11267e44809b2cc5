"""What to do next about one result: a table of situations, and the step of each. Where the catalogue has an advice, the
step uses it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import NamedTuple, cast

from django.utils.translation import gettext_lazy

from doi_reading import CATALOGUE, Severity, encode, fold
from doi_reading.problems import OF_OTHERS, OF_RECORDS, is_cut
from doi_reading.tables.other_identifiers import OtherIdentifier, find_other_identifier
from resolver.domain.agencies.agency_contacts import find_contact
from resolver.domain.handle.answers import WhichRaAnswer
from resolver.domain.redirect.destination import ITSELF, MISSING, PLACEHOLDER, PRIVATE, UNUSABLE
from resolver.domain.report.correction import CUT_SHORT, REVIEWED, UNPROVEN, is_main_doi, is_unsure
from resolver.domain.report.outcome import COULD_NOT_ASK, EXISTS, Outcome
from resolver.domain.report.sentences import PART_UNASKED
from resolver.domain.report.target import ELSEWHERE, Target
from resolver.domain.report.triage import BELONGS, DELETED, UNTIDY
from resolver.models import Lookup, Row
from resolver.web.wording.translate_message import translate_message, translate_text

# Lazy texts are used like texts here: the table is made at import.
_ = cast("Callable[[str], str]", gettext_lazy)

STATUS = "https://doi.statuspage.io/"  # the DOI system's own page of outages

_LINK_FORMS = frozenset({"url", "api-url", "wrapped", "publisher-url"})
_OF_OTHERS = OF_OTHERS | {"several-dois", "link-differs"}
_DOUBTS = REVIEWED - OF_RECORDS - _OF_OTHERS
"""Problems of the text with which a registered DOI may not be the one that is meant."""
_ODD = BELONGS - {"unescaped-slash", "several-homes"} | {"trailing-slash"}
"""Problems of a name that is registered although it looks unusual."""
_FAULTS = tuple(code for code in CATALOGUE if code in OF_RECORDS and CATALOGUE[code].severity == Severity.ERROR)
"""Problems of a record that leads nowhere."""
_SAID_ALONE = ("empty", "template", "test-prefix", "fake-resolver", CUT_SHORT)
"""Problems of a text without a registered DOI: the catalogue's advice on one of them is all there is to do."""
_OF_TEXT = tuple(
    code
    for code, entry in CATALOGUE.items()
    if entry.severity == Severity.ERROR and code not in OF_RECORDS | _OF_OTHERS | {*_SAID_ALONE}
)
_SHOWN_BY_ACM = "10.5555/"  # ACM's works without a DOI; names of other tests have no web address to keep
# A browser ends the name of a link at these signs.
_ENDS = {"unescaped-hash": "#", "unescaped-question-mark": "?"}


@dataclass(frozen=True, slots=True)
class ResultFacts:
    """What the steps depend on. `codes`: the problems, in their order in the text; `form`: how the text was read.
    `untried`: other possible DOIs couldn't be checked. `meant`: the first of them, or "". `doubtful`: the suggestion is
    only a guess. `rivals`: registered DOIs that it may be, if none of them is suggested. `longer`: longer names that a
    text may mean if it was cut after a registered one, and whether each exists. `address`: how the addresses of the
    record
    (`found` is one of them) differ from the `expected` one. `titled`: the row has the title of its work."""

    result: Lookup | Row
    codes: Sequence[str] = ()
    form: str = "name"
    suggestion: str = ""
    meant: str = ""
    untried: bool = False
    doubtful: bool = False
    rivals: Sequence[str] = ()
    longer: Sequence[tuple[str, bool | None]] = ()
    address: str = ""
    expected: str = ""
    found: str = ""
    titled: bool = False

    def has(self, *codes: str) -> bool:
        """Return whether the result has one of these problems."""
        return not set(codes).isdisjoint(self.codes)

    @property
    def missing(self) -> list[str]:
        """The other DOIs in the text that aren't registered."""
        return [other["doi"] for other in self.result.others if other["outcome"] == Outcome.NOT_FOUND]

    @property
    def has_all_answers(self) -> bool:
        """Whether each of the other DOIs in the text has an answer."""
        return all(other["outcome"] not in {*COULD_NOT_ASK, ""} for other in self.result.others)

    @property
    def tried_longer(self) -> bool:
        """Whether it is known of each longer name that it exists or doesn't."""
        return all(exists is not None for _name, exists in self.longer)

    @property
    def whole(self) -> str:
        """The registered name of which the text's registered one is the first part."""
        return next((name for name, exists in self.longer if exists), "")

    @property
    def cut(self) -> bool:
        """Whether a part of the text is not in the name that isn't registered; behind doi: a # belongs to it (U7)."""
        return is_cut(self.codes) and bool(self.meant) and not len(self.meant) < len(self.result.doi)

    @property
    def prefix_is_unknown(self) -> bool:
        """Whether Which RA says that the prefix doesn't exist (R3)."""
        prefix = self.result.doi.partition("/")[0]
        return WhichRaAnswer(prefix, status=self.result.prefix_status or None).exists is False

    @property
    def identifier(self) -> OtherIdentifier | None:
        """The other identifier that a text without a DOI is."""
        return find_other_identifier(self.result.input) if self.has("no-doi") else None

    @property
    def main_doi(self) -> str:
        """The registered DOI of which this one is an alias."""
        return self.result.alias_of if is_main_doi(self.result.outcome, self.result.alias_of) else ""

    @property
    def leads_nowhere(self) -> bool:
        """Whether the record has an address, but no usable one."""
        return self.has(DELETED, "unsafe-url", *_FAULTS)

    @property
    def rewritten(self) -> str:
        """The DOI as it should be stored: as a link if the text is one, else as a name. "" if the text is written so
        already, has other DOIs, which would be lost, or if the record leads nowhere."""
        doi = self.main_doi or self.result.doi
        stored = encode(doi) if self.form in _LINK_FORMS and not self.has("from-link") else doi
        return "" if self.result.others or self.leads_nowhere or stored == self.result.input.strip() else stored

    @property
    def is_written_oddly(self) -> bool:
        """Whether a text that means this registered DOI should be written differently."""
        differs = self.has(*_ODD) and fold(self.result.doi) not in fold(self.result.input)
        return bool(self.rewritten) and (differs or self.has(*UNTIDY - {"trailing-slash"}))


_NOWHERE = {
    ITSELF: _("Tell %(agency)s: the record of %(name)s leads back to the DOI itself."),
    MISSING: _("Tell %(agency)s: the record of %(name)s leads to a DOI that isn’t registered."),
    PRIVATE: _("Tell %(agency)s: the record of %(name)s leads into a private network, which readers can’t open."),
    UNUSABLE: _("Tell %(agency)s: the web address in the record of %(name)s can’t be opened."),
    PLACEHOLDER: _("Tell %(agency)s: the record of %(name)s has a placeholder, not the address of the document."),
}


def describe_record_that_leads_nowhere(code: str, doi: str) -> str:
    """Return the sentence for the agency, with `%(agency)s` to be filled in."""
    return str(_NOWHERE[code]) % {"name": _shorten(doi).replace("%", "%%"), "agency": "%(agency)s"}


When = Callable[[ResultFacts], object]
Link = Callable[[ResultFacts], tuple[str, str]]
"""The address of a page, and the words of the link to it; "" for none."""


@dataclass(frozen=True, slots=True)
class NextStep:
    """One thing to do. `name`: a DOI name that `button` looks up, or without a `button` a name or link to copy.
    `again`: a button that checks the text again. `href` with `words`: a page to go to."""

    code: str
    sentence: str
    name: str = ""
    button: str = ""
    again: bool = False
    href: str = ""
    words: str = ""


class Situation(NamedTuple):
    """A row of the table: when it applies, and what to do then. `sentence`: its details are those of `_list_details`;
    "" for the catalogue's advice on the problem `code`."""

    code: str
    applies: When
    sentence: str = ""
    name: Callable[[ResultFacts], str] = lambda _facts: ""
    button: str = ""
    link: Link = lambda _facts: ("", "")
    again: bool = False


class Topic(NamedTuple):
    """Situations of which the first that applies gives the step, so that no two steps of a topic contradict each other.
    `applies`: which results the topic is about."""

    applies: When
    situations: Sequence[Situation]


def list_next_steps(facts: ResultFacts) -> list[NextStep]:
    """Return the steps for one result; at least one."""
    details = _list_details(facts)
    return [
        _make_step(situation, facts, details)
        for topic in _TABLE
        if topic.applies(facts)
        for situation in [one for one in topic.situations if one.applies(facts)][:1]
    ] or [_make_step(next(one for one in _NOTHING_TO_DO if one.applies(facts)), facts, details)]


def _make_step(situation: Situation, facts: ResultFacts, details: dict[str, str]) -> NextStep:
    code, _when, sentence, name, button, link, again = situation
    said = str(sentence) % details if sentence else translate_text(CATALOGUE[code].advice)
    return NextStep(code, said, name(facts), str(button) % details if name(facts) else "", again, *link(facts))


def _list_details(facts: ResultFacts) -> dict[str, str]:
    result = facts.result
    prefix, _slash, suffix = result.doi.partition("/")
    ra = result.ra or result.prefix_ra
    longest = facts.whole or next((name for name, _exists in facts.longer), "")
    details = {
        "name": result.doi,
        "prefix": prefix,
        "suffix": suffix,
        "suggestion": facts.suggestion,
        "meant": facts.meant,
        "rest": longest[len(result.doi) :],
        "sign": next((sign for code, sign in _ENDS.items() if facts.has(code)), ""),
        "agency": translate_message(find_contact(ra).both) if ra else str(_("the publisher")),
        "advice": translate_message(facts.identifier.advice) if facts.identifier else "",
        "unasked": translate_message(PART_UNASKED),
        "expected": facts.expected,
        "found": facts.found,
    }
    listed = {"missing": _join_names(facts.missing), "rivals": _join_names(facts.rivals)}
    return {name: _shorten(text) for name, text in details.items()} | listed


def _join_names(names: Sequence[str], most: int = 3) -> str:
    return ", ".join(map(_shorten, names[:most])) + "…" * (len(names) > most)


def _shorten(text: str, longest: int = 120) -> str:
    return text if len(text) <= longest else text[:longest] + "…"


def _link_agency(facts: ResultFacts) -> tuple[str, str]:
    ra = facts.result.ra or facts.result.prefix_ra
    who = find_contact(ra) if ra else None
    if who is None or not who.address:
        return "", ""
    name = who.name if who.name != "Public" else translate_message(who.full)
    return who.address, str(_("Contact %(agency)s")) % {"agency": name}


def _link_others(facts: ResultFacts) -> tuple[str, str]:
    return ("#others-title", str(_("View the other DOIs"))) if facts.result.others else ("", "")


def _has(*codes: str) -> When:
    return lambda f: f.has(*codes)


def _is(*outcomes: str) -> When:
    return lambda f: f.result.outcome in outcomes


def _lacks_doi(outcome: str) -> When:
    """Return the condition for a text with this outcome, no suggestion, and no problem whose advice is enough."""
    return lambda f: f.result.outcome == outcome and not (f.suggestion or f.rivals or f.has(*_SAID_ALONE))


def _may_be_reported(f: ResultFacts) -> bool:
    """Whether an agency may have forgotten to register the name, or not got round to it."""
    return bool(f.result.prefix_ra) and not f.untried


def _always(_facts: ResultFacts) -> bool:
    return True


_suggested, _rewritten = attrgetter("suggestion"), attrgetter("rewritten")
_LOOK_UP, _LOOK_UP_SUGGESTION = _("Look up the DOI"), _("Look up %(suggestion)s")
_TABLE: Sequence[Topic] = (
    # The record of a registered DOI, unless a longer one may be meant.
    Topic(lambda f: f.result.outcome in EXISTS and all(exists is False for _name, exists in f.longer), (
        Situation(DELETED, _has(DELETED), _("Look for the DOI that replaced it, on the publisher’s website or by title. If you can’t find it, contact %(agency)s."), link=_link_agency),
        Situation("correct-address", lambda f: f.address in ELSEWHERE and f.found, _("Correct the address in the record (expected %(expected)s, found %(found)s). If you didn’t register this DOI, contact %(agency)s."), link=_link_agency),
        Situation("correct-address", lambda f: f.address in ELSEWHERE, _("Correct the address in the record (expected %(expected)s, found none). If you didn’t register this DOI, contact %(agency)s."), link=_link_agency),
        Situation("alias-loop", _has("alias-loop"), _("Contact %(agency)s: the aliases of this DOI form a loop, and only they can correct it."), link=_link_agency),
        *(Situation(code, _has(code), sentence, link=_link_agency) for code, sentence in _NOWHERE.items()),
        Situation("unsafe-url", _has("unsafe-url"), _("Don’t open its address unless you trust it: it isn’t a web address. Contact %(agency)s."), link=_link_agency),
        Situation("contact-agency", _is(Outcome.NO_VALUES), _("Its record is empty, so the link opens nothing. Ask %(agency)s to add a web address."), link=_link_agency),
        Situation("contact-agency", _is(Outcome.NO_URL), _("Its record has no web address, so the link opens nothing. Ask %(agency)s to add one."), link=_link_agency),
        Situation("other-page", lambda f: f.address == Target.SAME_HOST, _("Compare the two pages: the DOI leads to another page of the expected site (expected %(expected)s, found %(found)s). Correct the record, or your column.")),
    )),
    # The other DOIs of the text that aren't registered: below a first DOI without problems they would be missed.
    Topic(lambda f: f.missing, (
        Situation("others-missing", lambda f: len(f.missing) == 1, _("Correct the other DOI in this text: %(missing)s isn’t registered."), link=_link_others),
        Situation("others-missing", _always, _("Correct the other DOIs in this text that aren’t registered: %(missing)s."), link=_link_others),
    )),
    # Which DOI to keep, if the one that was read is registered.
    Topic(_is(*EXISTS), (
        Situation("whole", lambda f: f.whole, _("Use the full DOI, with “%(rest)s”: it is registered too. Check it against the publication first."), lambda f: f.whole, _("Look up the full DOI")),
        Situation("untried", lambda f: any(exists is None for _name, exists in f.longer), _("Check again: we couldn’t check whether the full DOI, with “%(rest)s”, is registered."), again=True),
        Situation("compare-rest", lambda f: f.longer and f.rewritten, _("Compare it with the publication: the rest of your text, “%(rest)s”, isn’t part of a registered DOI. If %(name)s is the right one, store it like this:"), _rewritten),
        Situation("compare-meant", lambda f: f.has(*_DOUBTS) and f.rewritten, _("Compare it with the publication: your text may mean another DOI. If %(name)s is the right one, store it like this:"), _rewritten),
        Situation("compare-meant", lambda f: f.has(*_DOUBTS) and not f.result.others, _("Compare it with the publication: %(name)s is registered, but your text may mean another DOI.")),
        Situation("alias", lambda f: f.main_doi and not f.leads_nowhere, _("Use the main DOI instead (this is an alias)."), lambda f: f.main_doi, _("Look up the main DOI")),
        Situation("alias", lambda f: f.result.alias_of and not f.has("alias-loop"), _("Look up the name behind it before you store it: this is an alias."), lambda f: f.result.alias_of, _LOOK_UP),
        Situation("compare-encoded", _has("double-encoded"), _("Check the DOI against the publication. It looks encoded twice, but it is registered like this.")),
        Situation("publisher-url", lambda f: f.has("publisher-url") and f.rewritten, _("Check the DOI against the page. Then store it like this:"), _rewritten),
        Situation("store", lambda f: f.is_written_oddly, _("Store the DOI like this:"), _rewritten),
    )),
    # What was meant, if it isn't.
    Topic(_is(Outcome.NOT_FOUND, Outcome.INVALID), (
        Situation("take", lambda f: f.suggestion and f.has("short-doi") and not f.has(UNPROVEN), _("Use the DOI that this shortDOI stands for: it is registered."), _suggested, _LOOK_UP_SUGGESTION),
        Situation(UNPROVEN, lambda f: f.suggestion and f.has(UNPROVEN), name=_suggested, button=_LOOK_UP),
        Situation("guess", lambda f: f.suggestion and (f.doubtful or is_unsure(f.codes)), _("%(suggestion)s is registered, but we aren’t sure that it is meant. Use it only if the publication shows it."), _suggested, _LOOK_UP),
        Situation("take", lambda f: f.suggestion and f.result.outcome == Outcome.INVALID, _("Use this DOI instead. It’s registered. Compare it with the publication first."), _suggested, _LOOK_UP_SUGGESTION),
        Situation("take", _suggested, _("Use this DOI instead. It’s registered; yours isn’t. Compare it with the publication first."), _suggested, _LOOK_UP_SUGGESTION),
        Situation("rivals", lambda f: f.rivals, _("Compare these DOIs with the publication. They are registered, and only one can be meant: %(rivals)s.")),
        Situation("no-doi", lambda f: f.has("test-prefix") and not f.result.doi.startswith(_SHOWN_BY_ACM)),
        *(Situation(code, _has(code)) for code in _SAID_ALONE),
        Situation("identifier", lambda f: f.identifier, "%(advice)s", link=lambda f: (f.identifier.page, str(_("View its page"))) if f.identifier else ("", "")),
        Situation("short-doi", _has("short-doi"), _("Look for the full DOI where you found this shortDOI: we found no DOI behind it.")),
        Situation("untried", lambda f: f.untried, _("Check again: we couldn’t check other possible DOIs."), again=True),
    )),
    *(Topic(_lacks_doi(Outcome.INVALID), [Situation(code, _has(code))]) for code in _OF_TEXT),
    Topic(_lacks_doi(Outcome.INVALID), (
        Situation("again", _has("short-doi"), _("If you can’t find it, check again later: the DOI proxy may not have answered."), again=True),
        Situation("compare", lambda f: f.meant and not f.untried, _("Check it against the publication. None of the other possible DOIs below is registered.")),
        Situation("problems", lambda f: not f.has(*_OF_TEXT) and not f.untried, _("Correct the problems below.")),
    )),
    Topic(_lacks_doi(Outcome.NOT_FOUND), (
        Situation("compare-whole", lambda f: f.cut and not f.untried and f.has(*_ENDS), _("The link ends at the “%(sign)s”. Neither %(name)s nor %(meant)s is registered. Check the full DOI against the publication.")),
        Situation("compare-whole", lambda f: f.cut and not f.untried, _("Check it against the publication, including the part that was cut off. Neither %(name)s nor %(meant)s is registered.")),
        Situation("compare-suffix", lambda f: f.result.prefix_ra, _("Check the part after the slash, “%(suffix)s”, against the publication. The prefix %(prefix)s is registered.")),
        Situation("compare-prefix", lambda f: f.prefix_is_unknown, _("Check the part before the slash, %(prefix)s, against the publication: this prefix isn’t registered.")),
        Situation("compare", _always, _("Check the DOI against the publication. We couldn’t find the agency of the prefix %(prefix)s.")),
    )),
    Topic(_lacks_doi(Outcome.NOT_FOUND), (
        Situation("contact-agency", _may_be_reported, _("If the publication shows exactly this, contact %(agency)s: the DOI isn’t registered, or not yet."), link=_link_agency),
        Situation("search", lambda f: f.prefix_is_unknown, _("If the publication shows exactly this, search for the title on the publisher’s website.")),
        Situation("again", lambda f: not (f.result.prefix_ra or f.result.prefix_status or f.untried), _("Check again to find the agency of the prefix."), again=True),
    )),
    Topic(_lacks_doi(Outcome.NOT_FOUND), (
        Situation("report", _may_be_reported, _("Or report it with the form on doi.org’s page for this DOI."), link=lambda f: (encode(f.result.doi), str(_("Go to the page at doi.org")))),
    )),
    # Nothing was learned.
    Topic(_is(""), (Situation("wait", _always, _("Wait: we haven’t checked this row yet. If you stopped the list, continue it.")),)),
    Topic(_is(*COULD_NOT_ASK), (Situation("again", _always, _("Check again. Don’t change the DOI because of this result."), again=True),)),
    Topic(_is(*COULD_NOT_ASK), (
        Situation("not-read", _has("not-read")),
        Situation("status", _always, _("If this continues, see whether the DOI system reports an outage."), link=lambda _f: (STATUS, str(_("Status of the DOI system")))),
    )),
    # What else there is.
    Topic(lambda f: f.result.others or f.has("several-dois", "link-differs"), (
        Situation("link-differs", _has("link-differs"), link=_link_others),
        Situation("several-dois", lambda f: len(f.result.others) == 1 and f.has_all_answers, _("Put each DOI in its own row or field. We checked the other one too."), link=_link_others),
        Situation("several-dois", lambda f: f.result.others and f.has_all_answers, _("Put each DOI in its own row or field. We checked the others too."), link=_link_others),
        Situation("several-dois", _always, link=_link_others),
    )),
    Topic(lambda f: f.has("broken-link") and f.result.outcome not in COULD_NOT_ASK, (Situation("broken-link", _always),)),
    Topic(lambda f: f.result.incomplete and f.result.outcome in EXISTS, (
        Situation("incomplete", lambda f: f.result.ra and f.tried_longer, "%(unasked)s", again=True),
        Situation("incomplete", attrgetter("tried_longer"), _("Check again later: we couldn’t check everything about this DOI, such as its agency."), again=True),
    )),
    Topic(_is(Outcome.REGISTERED), (Situation("full", lambda f: not f.longer, _("If you need its web addresses, look it up separately: a quick check doesn’t get the record."), lambda f: f.result.doi, _("Look it up")),)),
)  # fmt: skip
"""In the order of the steps. Each topic adds one step at most."""
_NOTHING_TO_DO = (
    Situation("problems", _has(*REVIEWED), _("Correct the problems below.")),
    Situation("leave", _has(*_ODD, *UNTIDY), _("Keep it as it is. It looks unusual, but it is registered like this.")),
    Situation("nothing", lambda f: f.titled, _("Registered. We did not compare it with your title.")),
    Situation("nothing", _always, _("Nothing to do. Keep this DOI as it is.")),
)
"""The step where no topic has one."""
