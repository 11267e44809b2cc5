"""The budget in Redis: for several machines.

The Redis server runs the algorithm of `limits/budget_state.py`: computed here, a permit would cost four to ten times as
much (docs/decisions/0012-redis-computes-the-budget-itself.md). A test holds the two together. All times are seconds of
the Redis server's clock.

Each script is atomic. KEYS: permits (sorted by their end), next turn, pause, requests that count towards the rate
(sorted by the end of that), health, probe, who waits (sorted by their coming), the same (sorted by until when they keep
their places). ARGV: our permit's name; in TAKE, who waits for it; in GIVE_BACK, the seconds for which it stays taken.
`fill_in_numbers` replaces the words in capitals by the settings, which need not be sent each time.
"""

import re
import secrets
import time
from typing import Any

import redis

from resolver.proxy.limits import proxy_health
from resolver.proxy.limits.budget import LEASE_SECONDS, Budget
from resolver.proxy.limits.budget_state import (
    FIRST_PROBE_SECONDS,
    NEXT_PROBE_SECONDS,
    PLACE_KEPT_SECONDS,
    Booking,
    BudgetLimits,
)
from resolver.proxy.limits.proxy_health import (
    KEPT_HEALTH_SECONDS,
    NUMBERS,
    SLOWEST_RATE,
    STOP_AFTER_REFUSALS,
    USUAL,
    BackoffPolicy,
    ProxyHealth,
    ProxySignal,
    Reaction,
)

SILENT_REDIS_SECONDS = 30.0  # after a Redis didn't answer, the health isn't read from it for so long

NOW = """
local time = redis.call('TIME')
local now = time[1] + time[2] / 1000000
"""

_STATE = (
    NOW
    + """
local interval, lease, counted = INTERVAL, LEASE, COUNTED
local health = redis.call('HMGET', KEYS[5], 'pace', 'refused', 'cuts')
local pace, refused, cuts = tonumber(health[1] or 0), tonumber(health[2] or 0), tonumber(health[3] or 0)
if pace > 0 and 1 / pace > interval then interval = 1 / pace end
local turn = now
local paused = tonumber(redis.call('GET', KEYS[3]) or 0)
if paused > turn then turn = paused end
local function expire(key, seconds) redis.call('PEXPIRE', key, math.ceil(seconds * 1000) + 1000) end
local function hold()
  redis.call('ZADD', KEYS[1], turn + lease, ARGV[1])
  expire(KEYS[1], turn - now + lease)
  if counted > 0 then
    redis.call('ZADD', KEYS[4], turn + lease, ARGV[1])
    expire(KEYS[4], turn - now + lease)
  end
end
"""
)

# Granted (1 or 0); the seconds until its turn, or until the next look is worth while; whether good answers are news: 1,
# or 2 if something was refused; how many others wait, or if it is not granted, come first.
TAKE = (
    _STATE
    + """
local alert = refused > 0 and 2 or (pace > 0 or cuts > 0) and 1 or 0
local waiter = ARGV[2]
for _, gone in ipairs(redis.call('ZRANGEBYSCORE', KEYS[8], '-inf', now)) do
  redis.call('ZREM', KEYS[7], gone)
  redis.call('ZREM', KEYS[8], gone)
end
local before = waiter ~= '' and redis.call('ZRANK', KEYS[7], waiter) or redis.call('ZCARD', KEYS[7])
if waiter == '-' then  -- LEAVES_ONE
  waiter, before = '', before + 1
end
local function refuse(wait)
  if waiter ~= '' then
    redis.call('ZADD', KEYS[7], 'NX', now, waiter)
    redis.call('ZADD', KEYS[8], now + PLACE_KEPT, waiter)
    expire(KEYS[7], PLACE_KEPT)
    expire(KEYS[8], PLACE_KEPT)
  end
  return string.format('0 %.6f %d %d', wait, alert, before)
end
local free = 0
if interval > 0 then
  free = tonumber(redis.call('GET', KEYS[2]) or 0)
  local slowest = pace > 0 and math.max(INTERVAL, 1 / SLOWEST) or INTERVAL
  local latest = turn + (CONCURRENCY + 1) * slowest + COUNTED_FOR
  if free > latest then
    local beyond = string.format('(%.6f', latest + lease)
    redis.call('ZREMRANGEBYSCORE', KEYS[1], beyond, '+inf')
    redis.call('ZREMRANGEBYSCORE', KEYS[4], beyond, '+inf')
    free = turn + redis.call('ZCARD', KEYS[1]) * INTERVAL
  end
end
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
if redis.call('ZCARD', KEYS[1]) + before >= CONCURRENCY then return refuse(0) end
if counted > 0 then
  redis.call('ZREMRANGEBYSCORE', KEYS[4], '-inf', now)
  if redis.call('ZCARD', KEYS[4]) + before >= counted then
    local soonest = redis.call('ZRANGE', KEYS[4], 0, 0, 'WITHSCORES')
    return refuse(soonest[2] and soonest[2] - now or 0)
  end
end
if interval > 0 then
  if free > turn then turn = free end
  redis.call('SET', KEYS[2], string.format('%.6f', turn + interval))
  expire(KEYS[2], turn - now + interval)
end
if refused >= STOP and turn == now then turn = now + AGAIN end
hold()
if waiter ~= '' then
  redis.call('ZREM', KEYS[7], waiter)
  redis.call('ZREM', KEYS[8], waiter)
end
return string.format('1 %.6f %d %d', turn - now, alert, redis.call('ZCARD', KEYS[7]))
"""
)

# The seconds still to wait: until a pause ends, or while another request tries a proxy that refuses all.
RENEW = (
    _STATE
    + """
if paused <= now and refused >= STOP then
  if redis.call('GET', KEYS[6]) ~= ARGV[1] then
    if not redis.call('SET', KEYS[6], ARGV[1], 'NX', 'PX', math.ceil(lease * 1000)) then turn = now + PROBE_AGAIN end
  end
end
hold()
return string.format('%.6f', turn - now)
"""
)

# KEYS: permits, requests that count, probe.
GIVE_BACK = (
    NOW
    + """
if tonumber(ARGV[2]) > 0 then
  redis.call('ZADD', KEYS[1], 'XX', now + ARGV[2], ARGV[1])
else
  redis.call('ZREM', KEYS[1], ARGV[1])
end
if COUNTED > 0 then redis.call('ZADD', KEYS[2], now + COUNTED_FOR, ARGV[1]) end
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


def fill_in_numbers(script: str, **numbers: float) -> str:
    """Return the script for these settings."""
    return re.sub("|".join(numbers), lambda word: repr(numbers[word.group()]), script)


class RedisBudget(Budget):
    """At most `concurrency` permits, and `rate` requests a second (None or 0: no limit), over all processes. `lease`:
    seconds after which the permit of a killed process is free; no request may take longer."""

    def __init__(
        self,
        url: str,
        concurrency: int,
        rate: float | None,
        *,
        key: str = "doiportal:budget",
        lease: float = LEASE_SECONDS,
        policy: BackoffPolicy = USUAL,
    ) -> None:
        super().__init__(BudgetLimits.of(concurrency, rate, lease), policy)
        self._url = url
        self._redis = _connect(url, timeout_seconds=10)
        self._silent_until = 0.0  # monotonic seconds
        parts = ("permits", "next", "pause", "counting", "health", "probe", "waiting", "places")
        self._keys = [f"{{{key}}}:{part}" for part in parts]
        numbers = {
            "INTERVAL": self.limits.interval,
            "LEASE": lease,
            "CONCURRENCY": self.limits.concurrency,
            "COUNTED_FOR": self.limits.counted_for,
            "COUNTED": self.limits.counted,
            "SLOWEST": SLOWEST_RATE,
            "STOP": STOP_AFTER_REFUSALS,
            "PROBE_AGAIN": NEXT_PROBE_SECONDS,
            "AGAIN": FIRST_PROBE_SECONDS,
            "PLACE_KEPT": PLACE_KEPT_SECONDS,
        }
        scripts = (fill_in_numbers(script, **numbers) for script in (TAKE, RENEW, GIVE_BACK, PAUSE))
        self._take, self._renew, self._give_back, self._pause = map(self._redis.register_script, scripts)

    def take(self, waiter: str = "") -> Booking:
        permit = secrets.token_hex(8)
        granted, wait, alert, others = self._take(keys=self._keys, args=[permit, waiter]).split()
        self.alert, self.refused = alert != b"0", alert == b"2"
        return Booking(permit if granted == b"1" else "", float(wait), int(others))

    def renew_wait(self, permit: str) -> float:
        return float(self._renew(keys=self._keys, args=[permit]))

    def give_back(self, permit: str, after: float = 0.0) -> None:
        if self.limits.counted or self.alert or after:
            self._give_back(keys=[self._keys[0], self._keys[3], self._keys[5]], args=[permit, after])
        else:
            self._redis.zrem(self._keys[0], permit)

    def pause_all(self, seconds: float) -> None:
        if seconds > 0:
            self._pause(keys=self._keys[2:3], args=[seconds])

    def get_pause(self) -> float:
        # The key ends a millisecond after the pause. A negative number means that there is none.
        left: Any = self._redis.pttl(self._keys[2])
        return max(float(left) - 1, 0.0) / 1000

    def record(self, signal: ProxySignal, spread: float) -> Reaction:
        reaction = Reaction(ProxyHealth())

        def change(pipe: redis.client.Pipeline) -> None:
            nonlocal reaction
            now = self._read_clock(pipe)
            reaction = proxy_health.react(self._read_health(pipe, now), signal, now, self.full, self.policy, spread)
            pipe.multi()
            pipe.hset(self._keys[4], mapping={name: repr(getattr(reaction.health, name)) for name in NUMBERS})
            pipe.expire(self._keys[4], int(KEPT_HEALTH_SECONDS))

        # Called again if another process has changed the health meanwhile.
        self._redis.transaction(change, self._keys[4])
        return reaction

    def read_health(self) -> ProxyHealth:
        """Return what is stored of it, or nothing if Redis doesn't answer: rather a page without this than no page.
        Every page needs it, so while a Redis hangs only one thread waits for it, and not all the time."""
        now = time.monotonic()
        if now < self._silent_until:
            return ProxyHealth()
        if self._silent_until:
            self._silent_until = now + SILENT_REDIS_SECONDS
        try:
            health = self._read_health(self._redis, self._read_clock(self._redis))
        except redis.RedisError:
            self._silent_until = time.monotonic() + SILENT_REDIS_SECONDS
            return ProxyHealth()
        self._silent_until = 0.0
        return health

    def _read_clock(self, client: Any) -> float:
        seconds, microseconds = client.time()
        return float(seconds + microseconds / 1e6)

    def _read_health(self, client: Any, now: float) -> ProxyHealth:
        kept = client.hmget(self._keys[4], NUMBERS)
        return ProxyHealth.of(tuple(float(number or 0) for number in kept), now)

    def check_store(self) -> None:
        """By a connection of its own: a kept one that broke would be made again, and waited for twice."""
        with _connect(self._url, timeout_seconds=2) as client:
            client.ping()

    def close(self) -> None:
        self._redis.close()


def _connect(url: str, *, timeout_seconds: int) -> redis.Redis:
    return redis.Redis.from_url(url, socket_timeout=timeout_seconds, socket_connect_timeout=timeout_seconds)
