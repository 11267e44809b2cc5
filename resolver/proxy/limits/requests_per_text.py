"""The requests that one text may cost the DOI proxy: retries, aliases, halved batches and other readings included. The
proxy is a shared public service, and a text may hold a thousand DOIs.

Each row of a list has an allowance. A name in several rows is paid for by any of them.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from doi_reading import Message, fold
from resolver.domain.handle.answers import Unasked

MOST_REQUESTS = 40
"""Enough, at a proxy in order, for a record, Which RA for 1,450 DOIs in batches of 50, and some more records."""
REQUESTS_FOR_RECORDS = 10  # of these, which Which RA may not use
REQUESTS_FOR_MAIN_NAME = 6  # of these, for the name that the text is read as; its other DOIs may not use them

SPENT = Unasked(Message("this text reached its limit of {count} requests", count=MOST_REQUESTS))


class RequestAllowance:
    """The requests that are left for one text."""

    def __init__(self, most: int = MOST_REQUESTS) -> None:
        self.left = most


@dataclass(frozen=True, slots=True)
class NameAllowance:
    """The allowance that pays for a name, and how much of it is kept for more important names."""

    allowance: RequestAllowance
    kept: int = 0

    def count_left(self, kept: int) -> int:
        """Return how many more requests it has for this name."""
        return self.allowance.left - max(self.kept, kept)


Shares = Mapping[str, Sequence[NameAllowance]]
"""By folded names. Other names are not bounded here."""
Take = Callable[[], bool]
"""Pay for one request, and return whether anything was left to pay with."""


def select_shares(shares: Shares, names: Iterable[str]) -> list[NameAllowance]:
    """Return the shares that pay for these names."""
    return [share for name in names for share in shares.get(fold(name), ())]


def make_payer(shares: Sequence[NameAllowance], *, kept: int = 0) -> Take:
    """Return a function that lets the richest share pay for each request. Without shares all is free."""

    def take() -> bool:
        if not shares:
            return True
        richest = max(shares, key=lambda share: share.count_left(kept))
        if richest.count_left(kept) <= 0:
            return False
        richest.allowance.left -= 1
        return True

    return take
