"""The client for thousands of names, for a worker: it sends as many requests as it gets permits."""

import logging
import math
import os
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextvars import copy_context
from dataclasses import dataclass, field
from functools import partial
from heapq import heappop, heappush
from itertools import count
from typing import Any, Self

from resolver.domain.handle.answers import Failure, Resolution
from resolver.proxy.limits import Budget
from resolver.proxy.limits.permit import Permit
from resolver.proxy.limits.permit_queue import PermitQueue
from resolver.proxy.limits.requests_per_text import REQUESTS_FOR_RECORDS, SPENT, Shares, Take, make_payer, select_shares
from resolver.proxy.proxy_config import ProxyConfig
from resolver.proxy.proxy_reply import ProxyReply, derive_signal
from resolver.proxy.request_logic import (
    Conversation,
    SendStep,
    Verdict,
    WaitStep,
    ask_agencies,
    ask_resolution,
    split_batches,
)
from resolver.proxy.transfers import Transfers

LONGEST_WAIT_SECONDS = 1.0  # for answers, before the session looks at its clock again
STAND_IN_SECONDS = 0.005  # after which another thread advances in place of a busy one
MEANWHILE_SECONDS = 0.0005  # between two looks at the answers while the caller is busy
GATHERED_SECONDS = 0.0002  # after some answers: one look at ten costs little more than at one


log = logging.getLogger(__name__)


@dataclass
class BatchRequest:
    """What to request about many names: Which RA for `agencies`; the records of `records` at once, and of `agencies`
    if `needs_record` says so when Which RA has answered.

    No new request begins after `until` (monotonic seconds; it may be moved meanwhile) or after answers of more than
    `most_bytes`, which are all held together. Requests without an answer at `ends` are cancelled. A name gets no more
    requests than its `shares` pay for. `awaited`: a person waits for the answers. `auth`: records come from an
    authoritative server, past the proxy's cache (P8)."""

    agencies: Sequence[str] = ()
    records: Sequence[str] = ()
    needs_record: Callable[[str, Verdict], bool] = lambda _name, _verdict: False
    until: float = math.inf
    shares: Shares = field(default_factory=dict)
    ends: float = math.inf
    most_bytes: float = math.inf
    awaited: bool = False
    auth: bool = False


@dataclass
class BatchResult:
    """The answers; a name that was not reached before `until` or within `most_bytes`, or not answered before `ends`, is
    in neither. `received`: the bytes of all answers so far."""

    agencies: dict[str, Verdict] = field(default_factory=dict)
    records: dict[str, Resolution] = field(default_factory=dict)
    received: int = 0


class RequestedBatch:
    """A batch under way."""

    def __init__(self, request: BatchRequest, session: "ProxySession") -> None:
        self.request, self.found = request, BatchResult()
        self.names = deque(request.records)  # whose records are still to be requested
        self.talks: set[_Talk] = set()
        self.cancelled = False
        self.error: Exception | None = None  # of the budget's store
        self._session = session

    def done(self) -> bool:
        """Return whether nothing more will come."""
        return self.cancelled or not (self.names or self.talks)

    def wait(self, seconds: float) -> None:
        """Wait until it is done, for so many seconds at most. Raises the errors of the budget's store."""
        until = time.monotonic() + seconds
        while not self.done() and (left := until - time.monotonic()) > 0:
            if self._session.advance(min(left, LONGEST_WAIT_SECONDS), self):
                time.sleep(GATHERED_SECONDS)
        if self.error:
            raise self.error

    def result(self) -> BatchResult:
        """Wait until it is done, and return the answers. Raises the errors of the budget's store."""
        self.wait(math.inf)
        return self.found

    def is_over(self) -> bool:
        """Return whether no new request may begin."""
        return time.monotonic() >= self.request.until or self.found.received > self.request.most_bytes


@dataclass(eq=False, slots=True)
class _Talk:
    """A conversation about a name, or about some for Which RA, and what to do with its result."""

    batch: RequestedBatch
    conversation: Conversation[Any]
    take: Take
    end: Callable[[Any], None]
    is_record: bool
    step: SendStep = field(init=False)


class ProxySession:
    """An open session with the proxy, for one thread. It keeps its connections for the whole list.

    It advances while its thread waits for an answer, or calls `advance_meanwhile` between two pieces of work. Two
    threads would fight for the interpreter at each answer. Only while its thread does neither, as when it waits for the
    database, another one takes its place: an answer must not keep its permit, nor a person wait for it."""

    def __init__(self, config: ProxyConfig, budget: Budget) -> None:
        self._config = config
        self._transfers: Transfers[_Talk] = Transfers(config)
        self._queues: dict[bool, PermitQueue[_Talk]] = {
            awaited: PermitQueue(budget, awaited=awaited) for awaited in (False, True)
        }
        self._batches: list[RequestedBatch] = []
        self._permits: dict[_Talk, Permit] = {}  # of the requests in flight
        self._resting: list[tuple[float, int, _Talk]] = []  # a heap: those that wait until then for their next attempt
        self._numbers = count()
        self._records = 0  # of which so many are under way
        self._advanced_at = -math.inf
        self.closed, self.process = False, os.getpid()
        self._lock = threading.Lock()
        self._over = threading.Event()
        self._other = threading.Thread(
            target=copy_context().run, args=(self._stand_in,), name="proxy-session", daemon=True
        )
        self._other.start()

    def start(self, request: BatchRequest) -> RequestedBatch:
        """Start the requests."""
        batch = RequestedBatch(request, self)
        with self._lock:
            self._batches.append(batch)
            for names in split_batches(request.agencies):
                if batch.is_over():
                    break
                take = make_payer(select_shares(request.shares, names), kept=REQUESTS_FOR_RECORDS)
                take_in = self._make_taker(batch, names)
                self._begin(batch, ask_agencies(names, self._config), take, take_in, is_record=False)
        self.advance(0.0)
        return batch

    def advance(self, seconds: float, awaited: RequestedBatch | None = None) -> int:
        """Send what has its permit and take in the answers that came, or wait for one for so many seconds at most, or
        until the `awaited` batch is done. Return their number. An error of the budget's store ends the session; each
        batch raises it."""
        with self._lock:
            return 0 if self.closed else self._advance(seconds, awaited)

    def advance_meanwhile(self) -> None:
        """Advance, if the last time is a while ago. For a caller that is busy, and calls it often."""
        if time.monotonic() - self._advanced_at >= MEANWHILE_SECONDS:
            self.advance(0.0)

    def close(self) -> None:
        """Give up what is under way. Raises errors of the budget's store."""
        self._over.set()
        self._other.join()
        if not self.closed:
            self._close()

    def _stand_in(self) -> None:
        """Advance as long as the thread of the session does not."""
        while not self._over.wait(STAND_IN_SECONDS):
            if time.monotonic() - self._advanced_at >= STAND_IN_SECONDS and self._lock.acquire(blocking=False):
                try:
                    if self._batches and not self.closed:
                        self._advance(0.0)
                finally:
                    self._lock.release()

    def _advance(self, seconds: float, awaited: RequestedBatch | None = None) -> int:
        try:
            self._send()
            if awaited is not None and awaited.done():
                return 0
            left = min([seconds, *(at - time.monotonic() for at in self._list_next_times())])
            answers = self._transfers.wait(left)
            for talk, heard in answers:
                self._hear(talk, heard)
            if answers:
                self._send()
                self._transfers.flush()
        except Exception as error:  # noqa: BLE001 - each batch raises it, in the thread that waits for it
            self._give_up(error)
            return 0
        self._advanced_at = time.monotonic()
        return len(answers)

    def _give_up(self, error: Exception) -> None:
        for batch in self._batches:
            batch.error = error
        self._over.set()
        try:
            self._close()
        except Exception:
            log.warning("Permits could not be given back; they end with their leases", exc_info=True)

    def _close(self) -> None:
        self.closed = True
        try:
            for batch in list(self._batches):
                self._cancel(batch)
            for queue in self._queues.values():
                queue.close()
        finally:
            self._transfers.close()

    def _make_taker(self, batch: RequestedBatch, names: list[str]) -> Callable[[list[Verdict]], None]:
        def take_in(answers: list[Verdict]) -> None:
            verdicts = dict(zip(names, answers, strict=True))
            batch.found.agencies.update(verdicts)
            batch.names.extend(name for name, verdict in verdicts.items() if batch.request.needs_record(name, verdict))

        return take_in

    def _begin(
        self,
        batch: RequestedBatch,
        conversation: Conversation[Any],
        take: Take,
        end: Callable[[Any], None],
        *,
        is_record: bool,
    ) -> None:
        talk = _Talk(batch, conversation, take, end, is_record)
        batch.talks.add(talk)
        self._records += is_record
        self._continue(talk, None)

    def _begin_records(self) -> None:
        """Begin as many records as may be in flight: those of the oldest batch first."""
        for batch in self._batches:
            while batch.names and self._records < self._config.concurrency:
                if batch.is_over():
                    batch.names.clear()
                    break
                name, request = batch.names.popleft(), batch.request
                take = make_payer(select_shares(request.shares, (name,)))
                conversation = ask_resolution(name, self._config, auth=request.auth)
                self._begin(batch, conversation, take, partial(batch.found.records.__setitem__, name), is_record=True)

    def _continue(self, talk: _Talk, heard: ProxyReply | Failure | None) -> None:
        """Let the conversation say what to do next, and do it or queue for it."""
        while True:
            try:
                step = talk.conversation.send(heard)
            except StopIteration as end:
                talk.batch.talks.discard(talk)
                self._records -= talk.is_record
                talk.end(end.value)
                return
            if isinstance(step, WaitStep):
                heappush(self._resting, (time.monotonic() + step.seconds, next(self._numbers), talk))
                return
            if talk.take():
                talk.step = step
                self._queues[talk.batch.request.awaited].add(talk)
                return
            heard = SPENT

    def _send(self) -> None:
        now = time.monotonic()
        for batch in [batch for batch in self._batches if batch.request.ends <= now and not batch.done()]:
            self._cancel(batch)
        while self._resting and self._resting[0][0] <= time.monotonic():
            self._continue(heappop(self._resting)[2], None)
        self._begin_records()
        self._batches = [batch for batch in self._batches if not batch.done()]
        for queue in self._queues.values():
            for talk, permit in queue.grant():
                self._permits[talk] = permit
                self._transfers.start(talk, talk.step)

    def _hear(self, talk: _Talk, heard: ProxyReply | Failure) -> None:
        permit = self._permits.pop(talk)
        permit.signal = derive_signal(heard)
        if isinstance(heard, ProxyReply):
            talk.batch.found.received += len(heard.body)
        try:
            # The next request waits already when the permit is free, and gets it.
            self._continue(talk, heard)
            self._begin_records()
        finally:
            self._queues[talk.batch.request.awaited].end(permit)

    def _list_next_times(self) -> Iterator[float]:
        yield from (queue.look_at for queue in self._queues.values())
        yield from (batch.request.ends for batch in self._batches)
        if self._resting:
            yield self._resting[0][0]

    def _cancel(self, batch: RequestedBatch) -> None:
        batch.cancelled = True
        batch.names.clear()
        queue = self._queues[batch.request.awaited]
        self._resting = sorted(rest for rest in self._resting if rest[2].batch is not batch)
        for talk in batch.talks:
            self._records -= talk.is_record
            if permit := self._permits.pop(talk, None):
                self._transfers.cancel(talk)
                permit.cut_short = True
                queue.end(permit)
            else:
                queue.withdraw(talk)


class _OfThread(threading.local):
    """The session of a thread, and how many `with` blocks it is in."""

    users = 0
    session: ProxySession | None = None


class BulkClient:
    """Requests the answers about many names. Threads may share one: inside `with` each has a session of its own, which
    ends when it leaves its outermost block."""

    def __init__(self, config: ProxyConfig, budget: Budget) -> None:
        self._config = config
        self._budget = budget
        self._here = _OfThread()

    def __enter__(self) -> Self:
        """May be entered again inside."""
        self._here.users += 1
        return self

    def __exit__(self, *_: object) -> None:
        self._here.users -= 1
        if not self._here.users:
            session, self._here.session = self._here.session, None
            if session is not None and not session.closed:
                session.close()

    def start(self, request: BatchRequest) -> RequestedBatch:
        """Start the requests while the caller does something else; only inside `with`."""
        session = self._here.session
        if session is None or session.closed or session.process != os.getpid():  # a fork has no thread of it
            session = self._here.session = ProxySession(self._config, self._budget)
        return session.start(request)

    def advance_meanwhile(self) -> None:
        """Let the requests under way go on. A caller that is busy calls it often: it costs less than the thread that
        would do it instead."""
        session = self._here.session
        if session is not None and not session.closed:
            session.advance_meanwhile()

    def resolve(self, names: Iterable[str], shares: Shares | None = None) -> dict[str, Resolution]:
        """Return the record of each distinct name."""
        request = BatchRequest(records=list(dict.fromkeys(names)), shares=shares or {})
        with self:
            return self.start(request).result().records

    def find_agencies(self, names: Iterable[str], shares: Shares | None = None) -> dict[str, Verdict]:
        """Return what Which RA says about each distinct name, requested in batches (R2)."""
        request = BatchRequest(agencies=list(dict.fromkeys(names)), shares=shares or {})
        with self:
            return self.start(request).result().agencies
