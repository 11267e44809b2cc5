"""Multiple resolution: choose one of the locations in a 10320/loc value (L1-L6).

The sources are the Handbook (10.4) and the Handle System's page on the type. Decisions where they leave something open:

- A location with `http_role="conneg"` is for programs that negotiate content. No source says what a browser gets if
  there are no other locations. By the rule for non-positive weights (L5) a browser would be sent to metadata. So these
  locations are left out, unless a `locatt` keeps nothing else.
- A weight that is not a finite number counts as missing: 1.
- Old texts choose at random in proportion to the weights; the Handbook of 2026 "selects higher weights first". We
  promise only what they share: one of the locations with a positive weight (`LocationChoice.among`).
- Of several `locatt` each has its turn, and is undone if it would leave none. So it is in the code of the proxy that
  doi.org uses, which also says: `locatt=key` keeps the locations with that attribute, whatever its value. The status of
  a redirect is the `http_sc` of the location, else that of `<locations>`.
- `uk` in older records is the country GB.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from functools import lru_cache
from http import HTTPStatus
from itertools import accumulate
from urllib.parse import quote

from doi_reading import Message
from resolver.domain.handle.proxy_parameters import Attribute, write_attribute
from resolver.domain.redirect.safe_url import MAX_URL_CHARACTERS
from resolver.domain.redirect.xml import UnreadableXml, parse_elements

DEFAULT = ("locatt", "country", "weighted")
MAX_METHODS = 16

_STATUSES = frozenset({"301", "302", "303", "307", "308"})
_CHOOSEBY, _STATUS = "chooseby", "http_sc"
_YES = frozenset({"1", "true", "yes", "y"})
_ROLE, _CONNEG = "http_role", "conneg"
_NAME = re.compile(r"\{hdl(:path)?\}")

_NUMBER = re.compile(r"[+-]?(?:[0-9]{1,300}(?:\.[0-9]{0,300})?|\.[0-9]{1,300})(?:[eE][+-]?[0-9]{1,3})?\Z")


@dataclass(frozen=True, slots=True)
class Location:
    """One location, by its attributes: `href` or `href_template`, `id`, `weight`, `country`, and any others (L1)."""

    attributes: Mapping[str, str]

    @property
    def weight(self) -> float:
        """The weight, a finite number; 1 if it is missing or not a finite number (L5)."""
        text = self.attributes.get("weight", "").strip()
        number = float(text) if _NUMBER.match(text) else 1.0
        return number if abs(number) != float("inf") else 1.0

    @property
    def country(self) -> str:
        """The country in lower case, or ''."""
        return _normalize_country(self.attributes.get("country", ""))

    @property
    def for_programs(self) -> bool:
        """Return whether it serves only content negotiation."""
        return self.attributes.get(_ROLE, "").strip().lower() == _CONNEG

    def find_href(self, name: str) -> str | None:
        """Return the address for a name: `href`, else `href_template` with the name in place of `{hdl}`.

        None if it has neither, or if the address would be too long. The address is unchecked: it may not be a web
        address. The name is percent-encoded with its slashes, as in recorded redirects
        (`https://data.crosscite.org/10.14454%2F3BPW-W381`), so that it stays one part of a path or a query.
        `{hdl:path}` keeps the slashes.
        """
        href = self.attributes.get("href", "").strip()
        template = self.attributes.get("href_template", "").strip()
        if href or not template:
            return href or None
        if len(template) + len(_NAME.findall(template)) * len(_encode_name(name, "")) > 2 * MAX_URL_CHARACTERS:
            return None  # a template of 64 kB can hold the name ten thousand times
        return _NAME.sub(lambda place: _encode_name(name, "/" if place[1] else ""), template)


@dataclass(frozen=True, slots=True)
class Locations:
    """The locations of one value, the methods of choice in order (L2), and the attributes of `<locations>`."""

    chooseby: tuple[str, ...]
    locations: tuple[Location, ...]
    attributes: Mapping[str, str] = field(default_factory=dict, repr=False)

    @property
    def without_prefix(self) -> bool:
        """Return whether the locations of the prefix don't join these."""
        return self.attributes.get("no_nslocs", "").strip().lower() in _YES

    def find_status(self, chosen: Location) -> int:
        """Return the HTTP status of a redirect to the chosen location."""
        status = chosen.attributes.get(_STATUS, self.attributes.get(_STATUS, ""))
        return int(status) if status in _STATUSES else HTTPStatus.FOUND

    def join(self, other: "Locations") -> "Locations":
        """Return the locations of both. What `<locations>` says here goes before what it says there."""
        first = self if _CHOOSEBY in self.attributes else other
        attributes = {**other.attributes, **self.attributes}
        return Locations(first.chooseby, (*self.locations, *other.locations), attributes)


@dataclass(frozen=True, slots=True)
class LocationStep:
    """The locations left by one method. `undone`: the method is unknown or would leave none, so all stay. `by`: the
    attributes that left these, of those that the request asks for."""

    method: str
    left: tuple[Location, ...]
    undone: bool = False
    by: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LocationChoice:
    """The chosen location, or None if there is none to choose. `start`: the locations for readers. `steps`: the methods
    applied to them, in order. `among`: the locations of the random choice; only the chosen one if a method decided."""

    location: Location | None
    among: tuple[Location, ...] = ()
    start: tuple[Location, ...] = field(default=(), repr=False)
    steps: tuple[LocationStep, ...] = field(default=(), repr=False)

    @property
    def is_disputed(self) -> bool:
        """Return whether the choice is random among unequal weights: older texts choose in proportion to them, the
        Handbook of 2026 the highest first (L5)."""
        return len({location.weight for location in self.among}) > 1 and any(one.weight > 0 for one in self.among)

    def has_any(self, keys: AbstractSet[str]) -> bool:
        """Return whether one of the locations for readers has an attribute with one of these keys."""
        return any(not keys.isdisjoint(location.attributes) for location in self.start)

    @property
    def varies(self) -> bool:
        """Return whether another requester may get another location, at random or by country (P16)."""
        before = self.start
        for step in self.steps:
            if step.method == "country" and len(before) > 1 and any(location.country for location in before):
                return True
            before = step.left
        return len(self.among) > 1

    @property
    def method(self) -> str:
        """The method that left only this location; '' if there was only one, or the choice was random."""
        if len(self.among) != 1:
            return ""
        *earlier, last = self.steps
        return last.method if last.left != (earlier[-1].left if earlier else self.start) else ""


def parse_locations(xml: str) -> Locations:
    """Read the locations in the text of a 10320/loc value (L1). Raises UnreadableXml (L6). Elements other than
    `location` directly in `locations` are ignored, as `xlocation` in Crossref's record requires."""
    root, *found = parse_elements(xml)
    if root.name != "locations":
        raise UnreadableXml(Message("its outermost element is not <locations>"))
    methods = (method.strip().lower() for method in root.attributes.get(_CHOOSEBY, "").split(","))
    chooseby = tuple(dict.fromkeys(method for method in methods if method))  # a repeated method changes nothing
    if len(chooseby) > MAX_METHODS:
        raise UnreadableXml(Message("it has more than {count} methods of choice", count=MAX_METHODS))
    inside = tuple(Location(item.attributes) for item in found if item.depth == 1 and item.name == "location")
    return Locations(chooseby or DEFAULT, inside, root.attributes)


def choose_location(
    locations: Locations,
    *,
    locatt: Sequence[Attribute] = (),
    country: str = "",
    pick: Callable[[Sequence[Location]], Location],
) -> LocationChoice:
    """Choose a location by L2 to L5. `country`: the requester's, two letters, '' if unknown. `pick`: the random choice,
    a function from several locations to one of them (`choose_by_weight`)."""
    everyone = locations.locations
    start = left = _keep_readers(everyone)
    steps: list[LocationStep] = []
    for method in locations.chooseby:
        if method == "weighted":
            break
        steps.append(_apply_method(method, left, everyone, locatt, country))
        left = steps[-1].left
        if len(left) == 1:
            return LocationChoice(left[0], left, start, tuple(steps))
    if not left:
        return LocationChoice(None, (), start, tuple(steps))
    among = tuple(location for location in left if location.weight > 0) or left
    steps.append(LocationStep("weighted", among))
    return LocationChoice(among[0] if len(among) == 1 else pick(among), among, start, tuple(steps))


def choose_by_weight(among: Sequence[Location], chance: float) -> Location:
    """Choose a location in proportion to the weights; all are equally likely if no weight is positive (L5). `chance` is
    a random number from 0 up to but excluding 1."""
    weights = [max(location.weight, 0.0) for location in among]
    greatest = max(weights) or 1.0  # so that even the largest numbers have a finite sum
    sums = list(accumulate(weight / greatest for weight in weights))
    if not sums[-1]:
        return among[int(chance * len(among))]
    return next(location for location, sum_ in zip(among, sums, strict=True) if chance * sums[-1] < sum_)


def find_locations_handle(xml: str) -> str | None:
    """Return the handle whose 10320/loc applies to all names of a prefix (Handbook 10.4.3):
    `<namespace><locs>0.NA/10.5237</locs></namespace>` → `0.NA/10.5237`. None if the HS_NAMESPACE names none, or is
    unreadable."""
    try:
        root, *found = parse_elements(xml)
    except UnreadableXml:
        return None
    named = (item.text.strip() for item in found if item.depth == 1 and item.name == "locs")
    return next(named, "") or None if root.name == "namespace" else None


@lru_cache(16)  # hundreds of locations may hold one name
def _encode_name(name: str, kept: str) -> str:
    return quote(name, safe=kept, errors="replace")


def _normalize_country(text: str) -> str:
    code = text.strip().lower()
    return "gb" if code == "uk" else code


def _has(location: Location, key: str, wanted: str | None) -> bool:
    value = location.attributes.get(key)
    if value is None or wanted is None:
        return value is not None
    if key == "country":
        return _normalize_country(value) == _normalize_country(wanted)
    return value == wanted


def _apply_method(
    method: str, left: tuple[Location, ...], everyone: tuple[Location, ...], locatt: Sequence[Attribute], country: str
) -> LocationStep:
    if method == "locatt":
        return _apply_locatt(left, tuple(one for one in everyone if one.for_programs), locatt)
    if method == "country":
        here = _normalize_country(country)
        same = tuple(location for location in left if here and location.country == here)
        kept = same or tuple(location for location in left if not location.country)
        return LocationStep(method, kept or left, undone=not kept)
    return LocationStep(method, left, undone=True)


def _apply_locatt(
    left: tuple[Location, ...], for_programs: tuple[Location, ...], locatt: Sequence[Attribute]
) -> LocationStep:
    """Apply each attribute in turn. Those for programs can be chosen too, if only they have a requested attribute."""
    found, by = (*left, *for_programs), []
    for key, wanted in locatt:
        kept = tuple(one for one in found if _has(one, key, wanted))
        if kept:
            by.append(write_attribute((key, wanted)))
        elif key == _ROLE:
            kept = _keep_readers(found)
        found = kept or found
    kept = _keep_readers(found) or (found if by else left)
    return LocationStep("locatt", kept, undone=bool(locatt) and not by, by=tuple(by))


def _keep_readers(locations: Iterable[Location]) -> tuple[Location, ...]:
    return tuple(one for one in locations if not one.for_programs)
