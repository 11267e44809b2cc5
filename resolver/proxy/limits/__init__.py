"""The shared limit over all workers and web processes: what it is (`Budget`), and the two places it is kept in."""

from resolver.proxy.limits.budget import Budget
from resolver.proxy.limits.deadline import Paused
from resolver.proxy.limits.file_store import FileBudget
from resolver.proxy.limits.redis_store import RedisBudget

__all__ = ["Budget", "FileBudget", "Paused", "RedisBudget"]
