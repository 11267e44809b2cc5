"""The requests for those who wait for the answers: a person with one text, or a program with a batch of names."""

import time
from collections.abc import Iterable
from dataclasses import dataclass

from resolver.domain.handle.answers import AgencyAnswer, Resolution, Unreachable
from resolver.proxy.async_client import BatchRequest, BatchResult, BulkClient
from resolver.proxy.client import ProxyClient
from resolver.proxy.limits import Budget, Paused
from resolver.proxy.limits.requests_per_text import Shares
from resolver.services.proxy_answers.waiting_places import PROXY_PLACES


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
