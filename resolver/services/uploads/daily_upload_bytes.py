"""How many bytes an address may upload in a day without an account (BYTES_PER_DAY). A bound by session would not hold:
a new one costs nothing."""

import math
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from django.conf import settings
from redis import RedisError

from doi_reading import Message
from resolver.services.doi_limits.doi_limit import name_address
from resolver.services.doi_limits.window_counts import FileCounts, RedisCounts, open_counts
from resolver.services.http.request_run import ATTEMPT
from resolver.services.uploads.stored_uploads import UploadTooLarge
from resolver.sheets.errors import UnreadableFile

DAY = 86_400  # seconds
MOST_UPLOADS = 5_000  # of an address in a day: the smallest file counts as if there were so many
_COUNTED = "uploaded bytes"


class UploadLimitReached(Exception):
    """The address has uploaded too much in the last day. Nothing was counted. `seconds`: until the file fits."""

    def __init__(self, most: int, left: int, seconds: int) -> None:
        hours = Message.of_count("{count} hour", "{count} hours", math.ceil(seconds / 3600))
        super().__init__(
            Message(
                "Without an account, {most} may be uploaded from your network address in a day, and {left} are left. "
                "Log in, or try again in {hours}.",
                most=_describe_size(most),
                left=_describe_size(left),
                hours=hours,
            )
        )
        self.seconds = seconds


@contextmanager
def count_upload(request: Any, size: int) -> Iterator[None]:
    """Count the bytes of a file that is uploaded, or checked again, while the block stores it. If it stores nothing,
    the bytes are given back, unless the file itself is refused. Accounts have their own quotas. A request that the web
    server runs again counts once. While Redis is away nothing is counted, and uploads are accepted: DISK_RESERVE bounds
    them. Raises UploadLimitReached."""
    most = settings.BYTES_PER_DAY
    if not most or request.user.is_authenticated:
        yield
        return
    counts, address = _open_counts(), name_address(request)
    counted = max(size, math.ceil(most / MOST_UPLOADS))
    attempt = ATTEMPT.get()
    kept = attempt.kept if attempt is not None else {}
    if _COUNTED not in kept:
        with suppress(RedisError):
            allowance = counts.take(address, counted, most)
            if counted > most or allowance.wait:
                raise UploadLimitReached(most, allowance.left, allowance.wait or DAY)
            kept[_COUNTED] = True
    try:
        yield
    except (UnreadableFile, UploadTooLarge):
        raise
    except BaseException:
        if kept.pop(_COUNTED, False):
            with suppress(RedisError):
                counts.take(address, -counted, most)
        raise


def prune_counts() -> None:
    """Remove the counts of days that are over."""
    _open_counts().prune()


def _describe_size(size: int) -> Message:
    if size >= 1_000_000:
        return Message("{count} MB", count=size // 1_000_000)
    return Message.of_count("{count} byte", "{count} bytes", size)


def _open_counts() -> FileCounts | RedisCounts:
    return open_counts("bytes", window=DAY, step=900)  # a quarter of an hour has one count
