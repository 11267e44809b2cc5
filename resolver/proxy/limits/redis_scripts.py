"""What Redis does in one go for the budget. All times are those of its server, in seconds.

KEYS: slots (sorted by the end of their lease), next turn, pause, window (requests that count towards the rate, sorted
by until when), mood, probe.
ARGV: our lease's name, and in GIVE_BACK how long the slot is to stay taken. Words in capitals are numbers of the
settings (`with_numbers`): they would have to be sent, and read, several hundred times a second.
"""

import re

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
