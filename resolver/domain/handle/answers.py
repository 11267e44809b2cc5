"""A DOI proxy's answers as values: a record, or why there is none; and the answers of Which RA (clauses A, P7, R)."""

from collections.abc import Generator, Mapping
from dataclasses import dataclass, field
from typing import Any

from doi_reading import Message, fold
from resolver.domain.handle.record import Record

OUR_FAULT = Message("an error in this portal (details are in its log)")
"""Why there is no answer where the error is ours."""


@dataclass(frozen=True, slots=True)
class NoValues:
    """Response code 200: the handle exists, but has no values."""

    raw: Mapping[str, Any] = field(default_factory=dict, repr=False, compare=False)
    age: float = field(default=0.0, repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class MissingHandle:
    """Response code 100: the handle does not exist."""

    raw: Mapping[str, Any] = field(default_factory=dict, repr=False, compare=False)
    age: float = field(default=0.0, repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class ProxyError:
    """The proxy answered with code 2 or with something unusable. `reason` is for people. `raw` is the whole JSON object
    of a code 2."""

    reason: Message
    raw: Mapping[str, Any] = field(default_factory=dict, repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class Unreachable:
    """The proxy didn't answer. `reason` is for people."""

    reason: Message


@dataclass(frozen=True, slots=True)
class Unasked(Unreachable):
    """No request was sent, because the text had used up its allowance of requests."""


Failure = ProxyError | Unreachable
Answer = Record | NoValues | MissingHandle | Failure


@dataclass(frozen=True, slots=True)
class WhichRaAnswer:
    """The answer of Which RA about one name: an agency, or a status instead (R1, R3, R5)."""

    name: str
    ra: str | None = None
    status: str | None = None

    @property
    def exists(self) -> bool | None:
        """True if an agency is named, False for 'DOI does not exist', None if neither is said."""
        if self.ra is not None:
            return True
        return False if self.status == "DOI does not exist" else None


AgencyAnswer = WhichRaAnswer | Failure


@dataclass(frozen=True, slots=True)
class Resolution:
    """The answer about one name, at the end of its aliases (P7). `way`: each handle on the way with its own answer, the
    end included; empty if the name is not an alias."""

    answer: Answer
    alias_of: str | None = None
    loop: bool = False
    way: tuple[tuple[str, Answer], ...] = field(default=(), repr=False, compare=False)


MAX_HOPS = 20


def follow_aliases(name: str) -> Generator[str, Answer, Resolution]:
    """Yield each handle whose own record is needed, the name first; send the answer back. Return the Resolution. A
    chain that returns to a handle, or is longer than MAX_HOPS, is a loop."""
    current, way = name, []
    while True:
        answer = yield current
        way.append((current, answer))
        target = answer.alias if isinstance(answer, Record) else None
        if target is None and len(way) == 1:
            return Resolution(answer)
        alias_of = current if len(way) > 1 else None
        if target is None:
            return Resolution(answer, alias_of, way=tuple(way))
        if fold(target) in (fold(handle) for handle, _ in way) or len(way) > MAX_HOPS:
            return Resolution(answer, alias_of or target, loop=True, way=tuple(way))
        current = target
