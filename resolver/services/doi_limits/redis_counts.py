"""What callers have used in Redis: for each a hash of the seconds of the window, by the clock of the Redis server."""

import redis

from resolver.services.doi_limits.allowance import WINDOW, Allowance, compute_allowance

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


class RedisCounts:
    """For several machines. `name`: of what is counted; `window` and `step` as in FileCounts. Raises
    redis.RedisError."""

    def __init__(self, url: str, name: str = "dois", window: int = WINDOW, step: int = 1) -> None:
        self._name, self._window, self._step = name, window, step
        self._redis = redis.Redis.from_url(url, socket_timeout=10, socket_connect_timeout=10)
        self._take = self._redis.register_script(_TAKE)

    def take(self, caller: str, number: int, most: int) -> Allowance:
        """Count the number for the caller if it fits into `most`. Return what is left."""
        key, asked = f"doiportal:{self._name}:{caller}", [number, most, self._window, self._step]
        now, fits, flat = self._take(keys=[key], args=asked)
        counts = {int(second): int(count) for second, count in zip(flat[::2], flat[1::2], strict=True)}
        return compute_allowance(counts, now, number, most, fits=bool(fits), window=self._window)
