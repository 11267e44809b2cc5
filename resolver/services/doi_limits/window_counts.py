"""How much each caller has used in a sliding window of time. All processes share the counts: in Redis, or without it in
an SQLite file of the machine."""

import os
import sqlite3
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import redis
from django.conf import settings
from django.db import OperationalError

MINUTE = 60  # seconds
# ARGV: the number, the most, the seconds of the window, and those that share one count.
_TAKE = """
local now, number, window = tonumber(redis.call('TIME')[1]), tonumber(ARGV[1]), tonumber(ARGV[3])
local counted, used = redis.call('HGETALL', KEYS[1]), 0
for at = 1, #counted, 2 do
  local second = tonumber(counted[at])
  if second <= now - window or second > now then
    redis.call('HDEL', KEYS[1], counted[at])
  else
    used = used + tonumber(counted[at + 1])
  end
end
local fits = used + number <= tonumber(ARGV[2])
if fits then
  redis.call('HINCRBY', KEYS[1], now - now % tonumber(ARGV[4]), number)
  redis.call('EXPIRE', KEYS[1], window + 1)
end
return {now, fits and 1 or 0, redis.call('HGETALL', KEYS[1])}
"""
# Without journal_mode=WAL: SQLite doesn't wait for others when it turns that on, and says "database is locked" at once.
# Emptying the journal costs half of removing the file.
_OPEN = """
PRAGMA synchronous=OFF; PRAGMA secure_delete=ON; PRAGMA journal_mode=TRUNCATE; BEGIN IMMEDIATE;
CREATE TABLE IF NOT EXISTS counted (caller TEXT, second INTEGER, number INTEGER, PRIMARY KEY (caller, second))
    WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS counted_second ON counted (second);
COMMIT;
"""


@dataclass(frozen=True, slots=True)
class WindowUse:
    """`most`: what the window holds, DOIs in a minute; `left`: of these; `full_in`: seconds until all are there again;
    `wait`: seconds until the wanted number fits, 0 if it did."""

    most: int
    left: int
    full_in: int
    wait: int = 0


def compute_allowance(
    counts: Mapping[int, int], now: int, number: int, most: int, *, fits: bool, window: int = MINUTE
) -> WindowUse:
    """Return what is left. `counts`: what was counted in each second of the window, with the `number` if it `fits`."""
    used = sum(counts.values())
    full_in = max(counts, default=now) + window - now if used else 0
    wait = 0
    if not fits:
        free = most - used
        for second in sorted(counts):
            free += counts[second]
            if free >= number:
                wait = max(second + window - now, 1)
                break
    return WindowUse(most, max(most - used, 0), full_in, wait)


class RedisCounts:
    """For each caller a hash of the seconds of the window, by the clock of the Redis server. `window` and `step` as in
    FileCounts. Raises redis.RedisError."""

    def __init__(self, url: str, name: str, window: int, step: int) -> None:
        self._name, self._window, self._step = name, window, step
        self._redis = redis.Redis.from_url(url, socket_timeout=10, socket_connect_timeout=10)
        self._take = self._redis.register_script(_TAKE)

    def take(self, caller: str, number: int, most: int) -> WindowUse:
        """Count the number for the caller if it fits into `most`. Return what is left."""
        key, numbers = f"doiportal:{self._name}:{caller}", [number, most, self._window, self._step]
        now, fits, flat = self._take(keys=[key], args=numbers)
        counts = {int(second): int(count) for second, count in zip(flat[::2], flat[1::2], strict=True)}
        return compute_allowance(counts, now, number, most, fits=bool(fits), window=self._window)

    def prune(self) -> None:
        """Do nothing: Redis removes what no longer counts."""


class FileCounts:
    """`window`: the seconds for which a number counts; `step`: the seconds that share one count. Raises
    django.db.OperationalError with SQLite's error as its cause (`storage_errors.py`)."""

    def __init__(self, path: Path, window: int = MINUTE, step: int = 1) -> None:
        self._path, self._window, self._step = path, window, step
        self._kept = threading.local()

    def take(self, caller: str, number: int, most: int) -> WindowUse:
        """Count the number for the caller if it fits into `most`. Return what is left."""
        with self._writing() as connection:
            now = self._prune(connection)
            counts = dict(connection.execute("SELECT second, number FROM counted WHERE caller = ?", (caller,)))
            fits = sum(counts.values()) + number <= most
            if fits:
                second = now - now % self._step
                counts[second] = counts.get(second, 0) + number
                connection.execute("REPLACE INTO counted VALUES (?, ?, ?)", (caller, second, counts[second]))
        return compute_allowance(counts, now, number, most, fits=fits, window=self._window)

    def prune(self) -> None:
        """Remove what no longer counts, when no request comes any more."""
        with self._writing() as connection:
            self._prune(connection)

    def _prune(self, connection: sqlite3.Connection) -> int:
        """Return the time."""
        now = int(time.time())
        # A second ahead was written before the clock was set back.
        connection.execute("DELETE FROM counted WHERE second <= ? OR second > ?", (now - self._window, now))
        return now

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """Begin a transaction without other writers, on a connection that no thread and no fork shares. It is kept
        until an error, or until the file is another one: opening it takes three times as long as counting."""
        try:
            connection = self._get_connection()
            try:
                connection.execute("BEGIN IMMEDIATE")
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                self._kept.connection = None
                connection.close()
                raise
        except sqlite3.Error as error:
            raise OperationalError(str(error)) from error

    def _get_connection(self) -> sqlite3.Connection:
        kept: sqlite3.Connection | None = getattr(self._kept, "connection", None)
        if kept is not None and self._kept.of == self._identify():
            return kept
        if not self._path.exists():
            with suppress(OSError):  # SQLite says below why it can't be made
                self._path.touch(mode=0o600)
        opened = sqlite3.connect(self._path, timeout=10, isolation_level=None)
        try:
            opened.executescript(_OPEN)
        except BaseException:
            opened.close()
            raise
        self._kept.connection, self._kept.of = opened, self._identify()
        return opened

    def _identify(self) -> tuple[int, int, int]:
        """Return the process and the file: a fork must not use its parent's connection."""
        try:
            found = self._path.stat()
        except OSError:
            return 0, 0, 0
        return os.getpid(), found.st_dev, found.st_ino


def open_counts(name: str, window: int = MINUTE, step: int = 1) -> FileCounts | RedisCounts:
    """Return the counts of that name, which is that of the file too."""
    return _open_counts(settings.REDIS_URL, settings.DOIPORTAL_DATA_DIR, name, window, step)


@lru_cache(8)  # a portal has two; tests have others
def _open_counts(redis_url: str, data_dir: Path, name: str, window: int, step: int) -> FileCounts | RedisCounts:
    if redis_url:
        return RedisCounts(redis_url, name, window, step)
    return FileCounts(data_dir / f"{name}.sqlite3", window, step)
