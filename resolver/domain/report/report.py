"""The verdict on one input, from its reading and the proxy's answers."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal

from resolver.domain.handle.answers import (
    Answer,
    Failure,
    MissingHandle,
    NoValues,
    ProxyError,
    Resolution,
    Unasked,
    Unreachable,
    WhichRaAnswer,
)
from resolver.domain.handle.record import Record
from resolver.domain.message import Message
from resolver.domain.name.doi import Doi, NotADoi, fold
from resolver.domain.parsing.parse import Reading
from resolver.domain.parsing.reading import OUR_FAULT, FailedReading
from resolver.domain.problems.problem import Problem, problem
from resolver.domain.redirect.record_addresses import target_addresses
from resolver.domain.report.outcome import COULD_NOT_ASK, NOT_ASKED, Outcome

DELETED_PAGES = (
    # Crossref's page for deleted DOIs has two addresses. Sources: oaDOI's code for the current one
    # (seen at 10.1007/978-3-642-01445-1), Crossref's event-data-doi-reverser for the older one.
    "crossref.org/_deleted-doi",
    "crossref.org/deleted_doi",
)


_LINK = re.compile(r"(?:https?|ftp)://[^\x00-\x1f\x7f]+\Z", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Suggestion:
    """Another DOI that exists, while the input's doesn't."""

    doi: str
    reason: Message


@dataclass(frozen=True, slots=True)
class TriedCandidate:
    """A candidate, and whether it exists. None: it was not checked, or couldn't be."""

    doi: str
    reason: Message
    exists: bool | None = None


@dataclass(frozen=True, slots=True)
class OtherDoi:
    """Another DOI in the text, with its own outcome. NOT_ASKED: the text holds too many to check all."""

    doi: str
    outcome: Outcome | Literal[""]
    ra: str | None = None
    urls: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Report:
    """The verdict on one input, ready to be shown or stored.

    `failure`: why there is no answer, for people; None if there is one. `candidates`: empty if none had to be checked.
    `prefix_ra` and `prefix_status`: what Which RA says about the prefix of a name that is not found (R1, R3); both None
    if it couldn't be asked. `incomplete`: the outcome is known, but another part couldn't be checked, so a retry may
    tell more.
    """

    outcome: Outcome
    failure: Message | None = None
    ra: str | None = None
    ra_status: str | None = None
    prefix_ra: str | None = None
    prefix_status: str | None = None
    urls: tuple[str, ...] = ()
    record: Mapping[str, Any] | None = field(default=None, repr=False)
    alias_of: str | None = None
    suggestion: Suggestion | None = None
    candidates: tuple[TriedCandidate, ...] = ()
    others: tuple[OtherDoi, ...] = ()
    problems: tuple[Problem, ...] = ()
    incomplete: bool = False

    @property
    def untried(self) -> bool:
        """Return whether candidates had to be checked and one of them couldn't be."""
        return self.suggestion is None and any(tried.exists is None for tried in self.candidates)

    @property
    def also_registered(self) -> tuple[str, ...]:
        """The candidates that exist beside the suggestion, without the other DOIs of the text."""
        taken = {fold(other.doi) for other in self.others}
        taken |= {fold(self.suggestion.doi)} if self.suggestion else set()
        return tuple(tried.doi for tried in self.candidates if tried.exists and fold(tried.doi) not in taken)


AgencyAnswer = WhichRaAnswer | Failure | None


def is_safe_link(url: str) -> bool:
    """Return whether a URL value may be shown as a link: http, https or ftp, without characters that browsers drop."""
    return _LINK.match(url) is not None


def is_deleted_doi_page(url: str) -> bool:
    """Return whether the URL is an agency's page for deleted DOIs."""
    return fold(url.partition("://")[2]).removeprefix("www.").startswith(DELETED_PAGES)


def judge(
    reading: Reading,
    resolution: Resolution | None,
    agency: AgencyAnswer = None,
    *,
    quick: bool = False,
    exists: Mapping[str, bool | None] = MappingProxyType({}),
    prefix_agency: AgencyAnswer = None,
    others: tuple[OtherDoi, ...] = (),
    others_lack: bool = False,
) -> Report:
    """Return the verdict on `reading`.

    `exists` says for candidates, by folded name, whether the proxy knows them. `others_lack`: a part of `others`
    couldn't be checked. For a short DOI `resolution` is that of its handle. A missing agency doesn't hide the outcome
    (B2).
    """
    if isinstance(reading, FailedReading):
        return Report(Outcome.PROXY_ERROR, failure=OUR_FAULT, problems=reading.problems)
    outcome = _outcome(resolution, agency, quick=quick) if reading.doi else Outcome.INVALID
    missing = outcome is Outcome.NOT_FOUND
    needs_candidates = missing or outcome is Outcome.INVALID
    answer = resolution.answer if resolution else None
    tried = _tried(reading, exists) if needs_candidates else ()
    found = _first_existing(tried, others, reading.repairs)
    needed = prefix_agency if missing else agency if reading.doi else answer
    lacks_some = others_lack or isinstance(needed, Failure) or (needs_candidates and None in exists.values())
    if reading.doi is None:
        return Report(
            outcome,
            suggestion=_behind_short_doi(reading, resolution) or found,
            candidates=tried,
            others=others,
            problems=reading.problems,
            incomplete=lacks_some,
        )
    named = agency if isinstance(agency, WhichRaAnswer) else None
    of_prefix = prefix_agency if isinstance(prefix_agency, WhichRaAnswer) and missing else None
    urls = _urls(resolution)
    return Report(
        outcome,
        failure=_failure(answer, agency) if outcome in COULD_NOT_ASK else None,
        ra=named.ra if named else None,
        ra_status=named.status if named else None,
        prefix_ra=of_prefix.ra if of_prefix else None,
        prefix_status=of_prefix.status if of_prefix else None,
        urls=() if quick else urls,
        record=answer.raw if isinstance(answer, Record) else None,
        alias_of=resolution.alias_of if resolution else None,
        suggestion=found,
        candidates=tried,
        others=others,
        problems=reading.problems + _record_problems(resolution, urls),
        incomplete=lacks_some and outcome not in COULD_NOT_ASK,
    )


def judge_other(
    doi: str, resolution: Resolution | None, agency: AgencyAnswer = None, *, quick: bool = False
) -> OtherDoi:
    """Return the verdict on another DOI of a text. Without a record, Which RA alone decides."""
    if isinstance(agency if resolution is None else resolution.answer, Unasked):
        if not isinstance(agency, WhichRaAnswer) or agency.exists is None:
            return OtherDoi(doi, NOT_ASKED)
        resolution = None
    quick = quick or resolution is None
    return OtherDoi(
        doi,
        _outcome(resolution, agency, quick=quick),
        agency.ra if isinstance(agency, WhichRaAnswer) else None,
        () if quick else _urls(resolution),
    )


def _urls(resolution: Resolution | None) -> tuple[str, ...]:
    answer = resolution.answer if resolution else None
    return target_addresses(answer) if isinstance(answer, Record) else ()


def _outcome(resolution: Resolution | None, agency: AgencyAnswer, *, quick: bool) -> Outcome:
    if resolution is not None:
        return _outcome_of_record(resolution)
    if quick and isinstance(agency, WhichRaAnswer) and agency.exists is not None:
        return Outcome.REGISTERED if agency.exists else Outcome.NOT_FOUND
    return Outcome.PROXY_ERROR if isinstance(agency, WhichRaAnswer | ProxyError) else Outcome.UNREACHABLE


def _failure(answer: Answer | None, agency: AgencyAnswer) -> Message:
    for said in (answer, agency):
        if isinstance(said, Failure):
            return said.reason
    return Message("the DOI proxy didn't say whether the DOI is registered")


def _outcome_of_record(resolution: Resolution) -> Outcome:
    answer = resolution.answer
    if resolution.loop:
        return Outcome.NO_URL
    match answer:
        case Record():
            return Outcome.RESOLVED if any(answer.urls) or answer.has_locations else Outcome.NO_URL
        case MissingHandle() | NoValues() if resolution.alias_of is not None:
            return Outcome.NO_URL  # the name itself exists, but its main name leads nowhere
        case NoValues():
            return Outcome.NO_VALUES
        case MissingHandle():
            return Outcome.NOT_FOUND
        case ProxyError():
            return Outcome.PROXY_ERROR
        case Unreachable():
            return Outcome.UNREACHABLE


def _record_problems(resolution: Resolution | None, urls: tuple[str, ...]) -> tuple[Problem, ...]:
    found = []
    if resolution is not None and resolution.loop:
        found.append(problem("alias-loop"))
    elif resolution is not None and resolution.alias_of is not None:
        found.append(problem("alias", alias_of=resolution.alias_of))
    if any(map(is_deleted_doi_page, urls)):
        found.append(problem("deleted"))
    unsafe = next((url for url in urls if not is_safe_link(url)), None)
    if unsafe is not None:
        found.append(problem("unsafe-url", url=unsafe[:200]))
    return tuple(found)


def _tried(reading: Reading, exists: Mapping[str, bool | None]) -> tuple[TriedCandidate, ...]:
    return tuple(TriedCandidate(one.doi, one.reason, exists.get(fold(one.doi))) for one in reading.candidates)


def _first_existing(
    tried: tuple[TriedCandidate, ...], others: tuple[OtherDoi, ...], repairs: frozenset[str]
) -> Suggestion | None:
    """Return the first candidate that exists. Another DOI in the text is not a correction of the first."""
    beside = {fold(other.doi) for other in others} - repairs
    found = (one for one in tried if one.exists and fold(one.doi) not in beside)
    return next((Suggestion(one.doi, one.reason) for one in found), None)


def _behind_short_doi(reading: Reading, resolution: Resolution | None) -> Suggestion | None:
    """Return the DOI behind a short DOI (S12), if it exists."""
    if reading.short_doi is None or resolution is None or resolution.loop or resolution.alias_of is None:
        return None
    if not isinstance(resolution.answer, Record | NoValues):
        return None
    try:
        name = str(Doi.parse(resolution.alias_of))
    except NotADoi:
        return None
    return Suggestion(name, Message("the DOI that the shortDOI {name} stands for", name=reading.short_doi))
