"""The requests of one piece of work, a lookup of one text or a part of a list with thousands: how they are sent for
those who wait, and what each text pays."""

import math
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import copy_context
from dataclasses import dataclass, field

from doi_reading import Reading, fold
from doi_reading.repair import ListVocabulary
from resolver.domain.handle.answers import AgencyAnswer, Resolution, Unreachable
from resolver.proxy.bulk_client import BatchRequest, BatchResult, BulkClient
from resolver.proxy.client import ProxyClient
from resolver.proxy.limits import Budget, Paused
from resolver.proxy.limits.request_deadline import compute_time_left, time_limit
from resolver.proxy.limits.requests_per_text import REQUESTS_FOR_MAIN_NAME, NameAllowance, RequestAllowance, Shares
from resolver.services.proxy_answers.name_answers import (
    NameAnswers,
    get_name_to_ask,
    is_unasked,
    list_names,
    list_names_to_ask,
    settles,
)
from resolver.services.proxy_answers.reading_judge import ReadingJudge
from resolver.services.proxy_answers.waiting_places import PROXY_PLACES

MOST_ANSWER_BYTES = 50_000_000  # of the answers to one request for many names


@dataclass(frozen=True)
class InteractiveClient:
    """The requests for a person who waits, each from a place of the process (waiting_places.py); `shares` pay. `auth`:
    the records come past the proxy's cache (P8)."""

    client: ProxyClient
    auth: bool = False

    def find_agencies(self, names: list[str], shares: Shares) -> dict[str, AgencyAnswer]:
        """Return what Which RA says of all names, in as few requests as possible (R2)."""
        with PROXY_PLACES.take_place():
            return dict(zip(names, self.client.find_agencies(names, shares), strict=True))

    def resolve(self, names: list[str], shares: Shares) -> dict[str, Resolution]:
        """Return the records, one request a name. After a name without any answer the rest share its failure."""
        found: dict[str, Resolution] = {}
        with PROXY_PLACES.take_place():
            for name in names:
                found[name] = self.client.resolve(name, shares, auth=self.auth)
                if isinstance(found[name].answer, Unreachable):
                    return dict.fromkeys(names, found[name]) | found
        return found

    @contextmanager
    def resolve_beside_agency(self, name: str, shares: Shares) -> Iterator[tuple[Resolution, Future[AgencyAnswer]]]:
        """Request the record and Which RA at once, from one place and within one time limit. Yield the record, and what
        will be the answer of Which RA."""

        def find_agency(seconds: float) -> AgencyAnswer:
            with time_limit(seconds):
                return self.client.find_agencies([name], shares)[0]

        with PROXY_PLACES.take_place(), ThreadPoolExecutor(1, "which-ra") as beside:
            # With the ids of the log.
            agency = beside.submit(copy_context().run, find_agency, compute_time_left())
            yield self.client.resolve(name, shares, auth=self.auth), agency


@dataclass(frozen=True)
class BatchClient:
    """Many requests at once, as the budget permits, from one place of the process (waiting_places.py).

    A name that has no answer at `ends` (monotonic seconds) has none in the result. The answers that came are stored, so
    the program that repeats its batch waits only for the others. `auth`: the records come past the proxy's cache (P8).
    All raise Paused: while all requests pause until after `ends`, or if there is no place.
    """

    bulk: BulkClient
    budget: Budget
    ends: float
    auth: bool = False

    def find_agencies(self, names: Iterable[str], shares: Shares) -> dict[str, AgencyAnswer]:
        """Return what Which RA says of the names, in as few requests as possible (R2)."""
        return {**self._send(BatchRequest(agencies=list(names), shares=shares, ends=self.ends, awaited=True)).agencies}

    def resolve(self, names: Iterable[str], shares: Shares) -> dict[str, Resolution]:
        """Return the records, one request a name."""
        request = BatchRequest(records=list(names), shares=shares, ends=self.ends, awaited=True, auth=self.auth)
        return self._send(request).records

    def _send(self, request: BatchRequest) -> BatchResult:
        left = self.budget.get_pause()
        if left and time.monotonic() + left > self.ends:
            raise Paused(left)
        with PROXY_PLACES.take_place(), self.bulk:
            return self.bulk.start(request).result()


class Allowances:
    """The requests that each text may pay for, one allowance for each distinct text with its hyperlink. Each text that
    holds a name has a share in the requests about it."""

    def __init__(self) -> None:
        self.shares: dict[str, list[NameAllowance]] = {}
        self._by_text: dict[tuple[str, str, tuple[str, ...]], RequestAllowance] = {}

    def pay_for(self, reading: Reading) -> None:
        """Let a new text pay for its names, with precedence for the name that it is read as."""
        key = _build_text_key(reading)
        if key not in self._by_text:
            allowance = self._by_text[key] = RequestAllowance()
            names, in_full = list_names_to_ask(reading)
            for place, name in enumerate(dict.fromkeys([*in_full, *names]) if reading.others else in_full):
                self._share(name, NameAllowance(allowance, REQUESTS_FOR_MAIN_NAME if place else 0))

    def pay_for_more(self, reading: Reading, names: Iterable[str]) -> None:
        """Let the text pay for these names too."""
        share = NameAllowance(self._by_text.setdefault(_build_text_key(reading), RequestAllowance()))
        for name in names:
            self._share(name, share)

    def _share(self, name: str, share: NameAllowance) -> None:
        self.shares.setdefault(fold(name), []).append(share)


def _build_text_key(reading: Reading) -> tuple[str, str, tuple[str, ...]]:
    return reading.input, str(reading.doi), reading.others


@dataclass
class NameRequests:
    """Requests what the judge lacks. No name is requested twice. Each text has an allowance of requests, and what it
    cannot pay for is not requested."""

    client: BulkClient | BatchClient | InteractiveClient
    judge: ReadingJudge
    _allowances: Allowances = field(default_factory=Allowances)
    # Folded names in the requests so far: of a text with many DOIs Which RA gets more names than records are requested.
    _agencies_under_way: set[str] = field(default_factory=set)
    _records_under_way: set[str] = field(default_factory=set)

    @property
    def answers(self) -> NameAnswers:
        return self.judge.answers

    def pay_for(self, readings: Iterable[Reading]) -> None:
        """Give each text its allowance."""
        for reading in readings:
            self._allowances.pay_for(reading)

    def build_first_request(self, readings: Iterable[Reading], *, quick: bool, until: float = math.inf) -> BatchRequest:
        """Return the first request for these readings, without the names of earlier requests.

        Which RA comes first, in batches. Names that it denies need no second request; in quick mode only names that it
        can't decide need one (R3). It takes no short DOIs (R4).
        """
        readings = list(readings)
        each = [list_names_to_ask(reading) for reading in readings]
        agencies = self.answers.list_without_agency(name for names, _ in each for name in names)
        records = self.answers.list_without_record(name for _, in_full in each for name in in_full)
        if agencies or records:
            self.pay_for(readings)
        agencies = [name for name in agencies if fold(name) not in self._agencies_under_way]
        records = [name for name in records if fold(name) not in self._records_under_way]
        later, wanted = set(map(fold, agencies)), set(map(fold, records))
        self._agencies_under_way |= later
        self._records_under_way |= wanted
        return BatchRequest(
            agencies,
            [name for name in self.answers.list_unsettled(records, quick=quick) if fold(name) not in later],
            lambda name, agency: fold(name) in wanted and not settles(agency, quick=quick),
            until,
            self._allowances.shares,
            most_bytes=MOST_ANSWER_BYTES,
        )

    def take_in(self, resolutions: Mapping[str, Resolution], agencies: Mapping[str, AgencyAnswer]) -> None:
        """Take and store these answers. For a name that a text couldn't pay for, another text may still pay."""
        self._records_under_way -= {fold(name) for name, answer in resolutions.items() if is_unasked(answer)}
        self._agencies_under_way -= {fold(name) for name, answer in agencies.items() if is_unasked(answer)}
        self.answers.take_in(resolutions, agencies)

    def learn_agencies(self, names: Iterable[str]) -> None:
        """Request the missing answers of Which RA about the names, in as few requests as possible (R2)."""
        wanted = self.answers.list_without_agency(names)
        if wanted:
            self.take_in({}, self.client.find_agencies(wanted, self._allowances.shares))

    def learn_records(self, names: Iterable[str]) -> None:
        """Request the records of the names without one."""
        wanted = self.answers.list_without_record(names)
        if wanted:
            self.take_in(self.client.resolve(wanted, self._allowances.shares), {})

    def learn_plain_name(self, name: str) -> None:
        """Request the record and the agency of a name at once if neither is known: one of them would wait for the other
        only to save the request for the agency of a name that doesn't exist. Needs an InteractiveClient.

        If the proxy gives no answer at all to the request for the record, what Which RA says isn't taken: a name that
        is out of reach is neither missing nor registered.
        """
        if not (self.answers.list_without_record([name]) and self.answers.list_without_agency([name])):
            self.learn_records([name])
            return
        assert isinstance(self.client, InteractiveClient)  # noqa: S101 - for the type checker
        with self.client.resolve_beside_agency(name, self._allowances.shares) as (record, agency):
            try:
                said = {} if isinstance(record.answer, Unreachable) else {name: agency.result()}
            except Exception:
                self.take_in({name: record}, {})
                raise
            self.take_in({name: record}, said)

    def learn_the_rest(self, readings: Iterable[Reading], *, agencies: bool = True) -> None:
        """Request from Which RA, in one batch, all names, the candidates and the prefix of a name that doesn't exist (a
        suggestion must have been tried), and the full names of cut texts.

        Without `agencies`, of the names in the texts only those whose existence is unknown.
        """
        readings = list(readings)
        candidates, prefixes = self._pay_for_further_names(readings)
        names = [name for reading in readings for name in list_names(reading)]
        wanted = [name for name in names if agencies or self.answers.exists(name) is None]
        self.learn_agencies([*wanted, *candidates, *prefixes])
        # Names that an earlier text could not pay for.
        own = [name for reading in readings if (name := get_name_to_ask(reading))]
        self.learn_records(name for name in own if self._has_record_answer(name))
        # Candidates that Which RA could not decide (R3).
        self.learn_records(name for name in candidates if self.answers.exists(name) is None)

    def learn_guesses(self, readings: Iterable[Reading]) -> None:
        """Request from Which RA, in one batch, the doubtful candidates of names that don't exist and have no other
        candidate that does. Prefixes and journals of names that exist in these texts help to guess."""
        readings = list(readings)
        unexplained = self.judge.list_without_candidate(readings)
        if not unexplained:
            return
        vocabulary = ListVocabulary.of(
            str(one.doi) for one in readings if one.doi and self.answers.exists(str(one.doi))
        )
        names: list[str] = []
        for reading in unexplained:
            guesses = self.judge.guesses[reading.input] = reading.propose_late_candidates(vocabulary)
            self._allowances.pay_for_more(reading, [guess.doi for guess in guesses])
            names += [guess.doi for guess in guesses]
        self.learn_agencies(names)

    def learn_suggestions(self, readings: Iterable[Reading]) -> None:
        """Request the records of suggestions before they may be written into a catalogue: one could be an alias,
        deleted, or without an address. The next candidate replaces a suggestion whose record is missing. Ends if none
        of the records has an answer: the time of a batch may be over."""
        pending = [reading for reading in readings if self.answers.is_missing(reading)]
        while pending:
            pending = [reading for reading in pending if self._pay_for_suggestion(reading)]
            names = [self.judge.find_suggested(reading) for reading in pending]
            self.learn_records(names)
            if not any(map(self._has_record_answer, names)):
                break

    def learn_found(self, found: Iterable[tuple[Reading, Sequence[str]]]) -> None:
        """Request the records of the names that a search found for these texts: they may be aliases, or unknown."""
        wanted: list[str] = []
        for reading, names in found:
            self._allowances.pay_for_more(reading, names)
            wanted += names
        self.learn_records(wanted)

    def learn_destinations(self, readings: Iterable[Reading]) -> None:
        """Request the records of the DOIs to which the records of names, or of suggestions, lead, one after the other.
        Ends if none of them has an answer."""
        pending = list(readings)
        while pending:
            wanted = [(reading, name) for reading in pending if (name := self.judge.find_missing_destination(reading))]
            for reading, name in wanted:
                self._allowances.pay_for_more(reading, [name])
            self.learn_records(name for _, name in wanted)
            pending = [reading for reading, name in wanted if self._has_record_answer(name)]

    def _pay_for_further_names(self, readings: Iterable[Reading]) -> tuple[list[str], list[str]]:
        """Let the texts pay for the candidates to be tried and for prefixes. Return both."""
        candidates: list[str] = []
        prefixes: list[str] = []
        for reading in readings:
            names, prefix = self.judge.list_further_names(reading)
            if names or prefix:
                self._allowances.pay_for_more(reading, [*names, *prefix])
                candidates += names
                prefixes += prefix
        return candidates, prefixes

    def _pay_for_suggestion(self, reading: Reading) -> bool:
        """Let the text pay for the record of its suggestion. Return whether to request it."""
        name = self.judge.find_suggested(reading)
        if not name or self._has_record_answer(name):
            return False
        self._allowances.pay_for_more(reading, [name])
        return True

    def _has_record_answer(self, name: str) -> bool:
        """Return whether a request for the name's record has an answer, or a failure."""
        return fold(name) in self.answers.view_resolutions()
