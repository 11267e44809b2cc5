"""The budget in Redis: for several machines.

A slot is a lease in a sorted set, with the time at which it ends; whoever holds it is killed, and it ends by itself.
All times are those of the Redis server, so clocks that differ do no harm.
"""

import asyncio
import secrets
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from random import random
from typing import Any

import redis

from resolver.proxy.limits import backoff
from resolver.proxy.limits.backoff import NUMBERS, REMEMBERED, STOP_AFTER, USUAL, Consequence, Manners, Mood, Signal
from resolver.proxy.limits.budget import LONGEST_POLL, Result, TurnTaking
from resolver.proxy.limits.redis_scripts import GIVE_BACK, PAUSE, RENEW, TAKE, with_numbers

LEASE = 30.0  # longer than an attempt (20 s), and short enough that a restart goes on within a minute


class RedisBudget(TurnTaking[str]):
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
        manners: Manners = USUAL,
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

    def take_in(self, signal: Signal) -> Consequence:
        spread = 0.5 + random()  # noqa: S311 - waits out of step; no secret

        consequence = Consequence(Mood())

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

    def _known(self, client: Any, now: float) -> Mood:
        kept = client.hmget(self._keys[4], NUMBERS)
        return Mood.of(tuple(float(number or 0) for number in kept), now)

    async def aside(self, function: Callable[..., Result], *arguments: Any) -> Result:
        """The answer comes over a network: a thread waits for it."""
        return await asyncio.to_thread(function, *arguments)

    def close(self) -> None:
        self._redis.close()
