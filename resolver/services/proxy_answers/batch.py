"""All that is learned of names in the course of one piece of work: what is stored first, then what the proxy says."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from resolver.domain.handle.record import Agency, Missing, ProxyError, Resolution, Unasked, Unreachable
from resolver.domain.name.doi import fold
from resolver.domain.parsing.parse import Reading
from resolver.domain.report.report import COULD_NOT_ASK, NOT_ASKED, Other, Report, judge, judge_also
from resolver.proxy.async_client import BatchRequest
from resolver.proxy.client import Client
from resolver.proxy.limits.allowance import Shares
from resolver.services.proxy_answers import cache
from resolver.services.proxy_answers.allowances import Allowances
from resolver.services.proxy_answers.cache import AgencyAnswer
from resolver.services.proxy_answers.names import name_to_ask, names_asked, names_in


class AsksProxy(Protocol):
    """The two questions that a proxy answers, for many names at once; `proxy.bulk` is one. `shares` pay for what is
    asked about each name."""

    def agencies(self, names: list[str], shares: Shares) -> Mapping[str, AgencyAnswer]: ...

    def resolve(self, names: list[str], shares: Shares) -> Mapping[str, Resolution]: ...


@dataclass(frozen=True)
class OneByOne:
    """The same two questions put by the client for a person who waits."""

    client: Client

    def agencies(self, names: list[str], shares: Shares) -> dict[str, AgencyAnswer]:
        """Which RA, all names in as few requests as it takes (R2)."""
        return dict(zip(names, self.client.agencies(names, shares), strict=True))

    def resolve(self, names: list[str], shares: Shares) -> dict[str, Resolution]:
        """The records, one request a name; after one that got no answer at all the rest are not asked either."""
        found: dict[str, Resolution] = {}
        for name in names:
            found[name] = self.client.resolve(name, shares)
            if isinstance(found[name].answer, Unreachable):
                return dict.fromkeys(names, found[name]) | found
        return found


@dataclass(frozen=True, slots=True)
class Source:
    """When the proxy gave the answer that decided, and whether it was stored before; None where there is none."""

    answered_at: datetime | None = None
    stored: bool = False


@dataclass
class ResolutionBatch:
    """What one proxy knows of names; no name is asked for twice, equivalent names (S8) are one. Each text has an
    allowance of requests: what it cannot pay for is not asked."""

    ask: AsksProxy
    proxy: str
    now: datetime
    fresh: bool = False  # true: ask again whatever is stored
    fresh_since: datetime | None = None  # ask again for what was stored before
    _stored: set[str] = field(default_factory=set)  # folded names whose record came from the store
    _agencies_stored: set[str] = field(default_factory=set)  # and those whose agency did
    _record_at: dict[str, datetime | None] = field(default_factory=dict)
    _agency_at: dict[str, datetime | None] = field(default_factory=dict)
    _moments: dict[datetime | None, datetime | None] = field(default_factory=dict)
    _allowances: Allowances = field(default_factory=Allowances)
    _any_unasked: bool = False
    _resolutions: dict[str, Resolution] = field(default_factory=dict)
    _agencies: dict[str, AgencyAnswer] = field(default_factory=dict)
    _recalled: set[str] = field(default_factory=set)
    # Folded names that `questions` have been made of: of a text with many DOIs Which RA is asked for more than records.
    _agencies_under_way: set[str] = field(default_factory=set)
    _records_under_way: set[str] = field(default_factory=set)

    def resolution(self, name: str) -> Resolution | None:
        """The record of the name; that Which RA denies it exists says as much as a record that is missing."""
        found = self._resolutions.get(fold(name))
        if found is None and self.exists(name) is False:
            return Resolution(Missing())
        return found

    def agency(self, name: str) -> AgencyAnswer | None:
        """What Which RA said of the name, or why it could not be asked."""
        return self._agencies.get(fold(name))

    def exists(self, name: str) -> bool | None:
        """Whether the name exists, by its record or else by Which RA; None: nobody could say."""
        found = self._resolutions.get(fold(name))
        if found is not None and not isinstance(found.answer, ProxyError | Unreachable):
            return found.alias_of is not None or not isinstance(found.answer, Missing)
        agency = self._agencies.get(fold(name))
        return agency.exists if isinstance(agency, Agency) else None

    def source(self, reading: Reading, *, quick: bool = False) -> Source:
        """Where the answer about the name itself comes from: its record, or else what Which RA says of it."""
        name = name_to_ask(reading)
        if name is None:
            return Source()
        key = fold(name)
        found = None if quick and self.agency_settles(name, quick=True) else self._resolutions.get(key)
        if found is not None and not isinstance(found.answer, ProxyError | Unreachable):
            return Source(self._record_at[key], key in self._stored)
        if self.agency_settles(name, quick=quick):
            return Source(self._agency_at[key], key in self._agencies_stored)
        return Source()

    def is_out_of_reach(self, name: str | None) -> bool:
        """Whether the proxy was asked for the name, by its record or by Which RA, and gave no answer at all."""
        if name is None:
            return False
        found = self._resolutions.get(fold(name))
        return isinstance(found.answer if found else self.agency(name), Unreachable)

    def agency_settles(self, name: str, *, quick: bool) -> bool:
        """Whether Which RA alone tells enough: that the name does not exist or, in quick mode, that it does."""
        return _settles(self.agency(name), quick=quick)

    def unsettled(self, names: Iterable[str], *, quick: bool = False) -> list[str]:
        """The names whose record must be asked for after Which RA has answered (R3)."""
        return [name for name in names if not self.agency_settles(name, quick=quick)]

    def learn_agencies(self, names: Iterable[str]) -> None:
        """Ask Which RA for the names that nothing is known of, in as few requests as it takes (R2)."""
        wanted = self.without_agency(names)
        if wanted:
            self.take_in({}, self.ask.agencies(wanted, self._allowances.shares))

    def learn_records(self, names: Iterable[str]) -> None:
        """Ask for the records of the names that none is known of."""
        wanted = self._unknown(names, self._resolutions)
        if wanted:
            self.take_in(self.ask.resolve(wanted, self._allowances.shares), {})

    def questions(self, readings: Iterable[Reading], *, quick: bool, until: float = math.inf) -> BatchRequest:
        """What is to be asked for these at first, less what the questions before these ask already.

        Which RA first, in batches: what it says does not exist needs no second question; in quick mode only what it
        cannot tell needs one (R3). Short DOIs it does not take (R4).
        """
        readings = list(readings)
        each = [names_asked(reading) for reading in readings]
        unnamed = self.without_agency([name for names, _ in each for name in names])
        unrecorded = self._unknown([name for _, in_full in each for name in in_full], self._resolutions)
        if unnamed or unrecorded:
            self.pay_for(readings)
        agencies = [name for name in unnamed if fold(name) not in self._agencies_under_way]
        unrecorded = [name for name in unrecorded if fold(name) not in self._records_under_way]
        later, wanted = set(map(fold, agencies)), set(map(fold, unrecorded))
        self._agencies_under_way |= later
        self._records_under_way |= wanted
        return BatchRequest(
            agencies,
            [name for name in self.unsettled(unrecorded, quick=quick) if fold(name) not in later],
            lambda name, agency: fold(name) in wanted and not _settles(agency, quick=quick),
            until,
            self._allowances.shares,
        )

    def pay_for(self, readings: Iterable[Reading]) -> None:
        """Give each text its allowance."""
        for reading in readings:
            self._allowances.pay_for(reading)

    def without_agency(self, names: Iterable[str]) -> list[str]:
        """The distinct names of which it is not known what Which RA says."""
        return self._unknown(names, self._agencies)

    def take_in(self, resolutions: Mapping[str, Resolution], agencies: Mapping[str, AgencyAnswer]) -> None:
        """Know, and store, what was answered."""
        records = {fold(name): resolution for name, resolution in resolutions.items()}
        said = {fold(name): agency for name, agency in agencies.items()}
        self._resolutions |= records
        self._record_at |= dict.fromkeys(records, self.now)
        self._agencies |= said
        self._agency_at |= dict.fromkeys(said, self.now)
        # Another text that holds one of these may still pay for it.
        without_record = {key for key, found in records.items() if isinstance(found.answer, Unasked)}
        without_agency = {key for key, agency in said.items() if isinstance(agency, Unasked)}
        self._any_unasked = self._any_unasked or bool(without_record or without_agency)
        self._records_under_way -= without_record
        self._agencies_under_way -= without_agency
        cache.keep(resolutions, agencies, proxy=self.proxy, now=self.now)

    def is_complete(self, reading: Reading, *, quick: bool) -> bool:
        """Whether nothing that `questions` had asked for this one is still unanswered."""
        names, in_full = names_asked(reading)
        unsettled = self.unsettled(in_full, quick=quick)
        return all(fold(n) in self._agencies for n in names) and all(fold(n) in self._resolutions for n in unsettled)

    def settle(self, names: Iterable[str]) -> None:
        """Ask for the records of those names of which Which RA could not tell whether they exist (R3)."""
        self.learn_records([name for name in names if self.exists(name) is None])

    def learn_the_rest(self, readings: Iterable[Reading]) -> None:
        """In one batch of Which RA: the agencies of all names, and where a name does not exist, its candidates (a
        suggestion must have been tried) and its prefix."""
        readings = list(readings)
        names = [name for reading in readings for name in names_in(reading)]
        candidates, prefixes = self.beside(readings)
        self.learn_agencies([*names, *candidates, *prefixes])
        if self._any_unasked:  # on behalf of another text, which could not pay for it
            own = [name for reading in readings if (name := name_to_ask(reading))]
            self.learn_records([name for name in own if fold(name) in self._resolutions])
        self.settle(candidates)

    def beside(self, readings: Iterable[Reading]) -> tuple[list[str], list[str]]:
        """What else Which RA is to be asked for: the candidates and the prefixes of those that do not exist as read."""
        candidates: list[str] = []
        prefixes: list[str] = []
        for reading in readings:
            if self._is_doubtful(reading):
                names = [candidate.doi for candidate in reading.candidates]
                prefix = [reading.doi.prefix] if reading.doi else []
                self._allowances.pay_for_more(reading, [*names, *prefix])
                candidates += names
                prefixes += prefix
        return candidates, prefixes

    def report(self, reading: Reading, *, quick: bool = False) -> Report:
        """The verdict on one input from all that is known."""
        name = name_to_ask(reading)
        others = tuple(self._other(other, quick=quick) for other in reading.others)
        return judge(
            reading,
            self._resolution_for(name, quick=quick) if name else None,
            self.agency(name) if name else None,
            quick=quick,
            exists={fold(c.doi): self.exists(c.doi) for c in reading.candidates} if self._is_doubtful(reading) else {},
            prefix_agency=self.agency(reading.doi.prefix) if reading.doi else None,
            others=others,
            others_lack=any(map(self._lacks, others)),
        )

    def _other(self, name: str, *, quick: bool) -> Other:
        return judge_also(name, self._resolution_for(name, quick=quick), self.agency(name), quick=quick)

    def _lacks(self, other: Other) -> bool:
        """Whether it could not be asked if this one exists, or who answers for it."""
        unasked = isinstance(self.agency(other.doi), ProxyError | Unreachable)
        return other.outcome in {*COULD_NOT_ASK, NOT_ASKED} or (unasked and self.exists(other.doi) is True)

    def _resolution_for(self, name: str, *, quick: bool) -> Resolution | None:
        """The record as far as the verdict needs it: in quick mode Which RA comes first, whatever is stored."""
        return None if quick and self.agency_settles(name, quick=True) else self.resolution(name)

    def _is_doubtful(self, reading: Reading) -> bool:
        name = name_to_ask(reading)
        return name is None or reading.doi is None or self.exists(name) is False

    def _unknown(self, names: Iterable[str], known: Mapping[str, object]) -> list[str]:
        distinct = {fold(name): name for name in reversed(list(names))}
        self._recall({key: name for key, name in distinct.items() if key not in self._recalled})
        return [
            name
            for key, name in reversed(distinct.items())
            if key not in known or (self._any_unasked and _is_unasked(known[key]))
        ]

    def _moment(self, at: datetime | None) -> datetime | None:
        """The same object for the same moment: writing rows prepares an object once."""
        return self._moments.setdefault(at, at)

    def _recall(self, names: Mapping[str, str]) -> None:
        self._recalled.update(names)
        if self.fresh or not names:
            return
        stored = cache.recall(names.values(), proxy=self.proxy, now=self.now, fresh_since=self.fresh_since)
        for key, known in stored.items():
            if known.resolution is not None:
                self._resolutions[key] = known.resolution
                self._record_at[key] = self._moment(known.resolution_at)
                self._stored.add(key)
            if known.agency is not None:
                self._agencies[key] = known.agency
                self._agency_at[key] = self._moment(known.agency_at)
                self._agencies_stored.add(key)


def _settles(agency: AgencyAnswer | None, *, quick: bool) -> bool:
    exists = agency.exists if isinstance(agency, Agency) else None
    return exists is False or (quick and exists is True)


def _is_unasked(known: object) -> bool:
    return isinstance(known.answer if isinstance(known, Resolution) else known, Unasked)
