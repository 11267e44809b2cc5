"""Everything known about the names of one piece of work: stored answers first, then what the proxy says."""

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from doi_reading import Candidate, Reading, fold
from doi_reading.repair import ListVocabulary
from resolver.domain.handle.answers import (
    AgencyAnswer,
    MissingHandle,
    ProxyError,
    Resolution,
    Unasked,
    Unreachable,
    WhichRaAnswer,
)
from resolver.domain.report.destination import find_unasked
from resolver.domain.report.judge import judge, judge_other
from resolver.domain.report.outcome import COULD_NOT_ASK, NOT_ASKED
from resolver.domain.report.proxy_answers import ProxyAnswers
from resolver.domain.report.report import OtherDoi, Report, TriedCandidate
from resolver.proxy.async_client import BatchRequest, BulkClient
from resolver.services.proxy_answers import cache
from resolver.services.proxy_answers.allowances_by_text import Allowances
from resolver.services.proxy_answers.batch_client import BatchClient
from resolver.services.proxy_answers.interactive_client import InteractiveClient
from resolver.services.proxy_answers.known_answer import Found, KnownAnswer
from resolver.services.proxy_answers.names_to_ask import get_name_to_ask, list_names, list_names_to_ask

MOST_BYTES = 50_000_000  # of the answers to one request for many names
NO_ANSWER: KnownAnswer[Any] = KnownAnswer(None)


@dataclass
class ResolutionBatch:
    """What one proxy knows about names. No name is requested twice, and equivalent names (S8) are one. Each text has an
    allowance of requests, and what it cannot pay for is not requested."""

    ask: BulkClient | BatchClient | InteractiveClient
    proxy: str
    now: datetime
    fresh_since: datetime | None = None  # stored answers from before don't count
    _resolutions: Found[Resolution] = field(default_factory=dict)
    _agencies: Found[AgencyAnswer] = field(default_factory=dict)
    _recalled: set[str] = field(default_factory=set)
    _allowances: Allowances = field(default_factory=Allowances)
    # Folded names in the requests so far: of a text with many DOIs Which RA gets more names than records are requested.
    _agencies_under_way: set[str] = field(default_factory=set)
    _records_under_way: set[str] = field(default_factory=set)
    _guesses: dict[str, tuple[Candidate, ...]] = field(default_factory=dict)  # by text

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

    def source(self, reading: Reading, *, quick: bool = False) -> KnownAnswer[Any]:
        """Return the answer that decided about the name itself: its record, or what Which RA says; else NO_ANSWER."""
        name = get_name_to_ask(reading)
        if name is None:
            return NO_ANSWER
        settled = self.agency_settles(name, quick=quick)
        record = None if quick and settled else self._record(name)
        return record or (self._agencies[fold(name)] if settled else NO_ANSWER)

    def is_out_of_reach(self, name: str | None) -> bool:
        """Return whether the proxy gave no answer at all to the request for the name's record, or to Which RA."""
        if name is None:
            return False
        found = self._resolutions.get(fold(name))
        return isinstance(found.answer.answer if found else self.agency(name), Unreachable)

    def agency_settles(self, name: str, *, quick: bool) -> bool:
        """Return whether Which RA tells enough: that the name doesn't exist or, in quick mode, that it does."""
        return _settles(self.agency(name), quick=quick)

    def list_unsettled(self, names: Iterable[str], *, quick: bool = False) -> list[str]:
        """Return the names whose record is needed after the answer of Which RA (R3)."""
        return [name for name in names if not self.agency_settles(name, quick=quick)]

    def learn_agencies(self, names: Iterable[str]) -> None:
        """Ask Which RA about the names without an answer, in as few requests as possible (R2)."""
        wanted = self.list_without_agency(names)
        if wanted:
            self.take_in({}, self.ask.find_agencies(wanted, self._allowances.shares))

    def learn_records(self, names: Iterable[str]) -> None:
        """Request the records of the names without one."""
        wanted = self._list_without(names, self._resolutions)
        if wanted:
            self.take_in(self.ask.resolve(wanted, self._allowances.shares), {})

    def build_first_request(self, readings: Iterable[Reading], *, quick: bool, until: float = math.inf) -> BatchRequest:
        """Return the first request for these readings, without the names of earlier requests.

        Which RA comes first, in batches. Names that it denies need no second request; in quick mode only names that it
        can't decide need one (R3). It takes no short DOIs (R4).
        """
        readings = list(readings)
        each = [list_names_to_ask(reading) for reading in readings]
        agencies = self.list_without_agency(name for names, _ in each for name in names)
        records = self._list_without((name for _, in_full in each for name in in_full), self._resolutions)
        if agencies or records:
            self.pay_for(readings)
        agencies = [name for name in agencies if fold(name) not in self._agencies_under_way]
        records = [name for name in records if fold(name) not in self._records_under_way]
        later, wanted = set(map(fold, agencies)), set(map(fold, records))
        self._agencies_under_way |= later
        self._records_under_way |= wanted
        return BatchRequest(
            agencies,
            [name for name in self.list_unsettled(records, quick=quick) if fold(name) not in later],
            lambda name, agency: fold(name) in wanted and not _settles(agency, quick=quick),
            until,
            self._allowances.shares,
            most_bytes=MOST_BYTES,
        )

    def pay_for(self, readings: Iterable[Reading]) -> None:
        """Give each text its allowance."""
        for reading in readings:
            self._allowances.pay_for(reading)

    def list_without_agency(self, names: Iterable[str]) -> list[str]:
        """Return the distinct names without an answer of Which RA."""
        return self._list_without(names, self._agencies)

    def take_in(self, resolutions: Mapping[str, Resolution], agencies: Mapping[str, AgencyAnswer]) -> None:
        """Take and store these answers."""
        for name, resolution in resolutions.items():
            self._resolutions[fold(name)] = KnownAnswer(resolution, self.now)
            if isinstance(resolution.answer, Unasked):  # another text that holds the name may still pay for it
                self._records_under_way.discard(fold(name))
        for name, agency in agencies.items():
            self._agencies[fold(name)] = KnownAnswer(agency, self.now)
            if isinstance(agency, Unasked):
                self._agencies_under_way.discard(fold(name))
        cache.store_answers(resolutions, agencies, proxy=self.proxy, now=self.now)

    def is_complete(self, reading: Reading, *, quick: bool) -> bool:
        """Return whether everything that `build_first_request` requests for this one is answered."""
        names, in_full = list_names_to_ask(reading)
        unsettled = self.list_unsettled(in_full, quick=quick)
        return all(fold(n) in self._agencies for n in names) and all(fold(n) in self._resolutions for n in unsettled)

    def learn_the_rest(self, readings: Iterable[Reading], *, agencies: bool = True) -> None:
        """Ask Which RA, in one batch, about all names, about the candidates and the prefix of a name that doesn't exist
        (a suggestion must have been tried), and about the full names where a text was cut.

        Without `agencies`, of the names in the texts only those of which it is unknown whether they exist.
        """
        readings = list(readings)
        candidates, prefixes = self.list_further_names(readings)
        names = [name for reading in readings for name in list_names(reading)]
        wanted = [name for name in names if agencies or self.exists(name) is None]
        self.learn_agencies([*wanted, *candidates, *prefixes])
        # Those that an earlier text could not pay for.
        own = [name for reading in readings if (name := get_name_to_ask(reading))]
        self.learn_records(name for name in own if fold(name) in self._resolutions)
        # Those that Which RA could not decide (R3).
        self.learn_records(name for name in candidates if self.exists(name) is None)

    def learn_guesses(self, readings: Iterable[Reading]) -> None:
        """Ask Which RA, in one batch, about the doubtful candidates of names that don't exist and have no other
        candidate that does. Prefixes and journals of names that exist in these texts help to guess."""
        readings = list(readings)
        hopeless = [one for one in readings if self._is_missing(one) and not self._has_candidate(one)]
        if not hopeless:
            return
        vocabulary = ListVocabulary.of(str(one.doi) for one in readings if one.doi and self.exists(str(one.doi)))
        for reading in hopeless:
            guesses = self._guesses[reading.input] = reading.propose_late_candidates(vocabulary)
            self._allowances.pay_for_more(reading, [guess.doi for guess in guesses])
        self.learn_agencies(guess.doi for reading in hopeless for guess in self._guesses[reading.input])

    def learn_suggestions(self, readings: Iterable[Reading]) -> None:
        """Request the records of suggestions, before they may go into a catalogue: one could be an alias, deleted, or
        without an address. A suggestion whose record is missing gives way to the next candidate. Ends if none of the
        records has an answer: the time of a batch may be over."""
        pending = [reading for reading in readings if self._is_missing(reading)]
        while pending:
            pending = [reading for reading in pending if self._pay_for_suggestion(reading)]
            names = [self._find_suggested(reading) for reading in pending]
            self.learn_records(names)
            if not any(fold(name) in self._resolutions for name in names):
                break

    def learn_destinations(self, readings: Iterable[Reading]) -> None:
        """Request the records of the DOIs to which the records of names, or of suggestions, lead, one after the other.
        Ends if none of them has an answer."""
        pending = list(readings)
        while pending:
            wanted = [(reading, name) for reading in pending if (name := self._find_unasked_destination(reading))]
            for reading, name in wanted:
                self._allowances.pay_for_more(reading, [name])
            self.learn_records(name for _, name in wanted)
            pending = [reading for reading, name in wanted if fold(name) in self._resolutions]

    def _find_unasked_destination(self, reading: Reading) -> str:
        """Return the name to which the record leads, and whose own record is needed; "" for none."""
        name = self._find_suggested(reading) if self._is_missing(reading) else get_name_to_ask(reading)
        found = self._resolutions.get(fold(name)) if name else None
        if name is None or found is None:
            return ""
        return find_unasked(name, found.answer, _Records(self._resolutions))

    def _pay_for_suggestion(self, reading: Reading) -> bool:
        """Let the text pay for the record of its suggestion. Return whether it has to be requested."""
        name = self._find_suggested(reading)
        if not name or fold(name) in self._resolutions:
            return False
        self._allowances.pay_for_more(reading, [name])
        return True

    def _find_suggested(self, reading: Reading) -> str:
        """Return the candidate that is suggested, not the main DOI behind it; "" for none."""
        found = self.report(reading).suggestion
        return (found.alias or found.doi) if found else ""

    def _has_candidate(self, reading: Reading) -> bool:
        """Return whether one of its candidates exists, or may exist: one couldn't be checked."""
        return any(self.exists(candidate.doi) is not False for candidate in reading.candidates)

    def list_further_names(self, readings: Iterable[Reading]) -> tuple[list[str], list[str]]:
        """Return the candidates to be tried, and the prefixes of the names that don't exist, for Which RA."""
        candidates: list[str] = []
        prefixes: list[str] = []
        for reading in readings:
            names = [candidate.doi for candidate in self._list_candidates_to_try(reading)]
            prefix = [reading.doi.prefix] if reading.doi and self._is_missing(reading) else []
            if names or prefix:
                self._allowances.pay_for_more(reading, [*names, *prefix])
                candidates += names
                prefixes += prefix
        return candidates, prefixes

    def _list_candidates_to_try(self, reading: Reading) -> tuple[Candidate, ...]:
        """Return the candidates of a name that doesn't exist, or those with which a cut text goes on after one that
        does."""
        if self._is_missing(reading):
            return reading.candidates
        longer = reading.longer_names
        return longer if longer and self.exists(str(reading.doi)) else ()

    def report(self, reading: Reading, *, quick: bool = False) -> Report:
        """Return the verdict on one input from everything known."""
        name = get_name_to_ask(reading)
        others = tuple(
            judge_other(other, self._find_resolution(other, quick=quick), self.agency(other), quick=quick)
            for other in reading.others
        )
        candidates, guesses = self._list_candidates_to_try(reading), self._guesses.get(reading.input, ())
        answers = ProxyAnswers(
            self._find_resolution(name, quick=quick) if name else None,
            self.agency(name) if name else None,
            prefix_agency=self.agency(reading.doi.prefix) if reading.doi else None,
            exists={fold(one.doi): self.exists(one.doi) for one in candidates},
            records={} if quick else _Records(self._resolutions),
            guesses=tuple(
                TriedCandidate(each.doi, each.reason, self.exists(each.doi), each.doubtful) for each in guesses
            ),
            others=others,
            others_incomplete=any(map(self._lacks, others)),
        )
        return judge(reading, answers, quick=quick)

    def _lacks(self, other: OtherDoi) -> bool:
        """Return whether it is unknown if this one exists, or which agency it has."""
        unasked = isinstance(self.agency(other.doi), ProxyError | Unreachable)
        return other.outcome in {*COULD_NOT_ASK, NOT_ASKED} or (unasked and self.exists(other.doi) is True)

    def _find_resolution(self, name: str, *, quick: bool) -> Resolution | None:
        """Return the record for the verdict. A name that Which RA denies is missing. In quick mode Which RA decides
        first, whatever is stored."""
        if quick and self.agency_settles(name, quick=True):
            return None
        found = self._resolutions.get(fold(name))
        if found is None:
            return Resolution(MissingHandle()) if self.exists(name) is False else None
        return found.answer

    def _record(self, name: str) -> KnownAnswer[Resolution] | None:
        """Return the record, or its absence; None for a failure."""
        found = self._resolutions.get(fold(name))
        return None if found is None or isinstance(found.answer.answer, ProxyError | Unreachable) else found

    def _is_missing(self, reading: Reading) -> bool:
        name = get_name_to_ask(reading)
        return name is None or reading.doi is None or self.exists(name) is False

    def _list_without(self, names: Iterable[str], known: Mapping[str, KnownAnswer[Any]]) -> list[str]:
        """Return the distinct names without an answer in `known`; look into the store first."""
        distinct = cache.deduplicate_names(names)
        new = [name for key, name in distinct.items() if key not in self._recalled]
        if new:
            self._recalled.update(map(fold, new))
            stored = cache.load_answers(new, proxy=self.proxy, now=self.now, since=self.fresh_since)
            self._resolutions |= stored.resolutions
            self._agencies |= stored.agencies
        return [name for key, name in distinct.items() if key not in known or _is_unasked(known[key].answer)]


@dataclass(frozen=True, slots=True)
class _Records(Mapping[str, Resolution]):
    """The answers by folded name, without when they came."""

    found: Found[Resolution]

    def __getitem__(self, key: str) -> Resolution:
        return self.found[key].answer

    def __iter__(self) -> Iterator[str]:
        return iter(self.found)

    def __len__(self) -> int:
        return len(self.found)


def _settles(agency: AgencyAnswer | None, *, quick: bool) -> bool:
    exists = agency.exists if isinstance(agency, WhichRaAnswer) else None
    return exists is False or (quick and exists is True)


def _is_unasked(answer: object) -> bool:
    return isinstance(answer.answer if isinstance(answer, Resolution) else answer, Unasked)
