"""All that is learned of names in the course of one piece of work: what is stored first, then what the proxy says."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from resolver.domain.doi import fold
from resolver.domain.reading import Reading
from resolver.domain.record import Agency, Missing, ProxyError, Resolution, Unreachable
from resolver.domain.report import COULD_NOT_ASK, Other, Report, judge, judge_other
from resolver.proxy.bulk import Questions
from resolver.proxy.client import Client
from resolver.services import answers
from resolver.services.answers import AgencyAnswer


class Ask(Protocol):
    """The two questions that a proxy answers, for many names at once; `proxy.bulk` is one."""

    def agencies(self, names: list[str]) -> Mapping[str, AgencyAnswer]: ...

    def resolve(self, names: list[str]) -> Mapping[str, Resolution]: ...


@dataclass(frozen=True)
class OneByOne:
    """The same two questions put by the client for a person who waits."""

    client: Client

    def agencies(self, names: list[str]) -> dict[str, AgencyAnswer]:
        """Which RA, all names in as few requests as it takes (R2)."""
        return dict(zip(names, self.client.agencies(names), strict=True))

    def resolve(self, names: list[str]) -> dict[str, Resolution]:
        """The records, one request a name; after one that got no answer at all the rest are not asked either."""
        found: dict[str, Resolution] = {}
        for name in names:
            found[name] = self.client.resolve(name)
            if isinstance(found[name].answer, Unreachable):
                return dict.fromkeys(names, found[name]) | found
        return found


@dataclass
class Knowledge:
    """What one proxy knows of names; no name is asked for twice, equivalent names (S8) are one."""

    ask: Ask
    proxy: str
    now: datetime
    fresh: bool = False  # true: ask again whatever is stored
    fresh_since: datetime | None = None  # ask again for what was stored before
    _stored: set[str] = field(default_factory=set)  # folded names whose record came from the store
    _resolutions: dict[str, Resolution] = field(default_factory=dict)
    _agencies: dict[str, AgencyAnswer] = field(default_factory=dict)
    _recalled: set[str] = field(default_factory=set)
    _under_way: set[str] = field(default_factory=set)  # folded names that `questions` have been made of

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

    def was_stored(self, name: str) -> bool:
        """Whether the record of the name was not asked for now."""
        return fold(name) in self._stored

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
            self.take_in({}, self.ask.agencies(wanted))

    def learn_records(self, names: Iterable[str]) -> None:
        """Ask for the records of the names that none is known of."""
        wanted = self._unknown(names, self._resolutions)
        if wanted:
            self.take_in(self.ask.resolve(wanted), {})

    def questions(self, readings: Iterable[Reading], *, quick: bool, until: float = math.inf) -> Questions:
        """What is to be asked for these at first, less what the questions before these ask already.

        Which RA first, in batches: what it says does not exist needs no second question; in quick mode only what it
        cannot tell needs one (R3). Short DOIs it does not take (R4).
        """
        readings = list(readings)
        names = [name for reading in readings for name in names_in(reading)]
        short = [reading.short_doi for reading in readings if reading.short_doi and not reading.doi]
        agencies = [n for n in self.without_agency(names) if fold(n) not in self._under_way]
        unrecorded = [n for n in self._unknown([*names, *short], self._resolutions) if fold(n) not in self._under_way]
        self._under_way.update(map(fold, [*agencies, *unrecorded]))
        later, wanted = set(map(fold, agencies)), set(map(fold, unrecorded))
        return Questions(
            agencies,
            [name for name in self.unsettled(unrecorded, quick=quick) if fold(name) not in later],
            lambda name, agency: fold(name) in wanted and not _settles(agency, quick=quick),
            until,
        )

    def without_agency(self, names: Iterable[str]) -> list[str]:
        """The distinct names of which it is not known what Which RA says."""
        return self._unknown(names, self._agencies)

    def take_in(self, resolutions: Mapping[str, Resolution], agencies: Mapping[str, AgencyAnswer]) -> None:
        """Know, and store, what was answered."""
        self._resolutions |= {fold(name): resolution for name, resolution in resolutions.items()}
        self._agencies |= {fold(name): agency for name, agency in agencies.items()}
        answers.keep(resolutions, agencies, proxy=self.proxy, now=self.now)

    def is_complete(self, reading: Reading, *, quick: bool) -> bool:
        """Whether nothing that `questions` had asked for this one is still unanswered."""
        names = names_in(reading)
        short = [reading.short_doi] if reading.short_doi and not reading.doi else []
        unsettled = self.unsettled([*names, *short], quick=quick)
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
        self.settle(candidates)

    def beside(self, readings: Iterable[Reading]) -> tuple[list[str], list[str]]:
        """What else Which RA is to be asked for: the candidates and the prefixes of those that do not exist as read."""
        doubtful = [reading for reading in readings if self._is_doubtful(reading)]
        candidates = [candidate.doi for reading in doubtful for candidate in reading.candidates]
        return candidates, [reading.doi.prefix for reading in doubtful if reading.doi]

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
        return judge_other(name, self._resolution_for(name, quick=quick), self.agency(name), quick=quick)

    def _lacks(self, other: Other) -> bool:
        """Whether it could not be asked if this one exists, or who answers for it."""
        unasked = isinstance(self.agency(other.doi), ProxyError | Unreachable)
        return other.outcome in COULD_NOT_ASK or (unasked and self.exists(other.doi) is True)

    def _resolution_for(self, name: str, *, quick: bool) -> Resolution | None:
        """The record as far as the verdict needs it: in quick mode Which RA comes first, whatever is stored."""
        return None if quick and self.agency_settles(name, quick=True) else self.resolution(name)

    def _is_doubtful(self, reading: Reading) -> bool:
        name = name_to_ask(reading)
        return name is None or reading.doi is None or self.exists(name) is False

    def _unknown(self, names: Iterable[str], known: Mapping[str, object]) -> list[str]:
        distinct = {fold(name): name for name in reversed(list(names))}
        self._recall({key: name for key, name in distinct.items() if key not in self._recalled})
        return [name for key, name in reversed(distinct.items()) if key not in known]

    def _recall(self, names: Mapping[str, str]) -> None:
        self._recalled.update(names)
        if self.fresh or not names:
            return
        stored = answers.recall(names.values(), proxy=self.proxy, now=self.now, fresh_since=self.fresh_since)
        for key, known in stored.items():
            if known.resolution is not None:
                self._resolutions[key] = known.resolution
                self._stored.add(key)
            if known.agency is not None:
                self._agencies[key] = known.agency


def _settles(agency: AgencyAnswer | None, *, quick: bool) -> bool:
    exists = agency.exists if isinstance(agency, Agency) else None
    return exists is False or (quick and exists is True)


def name_to_ask(reading: Reading) -> str | None:
    """The name, or the handle of a short DOI (S12), or None when there is nothing to ask for."""
    return str(reading.doi) if reading.doi else reading.short_doi


def names_in(reading: Reading) -> list[str]:
    """All DOI names in the text: the one that it is read as, and the others."""
    return [*([str(reading.doi)] if reading.doi else []), *reading.others]
