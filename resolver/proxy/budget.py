"""The shared limit over all workers and web processes: what it is (`Budget`), and the two places it is kept in."""

from resolver.proxy.file_budget import FileBudget
from resolver.proxy.patience import Paused
from resolver.proxy.redis_budget import RedisBudget
from resolver.proxy.slots import Budget

__all__ = ["Budget", "FileBudget", "Paused", "RedisBudget"]
