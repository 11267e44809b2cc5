"""The verdict: what the reading of an input and the proxy's answers about it mean together."""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from resolver.domain.doi import Doi, NotADoi, fold
from resolver.domain.problems import Problem, problem
from resolver.domain.reading import Reading
from resolver.domain.record import Agency, Missing, NoValues, ProxyError, Record, Resolution, Unreachable

DELETED_PAGES = (
    # Crossref's page for DOIs that were taken back, by its two addresses: oaDOI's code for the present one
    # (seen at 10.1007/978-3-642-01445-1), Crossref's event-data-doi-reverser for the older one
    "crossref.org/_deleted-doi",
    "crossref.org/deleted_doi",
)

_LINK = re.compile(r"(?:https?|ftp)://[^\x00-\x1f\x7f]+\Z", re.IGNORECASE)


class Outcome(StrEnum):
    """What became of one input; each has exactly one."""

    RESOLVED = "resolved"
    NO_URL = "no-url"
    NO_VALUES = "no-values"
    NOT_FOUND = "not-found"
    REGISTERED = "registered"
    INVALID = "invalid"
    PROXY_ERROR = "proxy-error"
    UNREACHABLE = "unreachable"


COULD_NOT_ASK = frozenset({Outcome.PROXY_ERROR, Outcome.UNREACHABLE})
_DOES_NOT_EXIST = frozenset({Outcome.NOT_FOUND, Outcome.INVALID})


@dataclass(frozen=True, slots=True)
class Suggestion:
    """Another DOI that exists, where the one given does not."""

    doi: str
    reason: str


@dataclass(frozen=True, slots=True)
class Report:
    """The verdict on one input, ready to be shown or stored."""

    outcome: Outcome
    ra: str | None = None
    ra_status: str | None = None
    prefix_ra: str | None = None
    urls: tuple[str, ...] = ()
    record: Mapping[str, Any] | None = field(default=None, repr=False)
    alias_of: str | None = None
    suggestion: Suggestion | None = None
    problems: tuple[Problem, ...] = ()


Asked = Agency | ProxyError | Unreachable | None


def is_link(url: str) -> bool:
    """Whether a URL value may be shown as a link: http, https or ftp, and nothing a browser would drop from it."""
    return _LINK.match(url) is not None


def is_deleted_page(url: str) -> bool:
    """Whether the URL is an agency's page for deleted DOIs."""
    return fold(url.partition("://")[2]).removeprefix("www.").startswith(DELETED_PAGES)


def judge(
    reading: Reading,
    resolution: Resolution | None,
    agency: Asked = None,
    *,
    quick: bool = False,
    existing: Collection[str] = (),
    prefix_agency: Asked = None,
) -> Report:
    """The verdict on `reading`. `existing` holds the folded names of candidates that the proxy was asked for and knows.

    For a short DOI `resolution` is that of its handle. An agency that could not be asked hides nothing (B2).
    """
    if reading.doi is None:
        suggestion = _behind_short_doi(reading, resolution) or _first_existing(reading, existing)
        return Report(Outcome.INVALID, suggestion=suggestion, problems=reading.problems)
    outcome = _outcome(resolution, agency, quick=quick)
    answer = resolution.answer if resolution else None
    record = answer if isinstance(answer, Record) else None
    urls = tuple(url for url in record.urls if url) if record else ()
    named = agency if isinstance(agency, Agency) else None
    of_prefix = prefix_agency if isinstance(prefix_agency, Agency) and outcome is Outcome.NOT_FOUND else None
    return Report(
        outcome,
        ra=named.ra if named else None,
        ra_status=named.status if named else None,
        prefix_ra=of_prefix.ra if of_prefix else None,
        urls=() if quick else urls,
        record=record.raw if record else None,
        alias_of=resolution.alias_of if resolution else None,
        suggestion=_first_existing(reading, existing) if outcome in _DOES_NOT_EXIST else None,
        problems=reading.problems + _record_problems(resolution, urls),
    )


def _outcome(resolution: Resolution | None, agency: Asked, *, quick: bool) -> Outcome:
    if resolution is not None:
        return _outcome_of_record(resolution)
    if quick and isinstance(agency, Agency) and agency.exists is not None:
        return Outcome.REGISTERED if agency.exists else Outcome.NOT_FOUND
    return Outcome.PROXY_ERROR if isinstance(agency, Agency | ProxyError) else Outcome.UNREACHABLE


def _outcome_of_record(resolution: Resolution) -> Outcome:
    answer = resolution.answer
    if resolution.loop:
        return Outcome.NO_URL
    match answer:
        case Record():
            return Outcome.RESOLVED if any(answer.urls) or answer.has_locations else Outcome.NO_URL
        case Missing() | NoValues() if resolution.alias_of is not None:
            return Outcome.NO_URL  # the name itself exists: it is what it is an alias for that leads nowhere
        case NoValues():
            return Outcome.NO_VALUES
        case Missing():
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
    if any(map(is_deleted_page, urls)):
        found.append(problem("deleted"))
    unsafe = next((url for url in urls if not is_link(url)), None)
    if unsafe is not None:
        found.append(problem("unsafe-url", url=unsafe[:200]))
    return tuple(found)


def _first_existing(reading: Reading, existing: Collection[str]) -> Suggestion | None:
    for candidate in reading.candidates:
        if fold(candidate.doi) in existing:
            return Suggestion(candidate.doi, candidate.reason)
    return None


def _behind_short_doi(reading: Reading, resolution: Resolution | None) -> Suggestion | None:
    """The DOI that a short DOI is an alias for (S12), when it was found to exist."""
    if reading.short_doi is None or resolution is None or resolution.loop or resolution.alias_of is None:
        return None
    if not isinstance(resolution.answer, Record | NoValues):
        return None
    try:
        name = str(Doi.parse(resolution.alias_of))
    except NotADoi:
        return None
    return Suggestion(name, f"the DOI behind the short DOI {reading.short_doi}")
