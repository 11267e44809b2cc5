"""The attempts of the last minutes, counted for all processes: in Redis where there is one, else in a file."""

from functools import lru_cache
from pathlib import Path
from typing import Protocol

from resolver import conf
from resolver.services.logins.file_store import FileWindows
from resolver.services.logins.redis_store import RedisWindows

WINDOW = 15 * 60.0  # seconds for which an attempt counts


class Windows(Protocol):
    """A window has a key and a bound; an attempt stands in several. Every method is one indivisible step."""

    def add(self, attempt: str, bounds: dict[str, int]) -> float:
        """Write the attempt into the windows with these keys, and return 0; or write nothing where any window holds as
        many as its bound, and return the seconds until there is room."""

    def remove(self, attempt: str, keys: list[str]) -> None:
        """Take this attempt out of these windows."""

    def empty(self, key: str) -> None:
        """Take all attempts out of this window."""


def of_this_portal() -> Windows:
    """Those that all its processes share."""
    return _windows(conf.redis_url(), conf.data_dir())


@lru_cache(4)  # a portal has one of each; tests have others
def _windows(redis_url: str, data_dir: Path) -> Windows:
    if redis_url:
        return RedisWindows(redis_url, WINDOW)
    return FileWindows(data_dir / "logins.sqlite3", WINDOW)
