"""How many requests one text may cost the DOI proxy, whatever the proxy answers: retries, aliases, halved batches and
other readings included. The proxy is a shared public service, and a text may hold a thousand DOIs.

Of a list each row has an allowance, and names that stand in several rows are paid for by any of these rows.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from resolver.domain.handle.record import Unasked
from resolver.domain.message import Message
from resolver.domain.name.doi import fold

MOST_REQUESTS = 40
"""For a text in an orderly proxy: its record, Which RA for 1,450 DOIs in batches of 50, and some records more."""
FOR_RECORDS = 10  # of these Which RA leaves, whatever it costs
FOR_ITSELF = 6  # and the other DOIs of the text leave these for the name that it is read as: all attempts, or aliases

SPENT = Unasked(Message("this text reached its limit of {count} requests", count=MOST_REQUESTS))


class Allowance:
    """The requests that are left for one text."""

    def __init__(self, most: int = MOST_REQUESTS) -> None:
        self.left = most


@dataclass(frozen=True, slots=True)
class Share:
    """Who pays for what is asked about a name, and how much of it is kept for more important names."""

    allowance: Allowance
    kept: int = 0

    def available(self, kept: int) -> int:
        """How many more requests it has for this name."""
        return self.allowance.left - max(self.kept, kept)


Shares = Mapping[str, Sequence[Share]]
"""By folded names. What is asked about any other name is not bounded here."""
Take = Callable[[], bool]
"""Pays for one request; whether there was anything left to pay with."""


def payers(shares: Shares, names: Iterable[str]) -> list[Share]:
    """Who pays for what is asked about these names."""
    return [share for name in names for share in shares.get(fold(name), ())]


def payer(shares: Sequence[Share], *, kept: int = 0) -> Take:
    """Let the richest of them pay for each request, down to what it has to keep; without shares all is free."""

    def take() -> bool:
        if not shares:
            return True
        richest = max(shares, key=lambda share: share.available(kept))
        if richest.available(kept) <= 0:
            return False
        richest.allowance.left -= 1
        return True

    return take
