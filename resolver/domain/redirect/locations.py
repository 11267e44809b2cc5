"""Multiple resolution: choose one of the locations in a 10320/loc value (L1-L6).

The sources are the Handbook (10.4) and the Handle System's page on the type. Decisions where they leave something open:

- A location with `http_role="conneg"` is for programs that negotiate content. No source says what a browser gets if
  there are no other locations. By the rule for non-positive weights (L5) a browser would be sent to metadata. So these
  locations are left out, unless `locatt` asks for one by its attributes.
- A weight that is not a finite number counts as missing: 1.
- Old texts choose at random in proportion to the weights; the Handbook of 2026 "selects higher weights first". We
  promise only what they share: one of the locations with a positive weight (`LocationChoice.among`).
- Several `locatt` keep the locations that have all of the attributes.
- `uk` in older records is the country GB.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import accumulate
from urllib.parse import quote

from resolver.domain.message import Message
from resolver.domain.redirect.safe_url import MAX_LENGTH
from resolver.domain.redirect.xml import UnreadableXml, parse_elements

DEFAULT = ("locatt", "country", "weighted")
MAX_METHODS = 16

_NAME = "{hdl}"

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
        return self.attributes.get("http_role", "").strip().lower() == "conneg"

    def find_href(self, name: str) -> str | None:
        """Return the address for a name: `href`, else `href_template` with the name in place of `{hdl}`.

        None if it has neither, or if the address would be too long. The address is unchecked: it may not be a web
        address. The name is percent-encoded with its slashes, as in recorded redirects
        (`https://data.crosscite.org/10.14454%2F3BPW-W381`), so that it stays one part of a path or a query.
        """
        href = self.attributes.get("href", "").strip()
        template = self.attributes.get("href_template", "").strip()
        if href or not template:
            return href or None
        encoded = _encode_name(name)
        if len(template) + template.count(_NAME) * len(encoded) > 2 * MAX_LENGTH:
            return None  # a template of 64 kB can hold the name ten thousand times
        return template.replace(_NAME, encoded)


@dataclass(frozen=True, slots=True)
class Locations:
    """The locations of one value, and the methods of choice in order (L2)."""

    chooseby: tuple[str, ...]
    locations: tuple[Location, ...]


@dataclass(frozen=True, slots=True)
class LocationStep:
    """The locations left by one method. `undone`: the method is unknown or would leave none, so all stay."""

    method: str
    left: tuple[Location, ...]
    undone: bool = False


@dataclass(frozen=True, slots=True)
class LocationChoice:
    """The chosen location, or None if there is none to choose.

    `start`: the locations for readers. `steps`: the methods applied to them, in order. `among`: the locations of the
    random choice; only the chosen one if a method decided.
    """

    location: Location | None
    among: tuple[Location, ...] = ()
    start: tuple[Location, ...] = field(default=(), repr=False)
    steps: tuple[LocationStep, ...] = field(default=(), repr=False)

    @property
    def is_disputed(self) -> bool:
        """Return whether the choice is random among unequal weights: older texts choose in proportion to them, the
        Handbook of 2026 the highest first (L5)."""
        return len({location.weight for location in self.among}) > 1 and any(one.weight > 0 for one in self.among)

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
    """Read the locations in the text of a 10320/loc value (L1). Raises UnreadableXml (L6).

    Elements other than `location` directly in `locations` are ignored, as `xlocation` in Crossref's record requires.
    """
    root, *found = parse_elements(xml)
    if root.name != "locations":
        raise UnreadableXml(Message("its outermost element is not <locations>"))
    methods = (method.strip().lower() for method in root.attributes.get("chooseby", "").split(","))
    chooseby = tuple(dict.fromkeys(method for method in methods if method))  # a repeated method changes nothing
    if len(chooseby) > MAX_METHODS:
        raise UnreadableXml(Message("it has more than {count} methods of choice", count=MAX_METHODS))
    inside = tuple(Location(item.attributes) for item in found if item.depth == 1 and item.name == "location")
    return Locations(chooseby or DEFAULT, inside)


def choose_location(
    locations: Locations,
    *,
    locatt: Sequence[tuple[str, str]] = (),
    country: str = "",
    pick: Callable[[Sequence[Location]], Location],
) -> LocationChoice:
    """Choose a location by L2 to L5.

    `country`: the requester's, two letters, '' if unknown. `pick`: the random choice, a function from several locations
    to one of them (`choose_by_weight`).
    """
    everyone = locations.locations
    start = left = tuple(location for location in everyone if not location.for_programs)
    steps: list[LocationStep] = []
    for method in locations.chooseby:
        if method == "weighted":
            break
        kept = _keep_locations(method, left, everyone, locatt, country)
        left = kept or left
        steps.append(LocationStep(method, left, undone=not kept))
        if len(left) == 1:
            return LocationChoice(left[0], left, start, tuple(steps))
    if not left:
        return LocationChoice(None, (), start, tuple(steps))
    among = tuple(location for location in left if location.weight > 0) or left
    steps.append(LocationStep("weighted", among))
    return LocationChoice(among[0] if len(among) == 1 else pick(among), among, start, tuple(steps))


def choose_by_weight(among: Sequence[Location], chance: float) -> Location:
    """Choose a location in proportion to the weights; all are equally likely if no weight is positive (L5).

    `chance` is a random number from 0 up to but excluding 1.
    """
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
def _encode_name(name: str) -> str:
    return quote(name, safe="", errors="replace")


def _normalize_country(text: str) -> str:
    code = text.strip().lower()
    return "gb" if code == "uk" else code


def _has(location: Location, key: str, wanted: str) -> bool:
    value = location.attributes.get(key)
    if key == "country" and value is not None:
        return _normalize_country(value) == _normalize_country(wanted)
    return value == wanted


def _keep_locations(
    method: str,
    left: tuple[Location, ...],
    everyone: tuple[Location, ...],
    locatt: Sequence[tuple[str, str]],
    country: str,
) -> tuple[Location, ...]:
    """Return the locations that the method keeps; none if it keeps none or is unknown."""
    if method == "locatt":
        if not locatt:
            return left
        groups = left, (one for one in everyone if one.for_programs)  # only by attributes can the latter be chosen
        having = (tuple(one for one in group if all(_has(one, *pair) for pair in locatt)) for group in groups)
        return next(filter(None, having), ())
    if method == "country":
        here = _normalize_country(country)
        same = tuple(location for location in left if here and location.country == here)
        return same or tuple(location for location in left if not location.country)
    return ()
