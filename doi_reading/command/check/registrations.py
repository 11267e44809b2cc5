"""Which names are registered: each is asked for once in a run, in few requests and at a modest rate.

The bounds are those of a guest. doi.org publishes none, and has blocked addresses for volume.
"""

import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

from doi_reading.command.check.service import DoiService, NoReply, ServiceReply
from doi_reading.command.check.which_ra import (
    LONGEST_NAME_BYTES,
    Unanswered,
    build_list_path,
    build_record_path,
    read_list,
    read_record,
    split_batches,
)
from doi_reading.name.doi import fold
from doi_reading.name.encoding import encode

T = TypeVar("T")
MOST_SPOILING = 3
"""Single names without a usable answer, before any other has one: then the service isn't one."""


@dataclass(frozen=True, slots=True)
class AskingBounds:
    """`names`: different ones in a run. `seconds`: of the whole run. `interval`: seconds from one request to the next.
    `attempts`: of a request. `timeout`: seconds for one. `backoff`: seconds before the second attempt, doubled before
    the third. `longest_wait`: seconds that a `Retry-After` may ask for; with more, no further request is sent."""

    names: int = 10_000
    seconds: float = 900.0
    interval: float = 0.5
    attempts: int = 3
    timeout: float = 20.0
    backoff: float = 1.0
    longest_wait: float = 60.0


class Registrations:
    """What a service has said about names. A name is known by its folded form."""

    def __init__(self, service: DoiService, bounds: AskingBounds | None = None) -> None:
        self.service, self._bounds = service, bounds or AskingBounds()
        self._found: dict[str, bool] = {}
        self._failed: dict[str, str] = {}
        self._stopped = ""  # why no further request is sent
        self._ends = time.monotonic() + self._bounds.seconds
        self._next = 0.0  # when a request may be sent
        self._spoiling = 0

    def ask(self, names: Iterable[str]) -> None:
        """Ask about each name that isn't known yet. Raises nothing: a name without an answer has a failure."""
        new: dict[str, str] = {}
        for name in names:
            key = fold(name)
            if key in self._found or key in self._failed or key in new:
                continue
            if len(encode(name, "which-ra")) > LONGEST_NAME_BYTES:
                self._failed[key] = "it is too long for a request"
            elif len(self._found) + len(self._failed) + len(new) >= self._bounds.names:
                self._failed[key] = f"no more than {self._bounds.names:,} different DOIs are checked in one run"
            else:
                new[key] = name
        for batch in split_batches(list(new.values())):
            self._ask_batch(batch)

    def is_registered(self, name: str) -> bool | None:
        """Return whether the name is registered, None if that couldn't be asked or wasn't."""
        return self._found.get(fold(name))

    def find_failure(self, name: str) -> str:
        """Return why it couldn't be asked whether the name is registered; "" if it could."""
        return self._failed.get(fold(name), "")

    def count_failures(self) -> Counter[str]:
        """Return how many names couldn't be asked, by the reason."""
        return Counter(self._failed.values())

    def _ask_batch(self, names: list[str]) -> None:
        """Ask about the names, halved while the service doesn't answer about all of them together."""
        waiting = [names]
        while waiting:
            part = waiting.pop()
            try:
                found = self._try(build_list_path(part), partial(read_list, names=part), single=len(part) == 1)
            except Unanswered as error:
                if error.splits and len(part) > 1:
                    middle = len(part) // 2
                    waiting += [part[middle:], part[:middle]]
                else:
                    self._fail(part, error)
                continue
            for name, is_registered in zip(part, found, strict=True):
                if is_registered is None:
                    self._ask_record(name)
                else:
                    self._found[fold(name)] = is_registered

    def _ask_record(self, name: str) -> None:
        try:
            self._found[fold(name)] = self._try(build_record_path(name), partial(read_record, name=name))
        except Unanswered as error:
            self._fail([name], error)

    def _fail(self, names: Sequence[str], error: Unanswered) -> None:
        self._failed.update((fold(name), str(error)) for name in names)
        self._spoiling += 1
        if not error.splits or (self._spoiling >= MOST_SPOILING and not self._found):
            self._stopped = str(error)

    def _try(self, path: str, read: Callable[[ServiceReply], T], *, single: bool = True) -> T:
        """Send a request until it has a verdict, or no attempt is left. Raises Unanswered, for several names at once if
        fewer may have one."""
        number = 1
        while True:
            try:
                return read(self._send(path))
            except Unanswered as error:
                if error.splits and not single:
                    raise
                self._rest(error, number)
            number += 1

    def _rest(self, error: Unanswered, number: int) -> None:
        """Put off the next request after a failed attempt. Raises the error if there shall be none."""
        if self._stopped or not error.repeats or number == self._bounds.attempts:
            raise error
        if error.wait > self._bounds.longest_wait:
            raise Unanswered(f"{error}, and to wait for {error.wait:.0f} seconds") from None
        self._next = time.monotonic() + max(error.wait, self._bounds.backoff * 2 ** (number - 1))

    def _send(self, path: str) -> ServiceReply:
        """Send a request when it is its turn. Raises Unanswered."""
        if self._stopped:
            raise Unanswered(self._stopped, repeats=False)
        at = max(self._next, time.monotonic())
        if at >= self._ends:
            self._stopped = f"asking took more than {self._bounds.seconds:.0f} seconds"
            raise Unanswered(self._stopped, repeats=False)
        time.sleep(max(at - time.monotonic(), 0.0))
        self._next = time.monotonic() + self._bounds.interval
        try:
            return self.service.get(path, max(min(self._bounds.timeout, self._ends - time.monotonic()), 0.1))
        except NoReply as error:
            raise Unanswered(str(error)) from error
