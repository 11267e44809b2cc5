"""The budget in Redis: for several machines.

A slot is a lease in a sorted set, with the time at which it ends; whoever holds it is killed, and it ends by itself.
All times are those of the Redis server, so clocks that differ do no harm.
"""

import asyncio
import secrets
from collections.abc import Callable

import redis

from resolver.proxy.slots import MAX_PAUSE, Result, TurnTaking

LEASE = 30.0  # longer than an attempt (20 s), and short enough that a restart goes on within a minute

_NOW = """
local time = redis.call('TIME')
local now = time[1] + time[2] / 1000000
local interval, lease = tonumber(ARGV[2]), tonumber(ARGV[3])
local turn = now
local paused = tonumber(redis.call('GET', KEYS[3]) or 0)
if paused > turn then turn = paused end
"""

_BOOK = """
if interval > 0 then
  local free = tonumber(redis.call('GET', KEYS[2]) or 0)
  if free > turn then turn = free end
  local kept = math.ceil((turn - now + interval) * 1000) + 1000
  redis.call('SET', KEYS[2], string.format('%.6f', turn + interval), 'PX', kept)
end
redis.call('ZADD', KEYS[1], turn + lease, ARGV[1])
redis.call('PEXPIRE', KEYS[1], math.ceil((turn - now + lease) * 1000) + 1000)
return string.format('%.6f', turn - now)
"""

TAKE = (
    _NOW
    + """
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[4]) then return false end
"""
    + _BOOK
)
RENEW = _NOW + "if paused <= now then return '0' end\n" + _BOOK
PAUSE = """
local time = redis.call('TIME')
local until_ = time[1] + time[2] / 1000000 + tonumber(ARGV[1])
if until_ > tonumber(redis.call('GET', KEYS[1]) or 0) then
  redis.call('SET', KEYS[1], string.format('%.6f', until_), 'PX', math.ceil(tonumber(ARGV[1]) * 1000) + 1)
end
"""


class RedisBudget(TurnTaking[str]):
    """At most `concurrency` slots, and `rate` turns a second (None or 0: as many as come), over all processes."""

    def __init__(
        self, url: str, concurrency: int, rate: float | None, *, key: str = "doiportal:budget", lease: float = LEASE
    ) -> None:
        self._redis = redis.Redis.from_url(url, socket_timeout=10, socket_connect_timeout=10)
        self._keys = [f"{{{key}}}:{part}" for part in ("slots", "next", "pause")]
        super().__init__(1.0 / rate if rate and rate > 0 else 0.0)
        self._numbers = [1.0 / rate if rate and rate > 0 else 0.0, lease, max(1, concurrency)]
        self._take = self._redis.register_script(TAKE)
        self._renew = self._redis.register_script(RENEW)
        self._pause = self._redis.register_script(PAUSE)

    def take(self) -> tuple[str, float] | None:
        lease = secrets.token_hex(8)
        wait = self._take(keys=self._keys, args=[lease, *self._numbers])
        return None if wait is None else (lease, float(wait))

    def still_to_wait(self, lease: str) -> float:
        return float(self._renew(keys=self._keys, args=[lease, *self._numbers]))

    def give_back(self, lease: str) -> None:
        self._redis.zrem(self._keys[0], lease)

    def pause(self, seconds: float) -> None:
        self.keep_still(min(seconds, MAX_PAUSE))
        if seconds > 0:
            self._pause(keys=self._keys[2:], args=[min(seconds, MAX_PAUSE)])

    async def aside(self, function: Callable[..., Result], *arguments: str) -> Result:
        """The answer comes over a network: a thread waits for it."""
        return await asyncio.to_thread(function, *arguments)

    def close(self) -> None:
        self._redis.close()
