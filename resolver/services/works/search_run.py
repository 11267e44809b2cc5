"""Some queries on their way through the services: each from one to the next, until its works are found."""

import time
from collections import Counter, deque
from collections.abc import Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import nullcontext
from datetime import datetime
from functools import partial
from operator import attrgetter

from doi_reading import Message
from resolver.domain.handle.answers import Failure
from resolver.domain.work.found_works import FoundWork, Hit, SearchedWork, choose_works
from resolver.domain.work.row_work import RowWork
from resolver.domain.work.search_query import SearchQuery
from resolver.proxy.limits.request_deadline import Paused, TimeLimitReached, time_limit
from resolver.proxy.work_searches import Hits
from resolver.services.proxy_answers.configured_searches import ConfiguredSearch
from resolver.services.proxy_answers.fetch import explain_pause
from resolver.services.proxy_answers.stored_searches import FoundHits, load_searches, store_search
from resolver.services.proxy_answers.waiting_places import PROXY_PLACES, TurnedBack
from resolver.services.works.daily_searches import SearchesUsedUp, count_search
from resolver.services.works.records import TOO_LATE

FORBIDDEN = Message("This portal doesn't search for works.")
OF_DATA = "DataCite"


class QuerySearch:
    """One query, the rows that want it, and what was found so far. `left`: the services to search, the next one first;
    `is_sent`: whether any of them got a request, in this run."""

    def __init__(self, query: SearchQuery, searches: Sequence[ConfiguredSearch]) -> None:
        in_order = sorted(searches, key=lambda search: query.of_data and search.name != OF_DATA)
        self.query, self.left = query, deque(in_order)
        self.failure: Message | None = None if searches else FORBIDDEN
        self.is_sent = False
        self._rows: list[tuple[RowWork, str]] = []
        self._hits: list[Hit] = []
        self._services: list[str] = []
        self._asked_at: datetime | None = None

    @property
    def is_counted(self) -> bool:
        """Whether it counts already: in this run, or when the answer that is stored was new."""
        return self.is_sent or bool(self._services)

    def add_row(self, row: RowWork, without: str) -> None:
        """Add a row that wants this query."""
        self._rows.append((row, without))

    def add_answer(self, name: str, found: FoundHits) -> None:
        """Add the answer of the next service. The others are left out where each row has its work."""
        self.left.popleft()
        self._services.append(name)
        self._hits += (Hit(record, name) for record in found.hits)
        self._asked_at = min(filter(None, (self._asked_at, found.answered_at)))
        if all(any(work.is_same for work in self._choose(row, without)[0]) for row, without in self._rows):
            self.left.clear()

    def add_failure(self, reason: Message) -> None:
        """Add the failure of the next service."""
        self.left.popleft()
        self.failure = self.failure or reason

    def give_up(self, reason: Message) -> None:
        """Search no further service."""
        self.left.clear()
        self.failure = self.failure or reason

    def build_result(self, row: RowWork, without: str) -> SearchedWork | None:
        """Return what the search came to for this row; None if a service is left."""
        if self.left:
            return None
        works, suggested = self._choose(row, without)
        # The service that couldn't be asked may list another work that is the same.
        suggested = "" if self.failure else suggested
        return SearchedWork(works, suggested, tuple(self._services), self._asked_at, self.failure)

    def _choose(self, row: RowWork, without: str) -> tuple[tuple[FoundWork, ...], str]:
        return choose_works(row, self._hits, without=without)


def run_searches(
    queries: Sequence[QuerySearch],
    searches: Sequence[ConfiguredSearch],
    *,
    caller: str,
    now: datetime,
    until: float,
    in_turn: bool,
) -> None:
    """Search for all queries, as far as there is time: `in_turn` as `search_works` says, else as `search_now`.

    Two processes that send one query at the same moment both do: the requests run in threads without a connection to
    the database, where others would wait for them. Raises TurnedBack.
    """
    _SearchRun(queries, searches, caller, now, until, in_turn).run()


class _SearchRun:
    def __init__(
        self,
        queries: Sequence[QuerySearch],
        searches: Sequence[ConfiguredSearch],
        caller: str,
        now: datetime,
        until: float,
        in_turn: bool,
    ) -> None:
        self.queries, self.searches, self.caller, self.now = queries, searches, caller, now
        self.until, self.in_turn = until, in_turn
        self.first: QuerySearch | None = None
        self.under_way: dict[Future[Hits | Failure | SearchesUsedUp], QuerySearch] = {}
        self.in_flight: Counter[str] = Counter()
        self.used_up: SearchesUsedUp | None = None

    def run(self) -> None:
        keys = [search.query.key for search in self.queries]
        self.stored = {search.name: load_searches(keys, search, self.now) for search in self.searches}
        waiting = [search for search in self.queries if self._recall(search)]
        if not waiting:
            return
        self.first = waiting[0]
        try:
            with PROXY_PLACES.take_place():
                self._request(waiting)
        except TurnedBack:
            raise
        except Paused as pause:
            self._end(waiting, explain_pause(pause).reason)

    def _recall(self, search: QuerySearch) -> bool:
        """Use the stored answers. Return whether a service must be asked."""
        while search.left:
            name = search.left[0].name
            found = self.stored[name].get(search.query.key)
            if found is None:
                return True
            search.add_answer(name, found)
        return False

    def _request(self, waiting: list[QuerySearch]) -> None:
        most = sum(search.budget.limits.concurrency for search in self.searches)
        with ThreadPoolExecutor(most, thread_name_prefix="search") as pool:
            while True:
                waiting = [search for search in waiting if not self._start(search, pool)]
                if not self.under_way:
                    break
                done, _ = wait(self.under_way, return_when=FIRST_COMPLETED)
                for future in done:
                    search = self.under_way.pop(future)
                    self._take_in(search, future.result())
                    if self._recall(search):
                        waiting.append(search)
                waiting.sort(key=attrgetter("is_sent"), reverse=True)  # so that few are left half way
        self._end(waiting, TOO_LATE.reason)

    def _start(self, search: QuerySearch, pool: ThreadPoolExecutor) -> bool:
        """Send the next request of the query, or end it without one. Return False if it has to wait."""
        service = search.left[0]
        if self.in_flight[service.name] >= service.budget.limits.concurrency:
            return False
        if time.monotonic() >= self.until and search is not self.first:
            return False
        if self.used_up and not search.is_counted:
            search.give_up(self.used_up.reason)
            return True
        self.in_flight[service.name] += 1
        self.under_way[pool.submit(self._ask, service, search)] = search
        return True

    def _count(self, search: QuerySearch) -> None:
        """Count the query when its first request is sent, not before: a pause may keep it back."""
        if not search.is_counted:
            count_search(self.caller)
        search.is_sent = True

    def _ask(self, service: ConfiguredSearch, search: QuerySearch) -> Hits | Failure | SearchesUsedUp:
        """Ask in a thread. A person's time is shared by the services that are left."""
        share = (self.until - time.monotonic()) / len(search.left)
        try:
            with nullcontext() if self.in_turn else time_limit(share):
                return service.search(search.query, begin=partial(self._count, search), once=not self.in_turn)
        except SearchesUsedUp as error:
            return error
        except TimeLimitReached:
            return TOO_LATE
        except Paused as pause:
            return explain_pause(pause)

    def _take_in(self, search: QuerySearch, heard: Hits | Failure | SearchesUsedUp) -> None:
        service = search.left[0]
        self.in_flight[service.name] -= 1
        if isinstance(heard, SearchesUsedUp):
            self.used_up = heard
            search.give_up(heard.reason)
            return
        if isinstance(heard, Failure):
            search.add_failure(heard.reason)
            return
        found = FoundHits(heard, self.now)
        store_search(search.query.key, service, found)
        search.add_answer(service.name, found)

    def _end(self, waiting: Sequence[QuerySearch], reason: Message) -> None:
        """Leave the queries for another turn, or, if a person waits, say why they weren't sent. One that has failed at
        a service is left only in a pause: else another turn would send it there again."""
        paused = any(service.budget.get_pause() for service in self.searches)
        for search in waiting:
            if not self.in_turn or (search.is_sent and search.failure and not paused):
                search.give_up(reason)
