"""A handle record and its values (A1-A5)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from doi_reading import fold

LOCATIONS = "10320/loc"
_URL_TYPES = ("url", "0.type/url")
_URL_SUBTYPES = tuple(f"{kind}." for kind in _URL_TYPES)


@dataclass(frozen=True, slots=True)
class HandleValue:
    """One value of a record: its type, its data by format, and the original JSON object (A3-A5)."""

    index: int
    type: str
    format: str
    data: Any
    raw: Mapping[str, Any] = field(default_factory=dict, repr=False, compare=False)

    def is_type(self, name: str) -> bool:
        """Return whether the value has this type, without ASCII case: the Handbook also prints 10320/LOC."""
        return fold(self.type) == fold(name)


def find_text_values(values: Iterable[HandleValue], kind: str) -> list[tuple[int, str]]:
    """Return the values of the type that are texts, each with its index, in index order."""
    ordered = sorted(values, key=lambda value: value.index)
    return [(value.index, value.data) for value in ordered if value.is_type(kind) and isinstance(value.data, str)]


def is_url_type(kind: str) -> bool:
    """Return whether values of this type are web addresses."""
    return fold(kind) in _URL_TYPES or fold(kind).startswith(_URL_SUBTYPES)


def find_url_values(values: Iterable[HandleValue]) -> tuple[str, ...]:
    """Return the web addresses in index order: the values of type URL, by its full name 0.TYPE/URL. Without one, those
    of its subtypes, such as URL.pdf, as at doi.org."""
    found = [
        (value.type, value.data)
        for value in sorted(values, key=lambda value: value.index)
        if isinstance(value.data, str) and is_url_type(value.type)
    ]
    plain = tuple(text for kind, text in found if fold(kind) in _URL_TYPES)
    return plain or tuple(text for _, text in found)


@dataclass(frozen=True, slots=True)
class Record:
    """Response code 1: the handle exists and has values. `raw` is the whole JSON object (A1). `age`, here and below, is
    how many seconds old the answer was at the time of the request; below 0 if it was made later. `urls`: the URL
    values in index order, stripped of outer white space. `has_locations`: whether it has a 10320/loc value (P3).
    `alias`: the handle in an HS_ALIAS value (P7), stripped of outer white space, or None."""

    handle: str
    values: tuple[HandleValue, ...]
    raw: Mapping[str, Any] = field(default_factory=dict, repr=False, compare=False)
    age: float = field(default=0.0, repr=False, compare=False)
    urls: tuple[str, ...] = field(init=False, repr=False, compare=False)  # kept: a verdict asks for them several times
    has_locations: bool = field(init=False, repr=False, compare=False)
    alias: str | None = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "urls", tuple(map(str.strip, find_url_values(self.values))))
        types = {fold(value.type) for value in self.values}
        aliases = find_text_values(self.values, "HS_ALIAS") if "hs_alias" in types else ()
        object.__setattr__(self, "has_locations", LOCATIONS in types)
        object.__setattr__(self, "alias", next((alias.strip() for _, alias in aliases if alias.strip()), None))
