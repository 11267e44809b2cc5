"""Where a budget can be kept, said in a way that can be sent to another process; and such processes."""

import multiprocessing
from dataclasses import dataclass
from pathlib import Path

from resolver.proxy.limits import FileBudget, RedisBudget
from resolver.proxy.limits.proxy_health import USUAL, BackoffPolicy

# Each is a fork of one process that has imported the code and has no threads.
PROCESSES = multiprocessing.get_context("forkserver")
PROCESSES.set_forkserver_preload([f"tests.proxy.limits.{name}" for name in ("test_budget", "test_at_the_proxy")])


@dataclass(frozen=True)
class BudgetPlace:
    """A folder, or a Redis with the beginning of the keys."""

    kind: str
    address: str
    key: str = ""

    def budget(
        self, concurrency: int, rate: float | None = None, lease: float = 60.0, policy: BackoffPolicy = USUAL
    ) -> FileBudget | RedisBudget:
        """The budget that is kept there; the slot of a killed process comes back after `lease` seconds."""
        if self.kind == "file":
            return FileBudget(Path(self.address), concurrency, rate, lease=lease, policy=policy)
        return RedisBudget(self.address, concurrency, rate, key=self.key, lease=lease, policy=policy)
