"""A 10320/loc value as a table: each location, whether it would be chosen, and why (L1-L6)."""

from collections.abc import Sequence
from dataclasses import dataclass

from doi_reading import Message
from resolver.domain.display.link_or_text import LONGEST_PART, ReadableAddress, describe_address, shorten
from resolver.domain.handle.proxy_parameters import Attribute, write_attribute
from resolver.domain.redirect.locations import Location, LocationChoice, Locations, LocationStep, choose_location
from resolver.domain.redirect.record_addresses import select_usable_locations

MOST_ITEMS = 50  # locations or references in one value; real records have fewer than ten


@dataclass(frozen=True, slots=True)
class LocationCriteria:
    """What the choice depends on besides the record: the requested name, `locatt=` of the link, the requester's country
    ('' if unknown), and the attributes that the headers of the request ask for. `choice`: that of a redirect, which may
    be among other locations too."""

    name: str = ""
    locatt: Sequence[Attribute] = ()
    country: str = ""
    by_headers: Sequence[Attribute] = ()
    choice: LocationChoice | None = None


@dataclass(frozen=True, slots=True)
class LocationRow:
    """One location: its address, its other attributes, and whether it would be chosen. `tone` is that of verdicts."""

    address: ReadableAddress | None
    attributes: tuple[tuple[str, str], ...]
    verdict: Message
    tone: str


@dataclass(frozen=True, slots=True)
class LocationTable:
    """All locations. `steps`: in words and in order, how one is chosen."""

    rows: tuple[LocationRow, ...]
    steps: tuple[Message, ...]
    notes: tuple[Message, ...] = ()

    @property
    def length(self) -> int:
        """The approximate number of untrusted code points."""
        addresses = sum(len(place.address.text) for place in self.rows if place.address)
        return addresses + sum(len(key) + len(value) for place in self.rows for key, value in place.attributes)


def build_location_table(locations: Locations, circumstances: LocationCriteria) -> LocationTable:
    """Return the table of the locations, with the choice that the proxy would make. The choice is that of `resolve`:
    locations with an address that no redirect may use are excluded."""
    everyone, name = locations.locations, circumstances.name
    fit = select_usable_locations(locations, name)
    choice = circumstances.choice or choose_location(
        fit,
        locatt=(*circumstances.locatt, *circumstances.by_headers),
        country=circumstances.country,
        pick=lambda among: among[0],
    )
    rows = tuple(_build_row(one, fit.locations, choice, name) for one in everyone[:MOST_ITEMS])
    cut = Message.of_count(
        "{count} more location is not shown.", "{count} more locations are not shown.", len(everyone) - MOST_ITEMS
    )
    notes = (cut,) if len(everyone) > MOST_ITEMS else ()
    return LocationTable(rows, tuple(_describe_steps(fit.locations, choice, circumstances)), notes)


def _build_row(one: Location, fit: Sequence[Location], choice: LocationChoice, name: str) -> LocationRow:
    href = one.find_href(name)
    others = [(key, value) for key, value in one.attributes.items() if key not in ("href", "href_template")]
    if "href" not in one.attributes and "href_template" in one.attributes:
        others.append(("made from", one.attributes["href_template"]))
    kept = tuple((shorten(key, 60)[0], _shorten_attribute(value)) for key, value in others[:12])
    return LocationRow(describe_address(href) if href else None, kept, *_judge(one, fit, choice))


def _shorten_attribute(value: str) -> str:
    shown, cut = shorten(value, LONGEST_PART)
    return shown + "…" if cut else shown


def _judge(one: Location, fit: Sequence[Location], choice: LocationChoice) -> tuple[Message, str]:
    if one not in fit:
        return Message("never used"), "unknown"
    if one in choice.among:
        count = len(choice.among)
        if count == 1:
            return Message("chosen"), "good"
        by_chance = Message("one of {count}, at random", count=count)
        return Message("one of {count}", count=count) if choice.is_disputed else by_chance, "info"
    if one.for_programs:
        return Message("only for programs that ask for metadata"), "unknown"
    step = next((step for step in choice.steps if one not in step.left), None)
    return Message("left out by {method}", method=_name_method(step)) if step else Message("left out"), "unknown"


def _name_method(step: LocationStep) -> str:
    return "weight" if step.method == "weighted" else shorten(step.method, 40)[0]


def _describe_steps(fit: Sequence[Location], choice: LocationChoice, circumstances: LocationCriteria) -> list[Message]:
    if not fit:
        return [Message("There is no usable location.")]
    steps = []
    before = len(choice.start)
    for step in choice.steps[:MOST_ITEMS]:
        words = _describe_step(step, before, choice, circumstances)
        steps.append(Message("{method}: {step}", method=_name_method(step), step=words))
        before = len(step.left)
    if choice.location is None:
        steps.append(Message("There is no location for a person's browser."))
    return steps


def _describe_step(step: LocationStep, before: int, choice: LocationChoice, circumstances: LocationCriteria) -> Message:
    if step.method == "locatt":
        wanted = ", ".join(map(_shorten_attribute, (step.by or tuple(map(write_attribute, circumstances.locatt)))[:3]))
        if not wanted:
            return Message("the link asks for no attribute, so nothing changes.")
        if step.undone:
            return Message("no location has {wanted}, so this step has no effect.", wanted=wanted)
        return Message("{wanted}: {count} of {before} kept.", count=len(step.left), before=before, wanted=wanted)
    if step.method == "country":
        return _describe_country(step, circumstances.country.upper(), before)
    if step.method != "weighted":
        return Message("an unknown method, which has no effect.")
    count = len(choice.among)
    if count == 1:
        return Message("one is left.")
    by_chance = Message("one of {count} is chosen at random.", count=count)
    return Message("{count} are left, with unequal weights.", count=count) if choice.is_disputed else by_chance


def _describe_country(step: LocationStep, country: str, before: int) -> Message:
    here = Message("the reader's country isn't known here")
    if country:
        here = Message("none is for the country {country}", country=country)
    if step.undone:
        return Message("{here}, and each is for a country, so this step has no effect.", here=here)
    count = Message("{count} of {before}", count=len(step.left), before=before)
    if country and all(one.country for one in step.left):
        return Message("those for {country} are kept: {count}.", count=count, country=country)
    return Message("{here}, so those without a country are kept: {count}.", count=count, here=here)
