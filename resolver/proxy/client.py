"""One name at a time, for a person who waits: requests."""

import math
import time
from collections.abc import Sequence
from types import TracebackType
from typing import Self

import requests
from requests.adapters import BaseAdapter

from resolver.domain.handle.record import Agency, Answer, ProxyError, Resolution, Unreachable
from resolver.domain.message import Message
from resolver.proxy.config import MAX_ANSWER_BYTES, ProxyConfig, batches
from resolver.proxy.environment import ca_bundle, proxy_server
from resolver.proxy.errors import LIBRARY_ERRORS, explain
from resolver.proxy.limits import Budget
from resolver.proxy.limits.allowance import FOR_RECORDS, SPENT, Allowance, Share, Shares, Take, payer, payers
from resolver.proxy.limits.deadline import time_left
from resolver.proxy.protocol import (
    UNWRITABLE,
    Conversation,
    Send,
    T,
    Verdict,
    agencies,
    negotiation,
    record,
    resolution,
)
from resolver.proxy.responses import CUT_OFF, STALE, TIMED_OUT, Failure, Negotiated, Reply, signal
from resolver.proxy.total_timeout import BoundedAdapter, Deadline

CHUNK = 65_536
CONNECTIONS = 8  # kept open at most; no process that asks in this way has more threads
TOO_BIG = ProxyError(Message("the answer is longer than {count} bytes", count=MAX_ANSWER_BYTES))


class Client:
    """Resolves names and asks Which RA, waiting for each answer. Every attempt takes a permit of the budget.

    Threads may share one. Connections are kept for the next request; `close`, or `with`, ends them. After a fork only
    the parent may use it: two processes would read from one connection.
    """

    def __init__(self, config: ProxyConfig, budget: Budget, patience: float = math.inf) -> None:
        """`patience`: seconds that one question waits for its turns, over all its attempts; a pause that lasts longer
        ends it with Paused. So does a `patience.time_limit` around it, over several questions."""
        self._config = config
        self._patience = patience
        self._budget = budget
        self._adapter = BoundedAdapter(pool_maxsize=CONNECTIONS)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        self._adapter.close()

    def resolve(self, name: str, shares: Shares | None = None) -> Resolution:
        """The answer for one handle, behind its aliases (P7); a failure is an answer too, and Paused the only
        exception: then nothing is known of the name. Without `shares` it has an allowance of its own."""
        return self._hold(resolution(name, self._config), _paid(shares, [name]))

    def record(
        self, name: str, *, auth: bool = False, certified: bool = False, allowance: Allowance | None = None
    ) -> Answer:
        """The answer for that very handle; no alias is followed. `auth`: from an authoritative server, whatever the
        proxy has stored; `certified`: authenticated (P8). `allowance` pays for it, where others are to be asked for
        the same request. Raises Paused."""
        take = payer([Share(allowance or Allowance())])
        return self._hold(record(name, self._config, auth=auth, certified=certified), take)

    def elsewhere(self, name: str, accept: str, query: str = "") -> Negotiated:
        """Where the proxy sends a client whose Accept header says `accept`, with a raw query; nothing is asked there.
        Raises Paused."""
        return self._hold(negotiation(name, accept, self._config, query), payer([Share(Allowance())]))

    def agencies(self, names: Sequence[str], shares: Shares | None = None) -> list[Verdict]:
        """What Which RA says of each name, in the order asked (R1). A person waits: once a batch has had no answer at
        all, the rest is left unasked and shares its failure. Without `shares` all have one allowance. Raises Paused."""
        found: dict[str, Verdict] = {}
        alone = payer([Share(Allowance())])
        for batch in batches(names):
            take = alone if shares is None else _paid(shares, batch, kept=FOR_RECORDS)
            verdicts = self._hold(agencies(batch, self._config), take)
            found |= zip(batch, verdicts, strict=True)
            if failure := _of_all(verdicts):
                return [found.get(name, failure) for name in names]
        return [found[name] for name in names]

    def _hold(self, conversation: Conversation[T], take: Take) -> T:
        heard: Reply | Failure | None = None
        patience = self._patience
        while True:
            try:
                step = conversation.send(heard)
            except StopIteration as end:
                result: T = end.value
                return result
            heard = None
            if isinstance(step, Send) and not take():
                heard = SPENT
            elif isinstance(step, Send):
                began = time.monotonic()
                with self._budget.permit(min(patience, time_left())) as permit:
                    patience -= time.monotonic() - began
                    heard = self._ask(step)
                    permit.signal = signal(heard, pages=bool(step.accept))
                if heard == TIMED_OUT:
                    time_left()  # what was cut short by it says nothing of the name
            else:
                time.sleep(min(step.seconds, time_left()))

    def _ask(self, step: Send) -> Reply | Failure:
        # One of its own keeps no connection: it makes a new one, and none of those that may be dead is tried.
        anew = BoundedAdapter() if step.anew else None
        with Deadline(min(self._config.timeout, time_left())) as deadline:
            try:
                heard = self._get(step, anew or self._adapter)
            except LIBRARY_ERRORS as error:
                heard = explain(error)
                if heard == CUT_OFF and deadline.on_kept_connection:
                    heard = STALE
            finally:
                if anew:
                    anew.close()
        # An answer that was cut may look like one that has ended.
        return TIMED_OUT if deadline.passed else heard

    def _get(self, step: Send, adapter: BaseAdapter) -> Reply | Failure:
        url, headers = step.url, self._config.headers
        if step.accept:
            headers["Accept"] = step.accept
        request = requests.Request("GET", self._config.root, headers=headers).prepare()
        # requests would decode and encode the address anew; set afterwards it travels as it is.
        request.url = url
        server = proxy_server(url)
        # The adapter, not the session: even told not to follow a redirect, a session parses it and reads its body.
        with adapter.send(
            request,
            stream=True,
            timeout=(self._config.connect_timeout, self._config.timeout),
            verify=ca_bundle() if url.startswith("https:") else True,
            proxies={"http": server, "https": server} if server else {},
        ) as response:
            return self._read(response)

    def _read(self, response: requests.Response) -> Reply | Failure:
        """The body, bounded in size."""
        body = bytearray()
        while chunk := response.raw.read1(CHUNK, decode_content=True):
            body += chunk
            if len(body) > MAX_ANSWER_BYTES:
                return TOO_BIG
        return Reply.of(response.status_code, body, response.headers)


def _paid(shares: Shares | None, names: Sequence[str], *, kept: int = 0) -> Take:
    return payer([Share(Allowance())] if shares is None else payers(shares, names), kept=kept)


def _of_all(verdicts: Sequence[Verdict]) -> Failure | None:
    """The failure to answer anything at all; None where there is an answer, or a single name may be at fault."""
    failures = [verdict for verdict in verdicts if not isinstance(verdict, Agency) and verdict != UNWRITABLE]
    if any(isinstance(verdict, Agency) for verdict in verdicts):
        return None
    last = failures[-1] if failures else None
    return last if len(failures) > 1 or isinstance(last, Unreachable) else None
