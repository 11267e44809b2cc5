"""Handle values in words: data by its format, time to live, time stamp (A3-A5, A8).

All of it is untrusted (A9): any JSON gives rows, bounded in number and length, and raises nothing. Texts may hold any
character; the page makes control characters visible and escapes them.
"""

import base64
import binascii
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from doi_reading import Message
from doi_reading.message import join_messages
from resolver.domain.display.link_or_text import LONGEST_PART, describe_address, shorten
from resolver.domain.display.location_table import MOST_ITEMS, LocationCriteria, LocationTable, build_location_table
from resolver.domain.display.times_and_durations import format_timestamp, format_ttl
from resolver.domain.handle.record import LOCATIONS, is_url_type
from resolver.domain.redirect.locations import parse_locations
from resolver.domain.redirect.xml import UnreadableXml

MOST_VALUES = 200  # of a record
MOST_CHARACTERS = 100_000  # of all its values: a page of a few hundred kilobytes at most
_MOST_OCTETS = 32  # of data that is not text

RIGHTS = (
    Message("create handles"),
    Message("delete the handle"),
    Message("create prefixes below"),
    Message("delete prefixes below"),
    Message("change values"),
    Message("remove values"),
    Message("add values"),
    Message("change administrators"),
    Message("remove administrators"),
    Message("add administrators"),
    Message("read values that are not public"),
    Message("list handles"),
)
"""The rights of a handle's administrator, from the last character of an HS_ADMIN value's bitmask to the first (A5).

The order is that of RFC 3651, section 3.2.1 (Add_Handle is 0x0001, List_Handle 0x0800). JSON answers hold the mask as a
binary number, so its last character is Add_Handle. The source is the code that writes it, CNRI's GsonUtility
(`permsArrayToString`), and only in this order do the masks in use make sense.
"""


@dataclass(frozen=True, slots=True)
class ValueContent:
    """The content of a value: first `text` (`lines`: with its line breaks; `link`: as a link), then `items`, then
    `notes`, our own sentences. `places` is a list of locations."""

    text: str = ""
    lines: bool = False
    link: bool = False
    items: tuple[str, ...] = ()
    notes: tuple[Message, ...] = ()
    places: LocationTable | None = None


@dataclass(frozen=True, slots=True)
class HandleValueRow:
    """One handle value (A3), with every part as text."""

    index: str
    type: str
    format: str
    data: ValueContent
    ttl: str
    timestamp: str

    @property
    def length(self) -> int:
        """The approximate number of code points."""
        data = self.data
        texts = [self.index, self.type, self.format, self.ttl, self.timestamp, data.text, *data.items, *data.notes]
        return sum(map(len, texts)) + (data.places.length if data.places else 0)


@dataclass(frozen=True, slots=True)
class HandleValueRows:
    """The values of a record in their original order. `left_out`: how many more are not shown."""

    rows: tuple[HandleValueRow, ...] = ()
    left_out: int = 0


NOTHING_KNOWN = LocationCriteria()


def describe_values(values: object, circumstances: LocationCriteria = NOTHING_KNOWN) -> HandleValueRows:
    """Return rows for the `values` of a record from the REST API (A1). Anything but a list has no rows; items that are
    not objects are ignored."""
    found = [value for value in values if isinstance(value, Mapping)] if isinstance(values, list | tuple) else []
    shown: list[HandleValueRow] = []
    length = 0
    for value in found[:MOST_VALUES]:
        row = _build_row(value, circumstances)
        length += row.length
        if shown and length > MOST_CHARACTERS:
            break
        shown.append(row)
    return HandleValueRows(tuple(shown), len(found) - len(shown))


def _build_row(value: Mapping[str, Any], circumstances: LocationCriteria) -> HandleValueRow:
    data = value.get("data")
    known: Mapping[str, Any] = data if isinstance(data, Mapping) else {"value": data}
    kind, format_name = _shorten_name(value.get("type")), _shorten_name(known.get("format"))
    return HandleValueRow(
        index=_shorten_name(value.get("index")),
        type=kind,
        format=format_name,
        data=_describe_data(kind.lower(), format_name, known.get("value"), circumstances),
        ttl=shorten(format_ttl(value.get("ttl")), LONGEST_PART)[0],
        timestamp=format_timestamp(_shorten_name(value.get("timestamp"))),
    )


def _shorten_name(value: Any) -> str:
    text = "" if value is None else value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= LONGEST_PART else text[:LONGEST_PART] + "…"


def _describe_data(kind: str, format_name: str, value: Any, circumstances: LocationCriteria) -> ValueContent:
    if format_name in ("base64", "hex") and isinstance(value, str):
        return _describe_octets(format_name, value)
    if format_name == "admin" and isinstance(value, Mapping):
        return _describe_admin(value)
    if format_name == "vlist" and isinstance(value, list):
        return _describe_references(value)
    if not isinstance(value, str):
        return ValueContent() if value is None else _as_json(value)
    if is_url_type(kind):
        address = describe_address(value)
        return ValueContent(address.text, link=address.link, notes=address.notes)
    if kind == LOCATIONS:
        return _describe_locations(value, circumstances)
    return _describe_text(value)


def _describe_text(text: str, *notes: Message, lines: bool = False) -> ValueContent:
    shown, cut = shorten(text)
    return ValueContent(shown, lines=lines, notes=(*notes, *cut))


def _as_json(value: Any, *notes: Message) -> ValueContent:
    text = json.dumps(value, ensure_ascii=False, indent=2)
    return _describe_text(text, *notes, lines="\n" in text)


def _describe_octets(format_name: str, text: str) -> ValueContent:
    try:
        octets = base64.b64decode(text, validate=True) if format_name == "base64" else bytes.fromhex(text)
    except (binascii.Error, ValueError):
        return _describe_text(text, Message("This isn't {format}, so we show it unchanged.", format=format_name))
    size = Message.of_count("{count} byte", "{count} bytes", len(octets))
    try:
        return _describe_text(
            octets.decode("utf-8"), Message("Decoded from {format}, {size}.", format=format_name, size=size)
        )
    except UnicodeDecodeError:
        more = "…" if len(octets) > _MOST_OCTETS else ""
        note = Message("{size} that aren't text, decoded from {format}.", size=size, format=format_name)
        return ValueContent(octets[:_MOST_OCTETS].hex(" ") + more, notes=(note,))


def _format_reference(value: Mapping[str, Any]) -> str:
    """Return a value reference in the notation of the Handle System: `200:0.NA/10.1009`."""
    return f"{_shorten_name(value.get('index'))}:{_shorten_name(value.get('handle'))}"


def _describe_references(value: Sequence[Any]) -> ValueContent:
    items = tuple(
        _format_reference(one) if isinstance(one, Mapping) else _shorten_name(one) for one in value[:MOST_ITEMS]
    )
    left_out = len(value) - len(items)
    if not value:
        return ValueContent(notes=(Message("An empty list."),))
    cut = Message.of_count("{count} more reference is not shown.", "{count} more references are not shown.", left_out)
    return ValueContent(items=items, notes=(cut,) if left_out else ())


def _describe_admin(value: Mapping[str, Any]) -> ValueContent:
    permissions = _shorten_name(value.get("permissions"))
    known = describe_rights(permissions)
    if known is None:
        notes = [Message("Permissions in an unknown form: {permissions}.", permissions=permissions or "none")]
    else:
        given, refused = known
        may = join_messages(", ", *given) if given else Message("do nothing")
        notes = [Message("May {rights}.", rights=may)]
        if refused and given:
            notes.append(Message("May not {rights}.", rights=join_messages(", ", *refused)))
        notes.append(Message("Permissions: {permissions}.", permissions=permissions))
    others = {key: other for key, other in value.items() if key not in ("handle", "index", "permissions")}
    if others:
        notes.append(Message("Also: {others}", others=_shorten_name(others)))
    return ValueContent(_format_reference(value), notes=tuple(notes))


def describe_rights(permissions: str) -> tuple[tuple[Message, ...], tuple[Message, ...]] | None:
    """`011111110010` → the rights that are given, and those that are not, each in the order of the RFC. None for a text
    that is not twelve digits 0 or 1; the page shows it unchanged."""
    if len(permissions) != len(RIGHTS) or set(permissions) - {"0", "1"}:
        return None
    given = [right for right, bit in zip(RIGHTS, reversed(permissions), strict=True) if bit == "1"]
    return tuple(given), tuple(right for right in RIGHTS if right not in given)


def _describe_locations(xml: str, circumstances: LocationCriteria) -> ValueContent:
    try:
        return ValueContent(places=build_location_table(parse_locations(xml), circumstances))
    except UnreadableXml as error:
        return _describe_text(
            xml, Message("This list of locations can't be read: {reason}.", reason=error.reason), lines=True
        )
