"""What else is to be done about one result, beside using the DOI that its page offers: a table of situations, and the
step of each. Where the catalogue has an advice, the step uses it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import NamedTuple, cast

from django.utils.translation import gettext_lazy

from doi_reading import CATALOGUE, Severity, encode
from doi_reading.problems import OF_OTHERS, OF_RECORDS, OF_WORKS
from resolver.domain.agencies.agency_contacts import find_contact
from resolver.domain.redirect.destination import ITSELF, MISSING, PLACEHOLDER, PRIVATE, UNUSABLE
from resolver.domain.report.correction import CUT_SHORT
from resolver.domain.report.outcome import COULD_NOT_ASK, EXISTS, Outcome
from resolver.domain.report.sentences import PART_UNASKED, WORK_UNASKED
from resolver.domain.report.target import ELSEWHERE, Target
from resolver.domain.report.triage import DELETED
from resolver.domain.work.events import CONCERN, RETRACTED
from resolver.web.lookups.name_links import get_record_page_url
from resolver.web.lookups.result_facts import ResultFacts
from resolver.web.wording.labels import name_agency
from resolver.web.wording.translate_message import translate_message, translate_text

# Lazy texts are used like texts here: the table is made at import.
_ = cast("Callable[[str], str]", gettext_lazy)

STATUS = "https://doi.statuspage.io/"  # the DOI system's own page of outages

_OF_OTHERS = OF_OTHERS | {"several-dois", "link-differs"}
_SAID_ALONE = ("empty", "template", "test-prefix", "fake-resolver", CUT_SHORT)
"""Problems of a text without a registered DOI: the catalogue's advice on one of them is all there is to do."""
_OF_TEXT = tuple(
    code
    for code, entry in CATALOGUE.items()
    if entry.severity == Severity.ERROR and code not in OF_RECORDS | OF_WORKS | _OF_OTHERS | {*_SAID_ALONE}
)
_SHOWN_BY_ACM = "10.5555/"  # ACM's works without a DOI; names of other tests have no web address to keep


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
    """One thing to do. `again`: a button that checks the text again. `href` with `words`: a page to go to."""

    code: str
    sentence: str
    again: bool = False
    href: str = ""
    words: str = ""


class Situation(NamedTuple):
    """A row of the table: when it applies, and what to do then. `sentence`: its details are those of `_list_details`;
    "" for the catalogue's advice on the problem `code`."""

    code: str
    applies: When
    sentence: str = ""
    link: Link = lambda _facts: ("", "")
    again: bool = False


class Topic(NamedTuple):
    """Situations of which the first that applies gives the step, so that no two steps of a topic contradict each other.
    `applies`: which results the topic is about."""

    applies: When
    situations: Sequence[Situation]


def list_next_steps(facts: ResultFacts) -> list[NextStep]:
    """Return the steps for one result; none if there is nothing to do but to use the DOI."""
    details = _list_details(facts)
    return [
        _make_step(situation, facts, details)
        for topic in _TABLE
        if topic.applies(facts)
        for situation in [one for one in topic.situations if one.applies(facts)][:1]
    ]


def _make_step(situation: Situation, facts: ResultFacts, details: dict[str, str]) -> NextStep:
    code, _when, sentence, link, again = situation
    said = str(sentence) % details if sentence else translate_text(CATALOGUE[code].advice)
    return NextStep(code, said, again, *link(facts))


def _list_details(facts: ResultFacts) -> dict[str, str]:
    result = facts.result
    prefix, _slash, suffix = result.doi.partition("/")
    ra = result.ra or result.prefix_ra
    details = {
        "name": result.doi,
        "prefix": prefix,
        "suffix": suffix,
        "meant": facts.meant,
        "rest": facts.rest,
        "agency": translate_message(find_contact(ra).both) if ra else str(_("the publisher")),
        "advice": translate_message(facts.identifier.advice) if facts.identifier else "",
        "unasked": translate_message(WORK_UNASKED if getattr(result, "work", "") == COULD_NOT_ASK else PART_UNASKED),
        "expected": facts.expected,
        "found": facts.found,
    }
    listed = {"missing": _join_names(facts.missing)}
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
    return who.address, str(_("Contact %(agency)s")) % {"agency": name_agency(ra)}


def _has(*codes: str) -> When:
    return lambda f: f.has(*codes)


def _is(*outcomes: str) -> When:
    return lambda f: f.result.outcome in outcomes


def _has_no_doi(f: ResultFacts) -> bool:
    """Whether there is no registered DOI that the text may mean."""
    return f.result.outcome in (Outcome.NOT_FOUND, Outcome.INVALID) and not (f.suggestion or f.rivals)


def _lacks_doi(outcome: str) -> When:
    """Return the condition for a text with this outcome, no suggestion, and no problem whose advice is enough."""
    return lambda f: f.result.outcome == outcome and not f.has(*_SAID_ALONE) and _has_no_doi(f)


def _may_be_reported(f: ResultFacts) -> bool:
    """Whether an agency may have forgotten to register the name, or not got round to it."""
    return bool(f.result.prefix_ra) and not f.untried


def _always(_facts: ResultFacts) -> bool:
    return True


_TABLE: Sequence[Topic] = (
    # The record of a registered DOI, unless a longer one may be meant.
    Topic(lambda f: f.result.outcome in EXISTS and all(exists is False for _name, exists in f.longer), (
        Situation(DELETED, _has(DELETED), _("Look for the DOI that replaced it, on the publisher’s website or by title. If you can’t find it, contact %(agency)s."), link=_link_agency),
        Situation("correct-address", lambda f: f.address in ELSEWHERE and f.found, _("Correct the web address in the record (expected %(expected)s, found %(found)s). If you didn’t register this DOI, contact %(agency)s."), link=_link_agency),
        Situation("correct-address", lambda f: f.address in ELSEWHERE, _("Correct the web address in the record (expected %(expected)s, found none). If you didn’t register this DOI, contact %(agency)s."), link=_link_agency),
        Situation("alias-loop", _has("alias-loop"), _("Contact %(agency)s: the aliases of this DOI form a loop, and only they can correct it."), link=_link_agency),
        *(Situation(code, _has(code), sentence, link=_link_agency) for code, sentence in _NOWHERE.items()),
        Situation("unsafe-url", _has("unsafe-url"), _("Don’t open its address unless you trust it: it isn’t a web address. Contact %(agency)s."), link=_link_agency),
        Situation("contact-agency", _is(Outcome.NO_VALUES), _("Its record is empty, so the link opens nothing. Ask %(agency)s to add a web address."), link=_link_agency),
        Situation("contact-agency", _is(Outcome.NO_URL), _("Its record has no web address, so the link opens nothing. Ask %(agency)s to add one."), link=_link_agency),
        Situation("other-page", lambda f: f.address == Target.SAME_HOST, _("Compare the two pages: the DOI leads to another page of the expected site (expected %(expected)s, found %(found)s). Correct the record, or your column.")),
    )),
    # What happened to a work after its publication.
    Topic(lambda f: f.has(*OF_WORKS) and f.result.outcome not in COULD_NOT_ASK, (Situation(RETRACTED, _has(RETRACTED)), Situation(CONCERN, _has(CONCERN)))),
    # The other DOIs of the text that aren't registered: below a first DOI without problems they would be missed.
    Topic(lambda f: f.missing, (
        Situation("others-missing", lambda f: len(f.missing) == 1, _("Correct the other DOI in this text: %(missing)s isn’t registered.")),
        Situation("others-missing", _always, _("Correct the other DOIs in this text that aren’t registered: %(missing)s.")),
    )),
    Topic(_is(*EXISTS), (
        Situation("untried", lambda f: not f.whole and not f.tried_longer, _("Check again: we couldn’t check whether the full DOI, with “%(rest)s”, is registered."), again=True),
        Situation("alias", lambda f: f.result.alias_of and not (f.main_doi or f.whole or f.has("alias-loop")), _("View the record of the name behind it before you store it: this is an alias."), link=lambda f: (get_record_page_url(f.result.alias_of), f.result.alias_of)),
    )),
    # What was meant, if it isn't.
    Topic(_has_no_doi, (
        Situation("no-doi", lambda f: f.has("test-prefix") and not f.result.doi.startswith(_SHOWN_BY_ACM)),
        *(Situation(code, _has(code)) for code in _SAID_ALONE),
        Situation("identifier", lambda f: f.identifier, "%(advice)s", link=lambda f: (f.identifier.page, str(_("View its page"))) if f.identifier else ("", "")),
        Situation("short-doi", _has("short-doi"), _("Look for the full DOI where you found this shortDOI: we found no DOI behind it.")),
        Situation("untried", lambda f: f.untried, _("Check again: we couldn’t check other possible DOIs."), again=True),
    )),
    *(Topic(_lacks_doi(Outcome.INVALID), [Situation(code, _has(code))]) for code in _OF_TEXT),
    Topic(_lacks_doi(Outcome.INVALID), (
        Situation("again", _has("short-doi"), _("If you can’t find it, check again later: the DOI proxy may not have answered."), again=True),
        Situation("compare", lambda f: f.meant and not f.untried, _("Check it against the publication. None of the other DOIs that we tried is registered.")),
        Situation("problems", lambda f: not f.has(*_OF_TEXT) and not f.untried, _("Correct what is marked in your text.")),
    )),
    Topic(_lacks_doi(Outcome.NOT_FOUND), (
        Situation("compare-whole", lambda f: f.cut and not f.untried, _("Compare the full DOI with the publication. Neither %(name)s nor %(meant)s is registered.")),
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
    Topic(_has("link-differs"), (Situation("link-differs", _always),)),
    Topic(lambda f: f.has("broken-link") and f.result.outcome not in COULD_NOT_ASK, (Situation("broken-link", _always),)),
    Topic(lambda f: f.result.incomplete and f.result.outcome in EXISTS, (
        Situation("incomplete", lambda f: f.result.ra and f.tried_longer, "%(unasked)s", again=True),
        Situation("incomplete", attrgetter("tried_longer"), _("Check again later: we couldn’t check everything about this DOI, such as its agency."), again=True),
    )),
    Topic(_is(Outcome.REGISTERED), (Situation("full", lambda f: not f.longer, _("If you need its web address, look up this DOI: a quick check doesn’t get the record.")),)),
)  # fmt: skip
"""In the order of the steps. Each topic adds one step at most."""
