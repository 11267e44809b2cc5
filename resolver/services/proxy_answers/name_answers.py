"""The names of a reading, and the answers of one proxy about names: stored ones first, then new ones."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from doi_reading import Reading, fold
from resolver.domain.handle.answers import (
    AgencyAnswer,
    MissingHandle,
    ProxyError,
    Resolution,
    Unasked,
    Unreachable,
    WhichRaAnswer,
)
from resolver.services.proxy_answers import cache
from resolver.services.proxy_answers.dated_answer import NO_ANSWER, DatedAnswer, Found

OTHERS_IN_FULL = 20  # other DOIs of a text whose records are requested; the rest is checked with Which RA alone


@dataclass
class NameAnswers:
    """The records and agencies that are known. Equivalent names (S8) are one. The methods that begin with
    `list_without` load the stored answers first; the others use what has been loaded.

    `now`: the time of new answers; `fresh_since`: stored answers from before don't count."""

    proxy: str
    now: datetime
    fresh_since: datetime | None = None
    _resolutions: Found[Resolution] = field(default_factory=dict)
    _agencies: Found[AgencyAnswer] = field(default_factory=dict)
    _recalled: set[str] = field(default_factory=set)

    def agency(self, name: str) -> AgencyAnswer | None:
        """Return what Which RA said about the name, or its failure."""
        known = self._agencies.get(fold(name))
        return known.answer if known else None

    def exists(self, name: str) -> bool | None:
        """Return whether the name exists, by its record or else by Which RA; None: unknown."""
        record = self._record(name)
        if record is not None:
            return record.answer.alias_of is not None or not isinstance(record.answer.answer, MissingHandle)
        agency = self.agency(name)
        return agency.exists if isinstance(agency, WhichRaAnswer) else None

    def is_missing(self, reading: Reading) -> bool:
        """Return whether the reading has no name, or one that doesn't exist."""
        name = get_name_to_ask(reading)
        return name is None or reading.doi is None or self.exists(name) is False

    def is_out_of_reach(self, name: str | None) -> bool:
        """Return whether the proxy gave no answer at all to the request for the name's record, or to Which RA."""
        if name is None:
            return False
        found = self._resolutions.get(fold(name))
        return isinstance(found.answer.answer if found else self.agency(name), Unreachable)

    def source(self, reading: Reading, *, quick: bool = False) -> DatedAnswer[Any]:
        """Return the answer that decided about the name itself: its record, or what Which RA says; else NO_ANSWER."""
        name = get_name_to_ask(reading)
        if name is None:
            return NO_ANSWER
        settled = settles(self.agency(name), quick=quick)
        record = None if quick and settled else self._record(name)
        return record or (self._agencies[fold(name)] if settled else NO_ANSWER)

    def find_resolution(self, name: str, *, quick: bool) -> Resolution | None:
        """Return the record for the verdict. A name that Which RA denies is missing. In quick mode Which RA decides
        first, whatever is stored."""
        if quick and settles(self.agency(name), quick=True):
            return None
        found = self._resolutions.get(fold(name))
        if found is None:
            return Resolution(MissingHandle()) if self.exists(name) is False else None
        return found.answer

    def view_resolutions(self) -> Mapping[str, Resolution]:
        """Return the answers to requests for records by folded name, including later ones."""
        return _Resolutions(self._resolutions)

    def list_unsettled(self, names: Iterable[str], *, quick: bool = False) -> list[str]:
        """Return the names whose record is needed after the answer of Which RA (R3)."""
        return [name for name in names if not settles(self.agency(name), quick=quick)]

    def list_without_agency(self, names: Iterable[str]) -> list[str]:
        """Return the distinct names without an answer of Which RA."""
        return self._list_without(names, self._agencies)

    def list_without_record(self, names: Iterable[str]) -> list[str]:
        """Return the distinct names without an answer to a request for their record."""
        return self._list_without(names, self._resolutions)

    def is_complete(self, reading: Reading, *, quick: bool) -> bool:
        """Return whether the verdict has what it needs about all names of the text: an answer of Which RA, and a record
        if that doesn't settle it."""
        names, in_full = list_names_to_ask(reading)
        unsettled = self.list_unsettled(in_full, quick=quick)
        return all(fold(n) in self._agencies for n in names) and all(fold(n) in self._resolutions for n in unsettled)

    def take_in(self, resolutions: Mapping[str, Resolution], agencies: Mapping[str, AgencyAnswer]) -> None:
        """Take and store these answers."""
        self._resolutions |= {fold(name): DatedAnswer(answer, self.now) for name, answer in resolutions.items()}
        self._agencies |= {fold(name): DatedAnswer(answer, self.now) for name, answer in agencies.items()}
        cache.store_answers(resolutions, agencies, proxy=self.proxy, now=self.now)

    def _record(self, name: str) -> DatedAnswer[Resolution] | None:
        """Return the record, or its absence; None for a failure."""
        found = self._resolutions.get(fold(name))
        return None if found is None or isinstance(found.answer.answer, ProxyError | Unreachable) else found

    def _list_without(self, names: Iterable[str], known: Mapping[str, DatedAnswer[Any]]) -> list[str]:
        distinct = cache.deduplicate_names(names)
        new = [name for key, name in distinct.items() if key not in self._recalled]
        if new:
            self._recalled.update(map(fold, new))
            stored = cache.load_answers(new, proxy=self.proxy, now=self.now, since=self.fresh_since)
            self._resolutions |= stored.resolutions
            self._agencies |= stored.agencies
        return [name for key, name in distinct.items() if key not in known or is_unasked(known[key].answer)]


@dataclass(frozen=True, slots=True)
class _Resolutions(Mapping[str, Resolution]):
    """The answers by folded name, without their times."""

    found: Found[Resolution]

    def __getitem__(self, key: str) -> Resolution:
        return self.found[key].answer

    def __iter__(self) -> Iterator[str]:
        return iter(self.found)

    def __len__(self) -> int:
        return len(self.found)


def settles(agency: AgencyAnswer | None, *, quick: bool) -> bool:
    """Return whether Which RA says enough: that the name doesn't exist or, if `quick`, that it does."""
    exists = agency.exists if isinstance(agency, WhichRaAnswer) else None
    return exists is False or (quick and exists is True)


def is_unasked(answer: object) -> bool:
    """Return whether the answer says that no text could pay for the request."""
    return isinstance(answer.answer if isinstance(answer, Resolution) else answer, Unasked)


def get_name_to_ask(reading: Reading) -> str | None:
    """Return the name, or the handle of a short DOI (S12), or None if there is nothing to request."""
    return str(reading.doi) if reading.doi else reading.short_doi


def is_plain_name(reading: Reading) -> bool:
    """Return whether the text is a well-formed name, and nothing is wrong with it or beside it."""
    return reading.doi is not None and not reading.problems and not reading.others


def list_names(reading: Reading) -> list[str]:
    """Return all DOI names in the text, the one that it is read as first."""
    return [*([str(reading.doi)] if reading.doi else []), *reading.others]


def list_names_to_ask(reading: Reading) -> tuple[list[str], list[str]]:
    """Return the names for Which RA, and the names whose records are requested: what the text is read as, or its short
    DOI (S12), then as many of the others as one text may request."""
    names = list_names(reading)
    if reading.doi:
        return names, names[: 1 + OTHERS_IN_FULL]
    short = [reading.short_doi] if reading.short_doi else []
    return names, [*short, *names[:OTHERS_IN_FULL]]
