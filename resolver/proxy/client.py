"""The client for one name at a time, for a person who waits. It uses the library requests."""

import math
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Self

import requests
from requests.adapters import BaseAdapter

from doi_reading import Message
from resolver.domain.handle.answers import Answer, Failure, ProxyError, Resolution, Unreachable, WhichRaAnswer
from resolver.domain.work.search_query import SearchQuery
from resolver.proxy.library_errors import LIBRARY_ERRORS, explain_library_error
from resolver.proxy.limits import Budget
from resolver.proxy.limits.request_deadline import (
    Paused,
    TimeLimitReached,
    compute_time_left,
    record_answer,
    share_time_left,
)
from resolver.proxy.limits.requests_per_text import (
    REQUESTS_FOR_RECORDS,
    SPENT,
    NameAllowance,
    RequestAllowance,
    Shares,
    Take,
    make_payer,
    select_shares,
)
from resolver.proxy.metadata_requests import MetadataVerdict, ServicePaused, ask_metadata
from resolver.proxy.proxy_config import MAX_ANSWER_BYTES, ProxyConfig, find_ca_bundle, find_http_proxy
from resolver.proxy.proxy_reply import (
    CUT_OFF,
    STALE,
    TIMED_OUT,
    Negotiated,
    ProxyReply,
    derive_service_signal,
    derive_signal,
)
from resolver.proxy.request_logic import (
    UNWRITABLE,
    Conversation,
    SendStep,
    T,
    Verdict,
    ask_agencies,
    ask_negotiation,
    ask_record,
    ask_resolution,
    split_batches,
)
from resolver.proxy.total_timeout import BoundedAdapter, TotalTimeout
from resolver.proxy.work_lists import WorkAnswers, WorkService, ask_works
from resolver.proxy.work_searches import Hits, SearchService, ask_search

MOST_KEPT_CONNECTIONS = 16  # no process that uses this client has more than 8 threads, and 5 of them send two at once
FindBudget = Callable[[str], Budget]
"""Return the budget of the agency's service at this host."""
Begin = Callable[[], None]
"""Note that a request is sent now, with its permit at hand, or raise an error that keeps it back."""
TOO_BIG = ProxyError(Message("the answer is longer than {count} bytes", count=MAX_ANSWER_BYTES))


class ProxyClient:
    """Resolves names and requests Which RA, and waits for each answer. Every attempt takes a permit of the budget.

    Threads may share one. It keeps connections for the next request until `close`, or the end of `with`. After a fork
    only the parent may use it: two processes would read from one connection.
    """

    def __init__(self, config: ProxyConfig, budget: Budget, patience: float = math.inf) -> None:
        """`patience`: seconds that one call waits for its turns, over all its attempts; a longer pause ends it with
        Paused. So does a `request_deadline.time_limit` around several calls."""
        self._config = config
        self._patience = patience
        self._budget = budget
        self._adapter = BoundedAdapter(pool_maxsize=MOST_KEPT_CONNECTIONS)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._adapter.close()

    def resolve(self, name: str, shares: Shares | None = None, *, auth: bool = False) -> Resolution:
        """Return the answer for one handle, behind its aliases (P7); a failure is an answer too. Without `shares` it
        has an allowance of its own. `auth`: from an authoritative server, past the proxy's cache (P8). Raises Paused.
        """
        return self._hold(ask_resolution(name, self._config, auth=auth), _make_payer_for(shares, [name]))

    def record(
        self, name: str, *, auth: bool = False, certified: bool = False, allowance: RequestAllowance | None = None
    ) -> Answer:
        """Return the answer for that very handle, without following an alias. `auth`: from an authoritative server,
        past the proxy's cache; `certified`: authenticated (P8); `allowance` pays for it. Raises Paused."""
        take = make_payer([NameAllowance(allowance or RequestAllowance())])
        return self._hold(ask_record(name, self._config, auth=auth, certified=certified), take)

    def find_redirect(self, name: str, accept: str, query: str = "") -> Negotiated:
        """Return where the proxy redirects a client with this Accept header and raw query. Raises Paused."""
        return self._hold(ask_negotiation(name, accept, self._config, query), _make_payer_for(None))

    def find_metadata(self, name: str, find_budget: FindBudget) -> MetadataVerdict:
        """Return what the agency says about the work behind the name. Requests to its service take a permit of that
        service's budget. Raises Paused; ServicePaused for the service."""
        return self._hold(ask_metadata(name, self._config), _make_payer_for(None), find_budget)

    def find_works(self, names: Sequence[str], service: WorkService) -> WorkAnswers | Failure:
        """Return what an agency's service, at the address and with the budget of this client, says about one list of
        works. Raises ServicePaused."""
        return self._hold(ask_works(names, service, self._config), _make_payer_for(None))

    def search(self, query: SearchQuery, service: SearchService, key: str = "", *, begin: Begin) -> Hits | Failure:
        """Return the works that a service, at the address and with the budget of this client, finds for the query.
        `key`: the operator's; `begin` is called before each attempt. Raises ServicePaused."""
        return self._hold(ask_search(query, service, self._config, key=key), _make_payer_for(None), begin=begin)

    def find_agencies(self, names: Sequence[str], shares: Shares | None = None) -> list[Verdict]:
        """Return what Which RA says about each name, in order (R1). Since a person waits, the names after a batch
        without any answer are not requested: they get the failure of that batch. Without `shares` all names have one
        allowance. Raises Paused."""
        found: dict[str, Verdict] = {}
        alone = _make_payer_for(None)
        for batch in split_batches(names):
            take = alone if shares is None else _make_payer_for(shares, batch, kept=REQUESTS_FOR_RECORDS)
            verdicts = self._hold(ask_agencies(batch, self._config), take)
            found |= zip(batch, verdicts, strict=True)
            if failure := _of_all(verdicts):
                return [found.get(name, failure) for name in names]
        return [found[name] for name in names]

    def _hold(
        self,
        conversation: Conversation[T],
        take: Take,
        find_budget: FindBudget | None = None,
        begin: Begin | None = None,
    ) -> T:
        heard: ProxyReply | Failure | None = None
        patience = self._patience
        while True:
            try:
                step = conversation.send(heard)
            except StopIteration as end:
                result: T = end.value
                return result
            heard = None
            if not isinstance(step, SendStep):
                time.sleep(min(step.seconds, compute_time_left()))
            elif not take():
                heard = SPENT
            else:
                began = time.monotonic()
                # Another server's 429 is no reason to pause for the DOI proxy.
                budget = find_budget(step.service) if find_budget and step.service else self._budget
                with (
                    _name_service(step.service),
                    budget.permit(min(patience, compute_time_left())) as permit,
                ):
                    patience -= time.monotonic() - began
                    if begin:
                        begin()
                    heard = self._ask(step)
                    if step.service:
                        permit.signal = derive_service_signal(heard, pages=bool(step.accept))
                    else:
                        permit.signal = derive_signal(heard, pages=bool(step.accept))
                if isinstance(heard, ProxyReply):
                    record_answer()
                if heard == TIMED_OUT:
                    compute_time_left()  # an answer that the time limit cut short says nothing about the name

    def _ask(self, step: SendStep) -> ProxyReply | Failure:
        # An adapter of its own has no kept connection, which may be dead.
        new_adapter = BoundedAdapter() if step.on_new_connection else None
        with TotalTimeout(min(self._config.timeout, share_time_left(step.more))) as timeout:
            try:
                heard = self._get(step, new_adapter or self._adapter)
            except LIBRARY_ERRORS as error:
                heard = explain_library_error(error)
                if heard == CUT_OFF and timeout.on_kept_connection:
                    heard = STALE
            finally:
                if new_adapter:
                    new_adapter.close()
        # An answer that was cut may look like one that has ended.
        return TIMED_OUT if timeout.passed else heard

    def _get(self, step: SendStep, adapter: BaseAdapter) -> ProxyReply | Failure:
        url, headers = step.url, self._config.headers
        if step.accept:
            headers["Accept"] = step.accept
        request = requests.Request("GET", self._config.root, headers=headers).prepare()
        # Set afterwards, the address is not decoded and encoded again.
        request.url = url
        server = find_http_proxy(url)
        # The adapter, not the session: a session parses a redirect and reads its body, even if it doesn't follow it.
        with adapter.send(
            request,
            stream=True,
            timeout=(self._config.connect_timeout, self._config.timeout),
            verify=find_ca_bundle() if url.startswith("https:") else True,
            proxies={"http": server, "https": server} if server else {},
        ) as response:
            body = bytearray()
            while chunk := response.raw.read1(65_536, decode_content=True):
                body += chunk
                if len(body) > MAX_ANSWER_BYTES:
                    return TOO_BIG
            return ProxyReply.of(response.status_code, body, response.headers)


@contextmanager
def _name_service(host: str) -> Iterator[None]:
    """Let a pause say that it is this agency's, not the DOI proxy's."""
    try:
        yield
    except TimeLimitReached:
        raise
    except Paused as pause:
        if host:
            raise ServicePaused(host, pause.seconds) from pause
        raise


def _make_payer_for(shares: Shares | None, names: Sequence[str] = (), *, kept: int = 0) -> Take:
    """Without shares the payer has an allowance of its own."""
    return make_payer(
        [NameAllowance(RequestAllowance())] if shares is None else select_shares(shares, names), kept=kept
    )


def _of_all(verdicts: Sequence[Verdict]) -> Failure | None:
    """Return the failure if nothing was answered; None if something was, or a single name may be at fault."""
    failures = [verdict for verdict in verdicts if not isinstance(verdict, WhichRaAnswer) and verdict != UNWRITABLE]
    if any(isinstance(verdict, WhichRaAnswer) for verdict in verdicts):
        return None
    last = failures[-1] if failures else None
    return last if len(failures) > 1 or isinstance(last, Unreachable) else None
