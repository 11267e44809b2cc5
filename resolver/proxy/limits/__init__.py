"""The shared limit over all workers and web processes: what it is (`Budget`), and the two places it is kept in."""

from resolver.proxy.limits.budget import Budget
from resolver.proxy.limits.file_budget import FileBudget
from resolver.proxy.limits.redis_budget import RedisBudget
from resolver.proxy.limits.request_deadline import Paused

__all__ = ["Budget", "FileBudget", "Paused", "RedisBudget"]
