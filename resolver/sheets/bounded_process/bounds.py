"""The bounds of one process that reads a file. It sets them itself, before it opens the file."""

import os
import resource
import signal
from dataclasses import dataclass

_is_bounded = False


@dataclass(frozen=True, slots=True)
class ProcessBounds:
    """Bytes of address space (`memory`) and of a written file (`size`), seconds of the processor (`processor`) and
    until the process is ended (`longest`)."""

    memory: int = 512 << 20
    processor: int = 20
    longest: float = 45.0  # a web server in front may give up after 75
    size: int = 600_000_000


LARGEST_MEMORY = 1 << 30
"""Bytes of address space that a process may allow itself (`allow_memory`)."""


def is_bounded() -> bool:
    """Return whether this is such a process."""
    return _is_bounded


def apply_bounds(bounds: ProcessBounds) -> None:
    """Bound this process for good. The kernel ends it beyond the bounds, after a MemoryError for `memory`."""
    global _is_bounded
    _is_bounded = True
    os.nice(5)  # pages and the gateway come first on a busy machine
    resource.setrlimit(resource.RLIMIT_AS, (bounds.memory, max(bounds.memory, LARGEST_MEMORY)))
    resource.setrlimit(resource.RLIMIT_CPU, (bounds.processor, bounds.processor))
    resource.setrlimit(resource.RLIMIT_FSIZE, (bounds.size, bounds.size))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, max(bounds.longest, 0.001))


def allow_memory(memory: int) -> None:
    """Let this process take so much address space, up to LARGEST_MEMORY."""
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (min(memory, hard), hard))
