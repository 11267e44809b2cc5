"""The windows in Redis: each is a sorted set of attempts by their time, which is that of the Redis server."""

import redis

# ARGV: the attempt, the seconds of a window, then the bound of each key.
_ADD = """
local time = redis.call('TIME')
local now, window, wait = time[1] + time[2] / 1000000, tonumber(ARGV[2]), 0
for at, key in ipairs(KEYS) do
  redis.call('ZREMRANGEBYSCORE', key, '-inf', now - window)
  local bound = tonumber(ARGV[at + 2])
  local over = redis.call('ZCARD', key) - bound
  if over >= 0 then
    local leaves = redis.call('ZRANGE', key, over, over, 'WITHSCORES')[2]
    wait = math.max(wait, leaves + window - now)
  end
end
if wait > 0 then return string.format('%.3f', wait) end
for _, key in ipairs(KEYS) do
  redis.call('ZADD', key, now, ARGV[1])
  redis.call('PEXPIRE', key, math.ceil(window * 1000))
end
return '0'
"""


class RedisWindows:
    """For several machines. Raises redis.RedisError."""

    def __init__(self, url: str, seconds: float) -> None:
        self._redis = redis.Redis.from_url(url, socket_timeout=10, socket_connect_timeout=10)
        self._add = self._redis.register_script(_ADD)
        self._seconds = seconds

    def add(self, attempt: str, bounds: dict[str, int]) -> float:
        return float(
            self._add(keys=[_build_key(key) for key in bounds], args=[attempt, self._seconds, *bounds.values()])
        )

    def remove(self, attempt: str, keys: list[str]) -> None:
        with self._redis.pipeline() as pipe:
            for key in keys:
                pipe.zrem(_build_key(key), attempt)
            pipe.execute()

    def empty(self, key: str) -> None:
        self._redis.delete(_build_key(key))


def _build_key(key: str) -> str:
    return f"{{doiportal:logins}}:{key}"
