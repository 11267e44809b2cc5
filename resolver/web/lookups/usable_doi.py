"""The DOI that the page of a result offers for use, and how sure that is."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, NamedTuple, cast

from django.utils.translation import gettext_lazy

from doi_reading import encode, fold
from doi_reading.problems import OF_COMPARISONS, OF_OTHERS, OF_RECORDS, OF_WORKS
from resolver.domain.handle.record import Record
from resolver.domain.redirect.web_host import find_host
from resolver.domain.report.correction import FOUND_BY_TITLE, HYPERLINK, REVIEWED, UNPROVEN, is_unsure
from resolver.domain.report.outcome import EXISTS, Outcome
from resolver.domain.report.target import ELSEWHERE
from resolver.domain.report.text_problems import WHITE_SPACE
from resolver.domain.work.events import RETRACTED
from resolver.services.proxy_answers import cache
from resolver.web.lookups.name_links import get_metadata_page_url, to_lookup_text
from resolver.web.lookups.result_facts import INVISIBLE, ResultFacts
from resolver.web.wording.labels import name_agency

# Lazy texts are used like texts here: the table is made at import.
_ = cast("Callable[[str], str]", gettext_lazy)

DOUBTS = REVIEWED - OF_RECORDS - OF_OTHERS - OF_WORKS - {"several-dois", "link-differs"}
"""Problems of the text with which a registered DOI may not be the one that is meant."""
_USE, _PROBABLY = _("Use this DOI"), _("Probably this DOI")
_COMPARE, _GUESS = _("Compare this DOI with the publication"), _("Only a guess")


@dataclass(frozen=True, slots=True)
class UsableDoi:
    """A registered DOI. `code`: why it is offered; `tone`: "good" if it is surely the one that is meant and works.
    `agency` and `urls` are empty unless known. `is_link`: its link is what replaces the text."""

    code: str
    doi: str
    title: str
    sentence: str
    tone: str
    agency: str = ""
    urls: Sequence[str] = ()
    is_link: bool = False

    @property
    def is_guess(self) -> bool:
        """Whether it may be another work than the one that is meant."""
        return self.code in ("guess", "unproven")

    @property
    def is_other(self) -> bool:
        """Whether it is another DOI than the one that the text has, with a result page of its own."""
        return self.code in ("whole", "main", "unproven", "guess", "suggested")

    @property
    def asks(self) -> str:
        """The text that looks it up."""
        return to_lookup_text(self.doi)

    @property
    def link(self) -> str:
        """The link to store."""
        return encode(self.doi)

    @property
    def marc(self) -> str:
        """Field 024 of MARC 21 as a line of text; "" for a name with the sign that begins a subfield in such a line."""
        return "" if "$" in self.doi else f"024 7_ $a{self.doi}$2doi"

    @property
    def hosts(self) -> list[tuple[str, str]]:
        """The servers to which the record leads, each once, with the first address there."""
        return list({find_host(url): (find_host(url), url) for url in reversed(self.urls) if find_host(url)}.values())[
            ::-1
        ]

    @property
    def metadata_page(self) -> str:
        """The page that says what the DOI stands for."""
        return get_metadata_page_url(self.doi)


class _Case(NamedTuple):
    code: str
    applies: Callable[[ResultFacts], object]
    doi: Callable[[ResultFacts], str]
    title: str
    sentence: str = ""
    tone: str = "good"


def _own(facts: ResultFacts) -> str:
    return facts.result.doi


def _suggested(facts: ResultFacts) -> str:
    return facts.suggestion


_IF_REGISTERED: Sequence[_Case] = (
    _Case("whole", lambda f: f.whole, lambda f: f.whole, _PROBABLY),
    _Case("rest", lambda f: f.longer and f.tried_longer, _own, _COMPARE, _("The rest of your text, “%(rest)s”, isn’t part of a registered DOI."), "warn"),
    _Case("doubt", lambda f: f.longer or f.has("double-encoded", *DOUBTS, *OF_COMPARISONS), _own, _COMPARE, tone="warn"),
    _Case("faulty", lambda f: f.leads_nowhere or f.result.outcome in (Outcome.NO_URL, Outcome.NO_VALUES) or f.address in ELSEWHERE, _own, _("Your DOI"), tone="warn"),
    _Case("retracted", lambda f: f.has(RETRACTED), lambda f: f.main_doi or f.result.doi, _("The DOI of the retracted work"), tone="warn"),
    _Case("main", lambda f: f.main_doi, lambda f: f.main_doi, _("Use the main DOI"), _("%(name)s is an alias of it.")),
    _Case("page", lambda f: f.has("publisher-url"), _own, _USE, _("We read it in a web address. Compare it with the page first.")),
    _Case("own", lambda _f: True, _own, _USE),
)  # fmt: skip
_IF_SUGGESTED: Sequence[_Case] = (
    _Case("searched", lambda f: f.has(FOUND_BY_TITLE) and not f.has(UNPROVEN), _suggested, _PROBABLY, _("It is registered. A person must say whether it is the right work."), "warn"),
    _Case("unproven", lambda f: f.has(UNPROVEN), _suggested, _GUESS, _("It is registered, but it may not lead to the work. Check it before you use it."), "warn"),
    _Case("guess", lambda f: f.doubtful or is_unsure(f.codes), _suggested, _GUESS, _("It is registered. Use it only if the publication shows it."), "warn"),
    _Case("suggested", lambda f: f.has(RETRACTED), _suggested, _PROBABLY, _("Its work was retracted."), "warn"),
    _Case("suggested", lambda f: f.end or f.has("short-doi", HYPERLINK, *INVISIBLE, *WHITE_SPACE), _suggested, _USE),
    _Case("suggested", lambda _f: True, _suggested, _PROBABLY),
)  # fmt: skip


def choose_usable_doi(facts: ResultFacts) -> UsableDoi | None:
    """Return the DOI to offer; None if none is known to be registered, or if the text has several."""
    result = facts.result
    if result.outcome in EXISTS:
        cases = () if result.others else _IF_REGISTERED
    else:
        cases = _IF_SUGGESTED if facts.suggestion and result.outcome in (Outcome.NOT_FOUND, Outcome.INVALID) else ()
    case = next((one for one in cases if one.applies(facts)), None)
    if case is None:
        return None
    sentence = str(case.sentence) % {"rest": facts.rest[:120], "name": result.doi[:120]}
    found = UsableDoi(case.code, case.doi(facts), str(case.title), sentence, case.tone)
    if case.code in ("own", "page") and facts.is_link and facts.is_written_oddly:
        found = replace(found, title=str(_("Use this link")), is_link=True)
    own = fold(found.doi) in (fold(result.doi), fold(facts.main_doi)) and result.outcome in EXISTS
    return replace(found, agency=name_agency(result.ra or ""), urls=tuple(result.urls)) if own else found


def add_stored_answers(found: UsableDoi | None, *, proxy: str, now: datetime) -> UsableDoi | None:
    """Return the DOI with what is stored about it, if that is another one than the result's own. Two queries then."""
    if found is None or found.agency or found.urls:
        return found
    record: Any = cache.load_records([found.doi], proxy=proxy, now=now).get(fold(found.doi))
    agency = cache.load_agencies([found.doi], proxy=proxy, now=now).get(fold(found.doi))
    urls = record.answer.urls if record and isinstance(record.answer, Record) else ()
    return replace(found, agency=name_agency((agency and agency.answer.ra) or ""), urls=tuple(urls))
