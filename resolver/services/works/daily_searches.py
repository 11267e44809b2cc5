"""How many searches an account may use in a day, or an address without an account (SEARCHES_PER_DAY): all share the
public services. A bound by session would not hold, since a new one costs nothing."""

from contextlib import suppress

from django.conf import settings
from redis import RedisError

from doi_reading import Message
from resolver.services.doi_limits.window_counts import FileCounts, RedisCounts, open_counts

DAY = 86_400  # seconds


class SearchesUsedUp(Exception):
    """The caller has no search left in this day. `reason`: the sentence for people."""

    def __init__(self, most: int) -> None:
        super().__init__(f"all {most} searches of a day are used up")
        self.reason = Message("all {most} searches of this day are used up", most=most)


def count_search(caller: str) -> None:
    """Count a search for the caller: the sharer of a list without an account, else its owner. While Redis is away
    nothing is counted. Any thread may do it. Raises SearchesUsedUp."""
    most = settings.SEARCHES_PER_DAY
    with suppress(RedisError):
        if most and _open_counts().take(caller, 1, most).wait:
            raise SearchesUsedUp(most)


def prune_counts() -> None:
    """Remove the counts of days that are over."""
    _open_counts().prune()


def _open_counts() -> FileCounts | RedisCounts:
    return open_counts("searches", window=DAY, step=900)  # a quarter of an hour has one count
