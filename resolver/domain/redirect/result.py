"""How the resolution of a name can end: what a click on it would lead to (section P)."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from resolver.domain.handle.record import HandleValue, NoValues, ProxyError, Record, Unreachable
from resolver.domain.message import NOTHING, Message
from resolver.domain.name.doi import fold
from resolver.domain.redirect.locations import ChosenLocation
from resolver.domain.redirect.not_found import NotFoundHint

# In each of them `name` is the name whose record answered, as it was asked for, and `way` are the names asked for one
# after the other: the first is the name that was given, each other one the alias of the one before it (P7).


@dataclass(frozen=True, slots=True)
class Redirect:
    """To `url`, which is fit for a header (P1). `why`: which value was taken and why, in sentences. `choice`: how a
    location was chosen, where one was (P3). `varies`: somebody else may be sent elsewhere, by chance, by the country,
    or since the documents differ on which of several URL values is taken (P2), so that this is not the answer for all
    (P16)."""

    url: str
    name: str
    why: Message
    way: tuple[str, ...] = ()
    choice: ChosenLocation | None = field(default=None, repr=False)
    varies: bool = field(default=False, repr=False)


@dataclass(frozen=True, slots=True)
class Values:
    """The values are shown (P6, A8): `values` are those that were asked for. `why`: why nothing else is done. `advice`:
    what is odd about the name, though there is a record of it, as there is of a registered prefix (P5)."""

    record: Record | NoValues
    name: str
    why: Message = NOTHING
    values: tuple[HandleValue, ...] = ()
    way: tuple[str, ...] = ()
    advice: tuple[NotFoundHint, ...] = ()


@dataclass(frozen=True, slots=True)
class Address:
    """One of the addresses that a record leads to, fit for a header; `attributes`: what else is known of its location:
    `id`, `weight`, `country` and any others (L1). A URL value has none."""

    url: str
    attributes: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Addresses:
    """The addresses that the record leads to are listed (P11)."""

    listed: tuple[Address, ...]
    name: str
    way: tuple[str, ...] = ()

    @property
    def urls(self) -> tuple[str, ...]:
        """Each address once."""
        return tuple(dict.fromkeys(one.url for one in self.listed))


@dataclass(frozen=True, slots=True)
class NotFound:
    """There is no such name (P4). `name` is the one that is missing: the last of `way`."""

    name: str
    advice: tuple[NotFoundHint, ...] = ()
    way: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AliasLoop:
    """The aliases come to no end (P7). `name` is the name given, `way` ends with the alias that was not followed."""

    name: str
    way: tuple[str, ...]

    @property
    def repeats(self) -> bool:
        """Whether the last name stood on the way before; else there are only too many."""
        return fold(self.way[-1]) in map(fold, self.way[:-1])


@dataclass(frozen=True, slots=True)
class Failed:
    """The record of `name` could not be had."""

    name: str
    answer: ProxyError | Unreachable
    way: tuple[str, ...] = ()


Outcome = Redirect | Values | Addresses | NotFound | AliasLoop | Failed
