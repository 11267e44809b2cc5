"""The steps of a long test: their times and notes, what must hold, and what must come about."""

import http.client
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

PATIENCE = 240  # seconds after which what should have come about has not
STEPS: list[tuple[str, float, str]] = []


@contextmanager
def step(title: str) -> Iterator[list[str]]:
    """Print the step with its seconds, and what the caller adds to the list that it gets."""
    began, notes = time.monotonic(), []
    yield notes
    STEPS.append((title, time.monotonic() - began, "; ".join(notes)))
    print(f"{STEPS[-1][1]:6.1f} s  {title}{': ' if notes else ''}{STEPS[-1][2]}", flush=True)


def write_table() -> str:
    """Return the steps as a table of Markdown."""
    rows = "".join(f"| {title} | {seconds:.0f} | {notes} |\n" for title, seconds, notes in STEPS)
    return f"| step | seconds | |\n|---|--:|---|\n{rows}"


def expect(holds: bool, what: str) -> None:
    """End the whole test if `holds` is false."""
    if not holds:
        raise SystemExit(f"FAILED: {what}")


def wait_for(what: str, look: Callable[[], Any]) -> Any:
    """Return the first true answer of `look`. What the portal can't answer yet counts as no."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        try:
            if found := look():
                return found
        except (OSError, http.client.HTTPException, ValueError):
            pass  # killed a moment ago
        time.sleep(0.5)
    raise SystemExit(f"FAILED: {what} hasn't come about in {PATIENCE} seconds")
