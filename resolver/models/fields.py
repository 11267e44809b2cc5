"""Columns that return exactly the stored value, on SQLite and on PostgreSQL."""

import json
import re
from collections.abc import Callable, Collection
from typing import Any

import orjson
from django.db import models
from django.db.models.lookups import Contains

from doi_reading import Message
from doi_reading.message import decode_message, encode_message

# PostgreSQL refuses U+0000 and every database refuses lone surrogates, but librarians' files hold both. Each is
# written as U+001A and four hex digits, and so is U+001A itself, so that the encoding is unambiguous.
_UNSTORABLE = re.compile("[\x00\x1a\ud800-\udfff]")
_ESCAPED = re.compile("\x1a([0-9a-f]{4})")
_MESSAGE = "\x1a{"  # so begins a message, and nothing that `encode_storable` gives
_from_json = json.JSONDecoder().raw_decode  # without white space around it, for which `json.loads` looks
_any_to_json = json.JSONEncoder(separators=(",", ":")).encode


def _to_bytes(value: Any) -> bytes:
    try:
        return orjson.dumps(value)  # in a thirtieth of the time
    except TypeError:  # a lone surrogate, or a number of more than 64 bits
        return _any_to_json(value).encode()


def _to_json(value: Any) -> str:
    return _to_bytes(value).decode()


def measure_json(value: Any) -> int:
    """Return how many bytes the value takes in a column of JSON."""
    return len(_to_bytes(value))


def encode_storable(text: str) -> str:
    """Encode the text so that every database accepts it; `decode_storable` is the inverse."""
    if text.isprintable():  # a fast test that it holds neither
        return text
    return _UNSTORABLE.sub(lambda match: f"\x1a{ord(match[0]):04x}", text)


def encode_inside_json(text: str) -> str:
    """Return the text as a stored JSON value contains it, to search it there."""
    return _to_json(text)[1:-1]


def decode_storable(text: str) -> str:
    """Return the original text of `encode_storable`."""
    if "\x1a" not in text:  # nearly always
        return text
    return _ESCAPED.sub(lambda match: chr(int(match[1], 16)), text)


class ExactTextField(models.TextField):
    """Text with any code points, including NUL and lone surrogates (S8: nothing is folded or repaired)."""

    def get_prep_value(self, value: Any) -> Any:
        """Encode for the database. Values of comparisons (`=`, `in`) pass through here too."""
        value = super().get_prep_value(value)
        return encode_storable(value) if isinstance(value, str) else value

    def from_db_value(self, value: str | None, expression: Any, connection: Any) -> str | None:
        return None if value is None else decode_storable(value)


@ExactTextField.register_lookup
class ContainsExactly(Contains):
    """`contains` with an encoded text: Django doesn't pass it through the field."""

    def get_prep_lookup(self) -> Any:
        return encode_storable(self.rhs) if isinstance(self.rhs, str) else self.rhs


class CodesField(models.TextField):
    """Distinct codes as a tuple, stored as one text with a space around each, so that a filter (`contains`) finds only
    whole codes. Migrations see a text column."""

    # For the type checker, which expects a text: the value is a tuple of texts.
    _pyi_private_set_type: Any
    _pyi_private_get_type: Any

    def __init__(self, **options: Any) -> None:
        super().__init__(**{**options, "blank": True, "default": tuple})

    def get_prep_value(self, value: Any) -> str:
        """Encode for the database. A text of a filter stays as it is."""
        return value if isinstance(value, str) else pad_codes(value)

    def from_db_value(self, value: str, expression: Any, connection: Any) -> tuple[str, ...]:
        return tuple(value.split())

    def deconstruct(self) -> Any:
        name, _, arguments, options = super().deconstruct()
        return name, "django.db.models.TextField", arguments, {**options, "default": ""}


def pad_codes(codes: Collection[str]) -> str:
    """Return the distinct codes with a space around each; "" for none."""
    return f" {' '.join(codes)} " if codes else ""


class JsonTextField(models.TextField):
    """A JSON value stored as text, in its original order. None is stored as `null`, and so are NaN and infinity."""

    # For the type checker, which expects a text: the value is any JSON value.
    _pyi_private_set_type: Any
    _pyi_private_get_type: Any

    def get_prep_value(self, value: Any) -> str:
        """Encode for the database. Not for filters: comparing JSON text is meaningless."""
        return _to_json(value)

    def from_db_value(self, value: str | None, expression: Any, connection: Any) -> Any:
        return None if value is None else _from_json(value)[0]

    def to_python(self, value: Any) -> Any:
        """Return the value, which is a Python value already; only fixtures come as text."""
        return value

    def value_to_string(self, obj: models.Model) -> str:
        return self.get_prep_value(self.value_from_object(obj))


class MessageField(ExactTextField):
    """A text for people: a Message as JSON, or plain text, as earlier versions stored. Migrations see a text column."""

    def get_prep_value(self, value: Any) -> Any:
        return f"\x1a{_to_json(encode_message(value))}" if isinstance(value, Message) else super().get_prep_value(value)

    def from_db_value(self, value: str | None, expression: Any, connection: Any) -> str | None:
        if value is not None and value.startswith(_MESSAGE):
            message: Message = decode_message(_from_json(value, 1)[0])
            return message
        return super().from_db_value(value, expression, connection)

    def deconstruct(self) -> Any:
        name, _, arguments, options = super().deconstruct()
        return name, "resolver.models.fields.ExactTextField", arguments, options


class WithMessagesField(JsonTextField):
    """One object, a list of objects, or None, in which any value may be a Message. Migrations see a JSON column."""

    def get_prep_value(self, value: Any) -> str:
        return super().get_prep_value(_change_each(value, encode_message))

    def from_db_value(self, value: str | None, expression: Any, connection: Any) -> Any:
        return _change_each(super().from_db_value(value, expression, connection), decode_message)

    def deconstruct(self) -> Any:
        name, _, arguments, options = super().deconstruct()
        return name, "resolver.models.fields.JsonTextField", arguments, options


def _change_each(value: Any, change: Callable[[Any], Any]) -> Any:
    if isinstance(value, list):
        return [_change_each(one, change) for one in value]
    return {name: change(one) for name, one in value.items()} if value else value
