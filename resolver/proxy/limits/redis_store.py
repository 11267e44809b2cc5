"""The budget in Redis: for several machines.

A slot is a lease in a sorted set, with the time at which it ends; whoever holds it is killed, and it ends by itself.
All times are those of the Redis server, in seconds, so clocks that differ do no harm.

Each script is done in one go. KEYS: slots (sorted by the end of their lease), next turn, pause, window (requests that
count towards the rate, sorted by until when), mood, probe. ARGV: our lease's name, and in GIVE_BACK how long the slot
is to stay taken. Words in capitals are numbers of the settings (`with_numbers`): they would have to be sent, and read,
several hundred times a second.
"""

import asyncio
import re
import secrets
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from random import random
from typing import Any

import redis

from resolver.proxy.limits import backoff
from resolver.proxy.limits.backoff import (
    NUMBERS,
    REMEMBERED,
    STOP_AFTER,
    USUAL,
    BackoffPolicy,
    ProxyHealth,
    Reaction,
    Signal,
)
from resolver.proxy.limits.budget import LONGEST_POLL, Result, SharedBudget

NOW = """
local time = redis.call('TIME')
local now = time[1] + time[2] / 1000000
"""

_STATE = (
    NOW
    + """
local interval, lease, tokens = INTERVAL, LEASE, TOKENS
local mood = redis.call('HMGET', KEYS[5], 'pace', 'refused', 'cuts')
local pace, refused, cuts = tonumber(mood[1] or 0), tonumber(mood[2] or 0), tonumber(mood[3] or 0)
if pace > 0 and 1 / pace > interval then interval = 1 / pace end
local turn = now
local paused = tonumber(redis.call('GET', KEYS[3]) or 0)
if paused > turn then turn = paused end
local function expire(key, seconds) redis.call('PEXPIRE', key, math.ceil(seconds * 1000) + 1000) end
local function hold()
  redis.call('ZADD', KEYS[1], turn + lease, ARGV[1])
  expire(KEYS[1], turn - now + lease)
  if tokens > 0 then
    redis.call('ZADD', KEYS[4], turn + lease, ARGV[1])
    expire(KEYS[4], turn - now + lease)
  end
end
"""
)

# Whether granted (1 or 0); the seconds until its turn, or until a look may be worth while; whether good answers are
# news: 1, or 2 when something was refused.
TAKE = (
    _STATE
    + """
local alert = refused > 0 and 2 or (pace > 0 or cuts > 0) and 1 or 0
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
if redis.call('ZCARD', KEYS[1]) >= CONCURRENCY then return '0 0 ' .. alert end
if tokens > 0 then
  redis.call('ZREMRANGEBYSCORE', KEYS[4], '-inf', now)
  if redis.call('ZCARD', KEYS[4]) >= tokens then
    local soonest = redis.call('ZRANGE', KEYS[4], 0, 0, 'WITHSCORES')
    return string.format('0 %.6f %d', soonest[2] - now, alert)
  end
end
if interval > 0 then
  local free = tonumber(redis.call('GET', KEYS[2]) or 0)
  if free > turn then turn = free end
  redis.call('SET', KEYS[2], string.format('%.6f', turn + interval))
  expire(KEYS[2], turn - now + interval)
end
if refused >= STOP and turn == now then turn = now + 0.001 end
hold()
return string.format('1 %.6f %d', turn - now, alert)
"""
)

# The seconds still to wait: for the end of a pause, or for another one to have tried while the proxy refuses us.
RENEW = (
    _STATE
    + """
if paused <= now and refused >= STOP then
  if redis.call('GET', KEYS[6]) ~= ARGV[1] then
    if not redis.call('SET', KEYS[6], ARGV[1], 'NX', 'PX', math.ceil(lease * 1000)) then turn = now + 0.25 end
  end
end
hold()
return string.format('%.6f', turn - now)
"""
)

# KEYS: slots, window, probe.
GIVE_BACK = (
    NOW
    + """
if tonumber(ARGV[2]) > 0 then
  redis.call('ZADD', KEYS[1], 'XX', now + ARGV[2], ARGV[1])
else
  redis.call('ZREM', KEYS[1], ARGV[1])
end
if TOKENS > 0 then redis.call('ZADD', KEYS[2], now + COUNTED_FOR, ARGV[1]) end
if redis.call('GET', KEYS[3]) == ARGV[1] then redis.call('DEL', KEYS[3]) end
"""
)

# KEYS: pause. ARGV: seconds.
PAUSE = (
    NOW
    + """
local until_ = now + tonumber(ARGV[1])
if until_ > tonumber(redis.call('GET', KEYS[1]) or 0) then
  redis.call('SET', KEYS[1], string.format('%.6f', until_), 'PX', math.ceil(tonumber(ARGV[1]) * 1000) + 1)
end
"""
)


def with_numbers(script: str, **numbers: float) -> str:
    """The script for these settings."""
    return re.sub("|".join(numbers), lambda word: repr(numbers[word.group()]), script)


LEASE = 30.0  # longer than an attempt (20 s), and short enough that a restart goes on within a minute


class RedisBudget(SharedBudget[str]):
    """At most `concurrency` slots, and `rate` requests a second (None or 0: as many as come), over all processes.

    `lease`: seconds after which the slot of a killed process is free; no request may take longer.
    """

    def __init__(
        self,
        url: str,
        concurrency: int,
        rate: float | None,
        *,
        key: str = "doiportal:budget",
        lease: float = LEASE,
        manners: BackoffPolicy = USUAL,
    ) -> None:
        super().__init__(concurrency, rate, manners)
        self._redis = redis.Redis.from_url(url, socket_timeout=10, socket_connect_timeout=10)
        self._keys = [f"{{{key}}}:{part}" for part in ("slots", "next", "pause", "window", "mood", "probe")]
        numbers = {
            "INTERVAL": 1.0 / self.rate if self.rate else 0.0,
            "LEASE": lease,
            "CONCURRENCY": self.concurrency,
            "TOKENS": self.tokens,
            "COUNTED_FOR": self.counted_for,
            "STOP": STOP_AFTER,
        }
        scripts = (with_numbers(script, **numbers) for script in (TAKE, RENEW, GIVE_BACK, PAUSE))
        self._take, self._renew, self._give_back, self._pause = map(self._redis.register_script, scripts)

    def take(self) -> tuple[str, float] | None:
        lease = secrets.token_hex(8)
        granted, wait, alert = self._take(keys=self._keys, args=[lease]).split()
        self.alert, self.refused = alert != b"0", alert == b"2"
        self.next_look = 0.0
        if granted == b"1":
            return lease, float(wait)
        self.next_look = min(float(wait), LONGEST_POLL)
        return None

    def still_to_wait(self, lease: str) -> float:
        return float(self._renew(keys=self._keys, args=[lease]))

    def give_back(self, lease: str, after: float = 0.0) -> None:
        if self.tokens or self.alert or after:
            self._give_back(keys=[self._keys[0], self._keys[3], self._keys[5]], args=[lease, after])
        else:
            self._redis.zrem(self._keys[0], lease)

    def pause(self, seconds: float) -> None:
        seconds = min(seconds, self.manners.longest_pause)
        self.keep_still(seconds)
        if seconds > 0:
            self._pause(keys=self._keys[2:3], args=[seconds])

    def paused_for(self) -> float:
        # The key ends a millisecond after the pause; a negative answer says that there is none.
        left: Any = self._redis.pttl(self._keys[2])
        return max(float(left) - 1, 0.0) / 1000

    def take_in(self, signal: Signal) -> Reaction:
        spread = 0.5 + random()  # noqa: S311 - waits out of step; no secret

        consequence = Reaction(ProxyHealth())

        def change(pipe: redis.client.Pipeline) -> None:
            nonlocal consequence
            now = self._now(pipe)
            consequence = backoff.after(self._known(pipe, now), signal, now, self.full, self.manners, spread)
            pipe.multi()
            pipe.hset(self._keys[4], mapping={name: repr(getattr(consequence.mood, name)) for name in NUMBERS})
            pipe.expire(self._keys[4], int(REMEMBERED))

        # Called again when another process has changed the mood in between.
        self._redis.transaction(change, self._keys[4])
        return consequence

    def barred_since(self) -> datetime | None:
        with suppress(redis.RedisError):  # a page is shown without this rather than not at all
            mood = self._known(self._redis, self._now(self._redis))
            return datetime.fromtimestamp(mood.refused_since, UTC) if mood.barred else None
        return None

    def _now(self, client: Any) -> float:
        seconds, microseconds = client.time()
        return float(seconds + microseconds / 1e6)

    def _known(self, client: Any, now: float) -> ProxyHealth:
        kept = client.hmget(self._keys[4], NUMBERS)
        return ProxyHealth.of(tuple(float(number or 0) for number in kept), now)

    async def aside(self, function: Callable[..., Result], *arguments: Any) -> Result:
        """The answer comes over a network: a thread waits for it."""
        return await asyncio.to_thread(function, *arguments)

    def close(self) -> None:
        self._redis.close()
