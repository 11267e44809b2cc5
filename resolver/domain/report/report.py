"""A report: all that is known of a name, and what was tried to correct it."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from doi_reading import Message, Problem, Severity, fold
from resolver.domain.report.outcome import EXISTS, Outcome
from resolver.domain.work.events import WorkEvent
from resolver.domain.work.evidence import ComparedWork
from resolver.domain.work.found_works import SearchedWork

DELETED_PAGES = (
    # Crossref's page for deleted DOIs has two addresses. Sources: oaDOI's code for the current one
    # (seen at 10.1007/978-3-642-01445-1), Crossref's event-data-doi-reverser for the older one.
    "crossref.org/_deleted-doi",
    "crossref.org/deleted_doi",
)

_LINK = re.compile(r"(?:https?|ftp)://[^\x00-\x1f\x7f]+\Z", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Suggestion:
    """Another DOI that exists, while the input's doesn't. `doubtful`: a guess that only a person may accept. `alias`:
    the candidate, if it is an alias and `doi` the main DOI behind it; else ""."""

    doi: str
    reason: Message
    doubtful: bool = False
    alias: str = ""


@dataclass(frozen=True, slots=True)
class TriedCandidate:
    """A candidate, and whether it exists. None: it was not checked, or couldn't be."""

    doi: str
    reason: Message
    exists: bool | None = None
    doubtful: bool = False


@dataclass(frozen=True, slots=True)
class OtherDoi:
    """Another DOI in the text, with its own outcome. NOT_CHECKED: the text holds too many to check all."""

    doi: str
    outcome: Outcome | Literal[""]
    ra: str | None = None
    urls: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Report:
    """The verdict on one input, ready to be shown or stored.

    `work`: whether the DOI stands for the row's work; None if that wasn't asked.
    `failure`: why there is no answer, for people; None if there is one. `candidates`: empty if none had to be checked.
    `prefix_ra` and `prefix_status`: what Which RA says about the prefix of a name that is not found (R1, R3); both None
    if it couldn't be checked. `incomplete`: the outcome is known, but another part couldn't be checked, so a retry may
    show more. `events`: what happened to its works after their publication. `searched`: what a search for the row's
    work came to; None if there was none.
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
    events: tuple[WorkEvent, ...] = ()
    work: ComparedWork | None = None
    searched: SearchedWork | None = None

    @property
    def untried(self) -> bool:
        """Return whether candidates had to be checked and one of them couldn't be."""
        return self.suggestion is None and any(tried.exists is None for tried in self.candidates)

    @property
    def also_registered(self) -> tuple[str, ...]:
        """The candidates that exist beside the suggestion, without the other DOIs of the text."""
        taken = {fold(other.doi) for other in self.others}
        taken |= {fold(self.suggestion.doi), fold(self.suggestion.alias)} if self.suggestion else set()
        return tuple(tried.doi for tried in self.candidates if tried.exists and fold(tried.doi) not in taken)


def is_safe_link(url: str) -> bool:
    """Return whether a URL value may be shown as a link: http, https or ftp, without characters that browsers drop."""
    return _LINK.match(url) is not None


def is_deleted_doi_page(url: str) -> bool:
    """Return whether the URL is an agency's page for deleted DOIs."""
    return fold(url.partition("://")[2]).removeprefix("www.").startswith(DELETED_PAGES)


_SIGNS = {"unescaped-hash": "#", "unescaped-question-mark": "?", "unescaped-percent": "%"}
_ONLY_IN_LINKS = "unescaped-recommended"


def soften_signs(problems: Sequence[Problem], text: str, name: str) -> tuple[Problem, ...]:
    """Return the problems of a text whose name is registered: those of signs in the name are warnings."""
    if not problems or not _has_name_outside_address(text, name):
        return tuple(problems)
    start = text.find(name)
    end = start + len(name)
    return tuple(
        replace(one, severity=Severity.WARNING.value)
        if one.code in _SIGNS and start <= one.start and one.end <= end
        else one
        for one in problems
    )


def weigh_codes(outcome: str, codes: Sequence[str], text: str, name: str) -> list[str]:
    """Return the codes of a result's problems as they count for its group, its correction and its next steps: a sign in
    the registered name as one that only a link must encode."""
    if outcome not in EXISTS or _SIGNS.keys().isdisjoint(codes) or not _has_name_outside_address(text, name):
        return list(codes)
    return [_ONLY_IN_LINKS if _SIGNS.get(code, name + "x") in name else code for code in codes]


def _has_name_outside_address(text: str, name: str) -> bool:
    before, found, _ = text.partition(name) if name else ("", "", "")
    return bool(found) and not before.endswith("/")
