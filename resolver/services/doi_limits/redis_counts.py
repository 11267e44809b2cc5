"""The DOIs of callers in Redis: for each a hash of the seconds of the last minute, by the clock of the Redis server."""

import redis

from resolver.services.doi_limits.allowance import WINDOW, Allowance, compute_allowance

# ARGV: the number, the most, the seconds of the window.
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
  redis.call('HINCRBY', KEYS[1], now, number)
  redis.call('EXPIRE', KEYS[1], window + 1)
end
return {now, fits and 1 or 0, redis.call('HGETALL', KEYS[1])}
"""


class RedisCounts:
    """For several machines. Raises redis.RedisError."""

    def __init__(self, url: str) -> None:
        self._redis = redis.Redis.from_url(url, socket_timeout=10, socket_connect_timeout=10)
        self._take = self._redis.register_script(_TAKE)

    def take(self, caller: str, number: int, most: int) -> Allowance:
        """Count the number for the caller if it fits into `most`. Return what is left."""
        now, fits, flat = self._take(keys=[f"doiportal:dois:{caller}"], args=[number, most, WINDOW])
        counts = {int(second): int(count) for second, count in zip(flat[::2], flat[1::2], strict=True)}
        return compute_allowance(counts, now, number, most, fits=bool(fits))
