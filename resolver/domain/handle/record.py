"""Handle values and records, and everything else a DOI proxy can answer, as values (spec.md, section A)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from resolver.domain.message import Message
from resolver.domain.name.doi import fold

LOCATIONS = "10320/loc"


@dataclass(frozen=True, slots=True)
class HandleValue:
    """One value of a record: its type, its data by format, and the object as it came (A3-A5)."""

    index: int
    type: str
    format: str
    data: Any
    raw: Mapping[str, Any] = field(default_factory=dict, repr=False, compare=False)

    def is_type(self, name: str) -> bool:
        """Types are compared without regard to ASCII case: the Handbook prints 10320/LOC too."""
        return fold(self.type) == fold(name)


def texts(values: Iterable[HandleValue], kind: str) -> list[tuple[int, str]]:
    """The values of the type that are texts, each with its index, in index order."""
    ordered = sorted(values, key=lambda value: value.index)
    return [(value.index, value.data) for value in ordered if value.is_type(kind) and isinstance(value.data, str)]


@dataclass(frozen=True, slots=True)
class Record:
    """Response code 1: the handle exists and has values. `raw` is the whole JSON object (A1). `age`, here and below:
    for how many seconds others had kept the answer when it was asked for; below 0 where it was made later."""

    handle: str
    values: tuple[HandleValue, ...]
    raw: Mapping[str, Any] = field(default_factory=dict, repr=False, compare=False)
    age: float = field(default=0.0, repr=False, compare=False)

    @property
    def urls(self) -> tuple[str, ...]:
        """The URL values in index order, outer white space stripped."""
        return tuple(url.strip() for _, url in texts(self.values, "URL"))

    @property
    def has_locations(self) -> bool:
        """Whether a 10320/loc value is there (P3)."""
        return any(value.is_type(LOCATIONS) for value in self.values)

    @property
    def alias(self) -> str | None:
        """The handle that an HS_ALIAS value names (P7), outer white space stripped, or None."""
        return next((alias.strip() for _, alias in texts(self.values, "HS_ALIAS") if alias.strip()), None)


@dataclass(frozen=True, slots=True)
class NoValues:
    """Response code 200: the handle exists, but has no values."""

    raw: Mapping[str, Any] = field(default_factory=dict, repr=False, compare=False)
    age: float = field(default=0.0, repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class Missing:
    """Response code 100: the handle does not exist."""

    raw: Mapping[str, Any] = field(default_factory=dict, repr=False, compare=False)
    age: float = field(default=0.0, repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class ProxyError:
    """The proxy answered, but with code 2 or with something that cannot be used; `reason` is for people. `raw`: the
    whole JSON object where it says code 2."""

    reason: Message
    raw: Mapping[str, Any] = field(default_factory=dict, repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class Unreachable:
    """No answer was to be had; `reason` is for people."""

    reason: Message


@dataclass(frozen=True, slots=True)
class Unasked(Unreachable):
    """Not asked, though it was to be: what one text may cost the proxy was used up before."""


Answer = Record | NoValues | Missing | ProxyError | Unreachable


@dataclass(frozen=True, slots=True)
class Agency:
    """What Which RA says of one name: an agency, or a status instead of one (R1, R3, R5)."""

    name: str
    ra: str | None = None
    status: str | None = None

    @property
    def exists(self) -> bool | None:
        """True: an agency is named. False: 'DOI does not exist'. None: this cannot be told from it."""
        if self.ra is not None:
            return True
        return False if self.status == "DOI does not exist" else None


@dataclass(frozen=True, slots=True)
class Resolution:
    """All that was learned of one name: the answer at the end of its aliases, and the way there (P7): each handle that
    was asked for with its own answer, the end included. Empty where the name is no alias."""

    answer: Answer
    alias_of: str | None = None
    loop: bool = False
    way: tuple[tuple[str, Answer], ...] = field(default=(), repr=False, compare=False)
