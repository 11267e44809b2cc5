"""One name as it was found, with its problems and its other readings (E, U, N, S)."""

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import chain

from resolver.domain.message import Message, join
from resolver.domain.name.doi import Doi, NotADoi, fold, is_short_doi
from resolver.domain.name.encoding import decode_once, to_uri, to_url, to_urn
from resolver.domain.parsing import checks, free_text, locate
from resolver.domain.parsing.candidates import (
    Candidate,
    add_other_dois,
    offer_cut_off,
    offer_shorter,
    offer_windows_1252,
    rank,
    restore_urn_slash,
)
from resolver.domain.parsing.locate import Coding, LocatedName
from resolver.domain.problems.problem import Problem, problem
from resolver.domain.repair import LONGEST, propose_repairs
from resolver.domain.repair.same_work import is_same_work
from resolver.domain.tables import library_proxies
from resolver.domain.text import trailing
from resolver.domain.text.source_text import SourceText

Offers = Iterable[tuple[str, Message]]
"""Names that may have been meant, each with the reason, best first; texts that are no names may be among them."""


_LOG = logging.getLogger(__name__)
TOLD = 50
"""Problems of one kind that a text without a name is told; more are nobody's list to read."""
_GOING_ON = tuple("./-_(:")  # a name that ends so before white space goes on after it


def _none() -> Offers:
    return ()


@dataclass(frozen=True)
class Reading:
    """What a text means by the standards (`doi`), what is wrong with it, and what was probably meant."""

    input: str
    form: str
    doi: Doi | None = None
    short_doi: str | None = None
    problems: tuple[Problem, ...] = ()
    others: tuple[str, ...] = ()
    """The other DOIs in the text, in order, each once."""
    repairs: frozenset[str] = frozenset()
    """Those of them, folded, that the text at hand may mean itself: its cell has a hyperlink that leads there."""
    offers: Callable[[], Offers] = field(default=_none, repr=False, compare=False)

    @cached_property
    def candidates(self) -> tuple[Candidate, ...]:
        """Other readings, best first, at most eight; worked out when asked for, since most names exist as given. Where
        that fails, it is logged, and nobody loses the reading itself."""
        try:
            found = rank(self.doi, self._whole_works())
        except Exception:  # noqa: BLE001  (logged: a rule that fails is no reason to lose the reading)
            _LOG.exception("The candidates of a text could not be worked out: %.200r", self.input)
            found = ()
        return add_other_dois(found, self.others)

    def _whole_works(self) -> Offers:
        """The offers without what names the journal, the book or another version of what stands there."""
        if self.doi is None:
            return self.offers()
        name = fold(str(self.doi))
        return (
            (offer, reason)
            for offer, reason in self.offers()
            if not (name.startswith(fold(offer)) and len(offer) < len(name)) or is_same_work(name, fold(offer))
        )

    @property
    def valid(self) -> bool:
        """Whether the text reads as a DOI name that keeps S1 to S5."""
        return self.doi is not None

    @property
    def url(self) -> str | None:
        """The name for a browser (E17)."""
        return to_url(self.doi) if self.doi else None

    @property
    def uri(self) -> str | None:
        """The name as a doi: URI (U2)."""
        return to_uri(self.doi) if self.doi else None

    @property
    def urn(self) -> str | None:
        """The name as urn:doi: (N4)."""
        return to_urn(self.doi) if self.doi else None


def read_name(text: str, found: LocatedName) -> Reading:
    """One name as it was found: decoded once, checked, and with its other readings."""
    raw = found.raw
    if found.coding is Coding.URN:
        at = min((i for i in (raw.text.find(":"), raw.text.find("/")) if i >= 0), default=-1)
        raw = raw if at < 0 else raw.with_replaced([(at, at + 1, "/")])
    name, decoded = raw.decoded()
    told = [*found.problems, *checks.check_encoding(found, decoded)]
    comma = found.which_ra and "," in found.raw.text
    handle = _handle(name.text)
    short = handle if is_short_doi(handle) else None
    aside, queried = _query(found)
    told += queried
    if found.fragment:
        told.append(problem("unescaped-hash", *found.fragment.span()))
    if short:
        told.append(problem("short-doi", *name.span(0, len(short)), characters=short))
        if len(short) < len(name.text):
            told.append(problem("trailing-punctuation", *name.span(len(short)), characters=name.text[len(short) :]))
        return Reading(text, found.form, None, short, tuple(told))
    if comma:
        return _which_ra(text, found)
    doi, of_the_name = checks.check_syntax(name)
    told += of_the_name
    if decoded.broken:
        doi = None
        told = [one for one in told if one.code != "leftover"]  # the sign for a lost character is ours
    offers = partial(_offers, found, name.text, aside=aside, broken=bool(decoded.broken))
    return Reading(text, found.form, doi, None, tuple(told), offers=offers)


def name_of(found: LocatedName) -> tuple[Doi | None, str | None]:
    """The name alone, or the shortDOI, as `read_name` reads them."""
    text = found.raw.text.partition(",")[0] if found.which_ra else found.raw.text
    decoded = decode_once(restore_urn_slash(found, text))
    handle = _handle(decoded.text)
    if is_short_doi(handle):
        return None, handle
    try:
        return None if decoded.broken else Doi.parse(decoded.text), None
    except NotADoi:
        return None, None


def _handle(name: str) -> str:
    """The name without what cannot end a shortDOI."""
    return name[: trailing.find_punctuation(name, trailing.PUNCTUATION + "/")]


def _offers(found: LocatedName, name: str, *, aside: bool, broken: bool) -> Iterator[tuple[str, Message]]:
    if broken:
        yield from offer_windows_1252(found)
        return
    left = LONGEST
    for whole, reason in offer_cut_off(found, set_aside=aside):
        yield whole, reason
        left -= len(whole)
        if left >= 0:
            more = ((better, why) for better, why in propose_repairs(whole) if better.startswith("10."))
            yield from ((better, join(", ", reason, why)) for better, why in more)
    goes_on = found.rest and name[-1:] in _GOING_ON
    yield from ((better, why) for better, why in propose_repairs(name) if not (goes_on and name.startswith(better)))
    yield from offer_shorter(found)
    if found.coding is Coding.PLAIN and found.raw.text != name:
        yield found.raw.text, Message("with the percent signs unchanged")


def _query(found: LocatedName) -> tuple[bool, list[Problem]]:
    """What stands after a `?`: instructions and tracking set aside, or perhaps a part of the name (E8)."""
    if not found.query:
        return False, []
    told: list[Problem] = []
    at = 1
    for index, part in enumerate(found.query.text[1:].split("&")):
        key = part.partition("=")[0].lower()
        known = "proxy-parameter" if key in library_proxies.PROXY_PARAMETERS else None
        known = known or ("tracking-parameter" if library_proxies.is_tracking(key) else None)
        if index == 0 and known is None:
            return False, [problem("unescaped-question-mark", *found.query.span())]
        if known and part:
            told.append(problem(known, *found.query.span(at, at + len(part)), characters=part[:40]))
        at += len(part) + 1
    return True, told[:50]


def _which_ra(text: str, found: LocatedName) -> Reading:
    """A Which RA request: a raw comma separates names, and may have been meant as part of one (E6)."""
    at = found.raw.text.index(",")
    first = read_name(text, replace(found, raw=found.raw.part(0, at), which_ra=False))
    pieces = [locate.locate_name(SourceText.of(piece)) for piece in found.raw.text[at + 1 :].split(",")]
    others = distinct_names(first.doi, [free_text.decode_found(piece) for piece in pieces if piece])
    code = "several-dois" if others else "unescaped-comma"

    def offers() -> Iterator[tuple[str, Message]]:
        yield from ((name, Message("another DOI of the request")) for name in others)
        yield free_text.decode_found(found), Message("with the comma as part of the name")
        yield from first.offers()
        if not others:
            cut = read_name(text, replace(found, which_ra=False)).candidates
            yield from ((one.doi, join(", ", Message("with the comma"), one.reason)) for one in cut)

    told = (*first.problems, problem(code, *found.raw.span(at)))
    return replace(first, problems=told, others=others, offers=offers)


def read_no_name(reading: Reading, told: Sequence[Problem], reason: Message) -> Reading:
    """The reading of a text that is no name as it stands: what it would be is the first candidate."""
    first = [(str(reading.doi), reason)] if reading.doi else []
    problems = (*told[:TOLD], *reading.problems)
    return replace(reading, doi=None, problems=problems, others=(), offers=lambda: chain(first, reading.offers()))


def distinct_names(doi: Doi | None, names: Iterable[str]) -> tuple[str, ...]:
    """Those of the names that keep the syntax, each once, and none equivalent to `doi` (S8)."""
    kept: dict[Doi, str] = {}
    for name in names:
        try:
            kept.setdefault(Doi.parse(name), name)
        except NotADoi:
            continue
    return tuple(name for other, name in kept.items() if other != doi)
