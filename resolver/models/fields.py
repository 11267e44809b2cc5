"""Columns that give back exactly what they were given, on SQLite and on PostgreSQL alike."""

import json
import re
from collections.abc import Callable
from typing import Any

import orjson
from django.db import models
from django.db.models.lookups import Contains

from resolver.domain.message import Message, from_json, to_json

# PostgreSQL refuses U+0000 and every database refuses lone surrogates, but librarians' files hold both. Each is
# written as U+001A and four hex digits, and so is U+001A itself, so that nothing else can be mistaken for it.
_UNSTORABLE = re.compile("[\x00\x1a\ud800-\udfff]")
_ESCAPED = re.compile("\x1a([0-9a-f]{4})")
_MESSAGE = "\x1a{"  # so begins a message, and nothing that `storable` gives
_from_json = json.JSONDecoder().raw_decode  # of what stands here already: `json.loads` looks for white space around it
_any_to_json = json.JSONEncoder(separators=(",", ":")).encode


def _to_json(value: Any) -> str:
    try:
        return orjson.dumps(value).decode()  # in a thirtieth of the time
    except TypeError:  # a lone surrogate, or a number of more than 64 bits
        return _any_to_json(value)


def storable(text: str) -> str:
    """The text as every database takes it; `exact` is the way back."""
    if text.isprintable():  # neither is in it, and that is known at once
        return text
    return _UNSTORABLE.sub(lambda match: f"\x1a{ord(match[0]):04x}", text)


def exact(text: str) -> str:
    """The text that `storable` was given."""
    if "\x1a" not in text:  # as good as always
        return text
    return _ESCAPED.sub(lambda match: chr(int(match[1], 16)), text)


class ExactTextField(models.TextField):
    """Text that may hold any code point, NUL and lone surrogates included (S8: nothing is folded or repaired)."""

    def get_prep_value(self, value: Any) -> Any:
        """To the database; what is compared with (`=`, `in`) passes here too, so that like meets like."""
        value = super().get_prep_value(value)
        return storable(value) if isinstance(value, str) else value

    def from_db_value(self, value: str | None, expression: Any, connection: Any) -> str | None:
        """From the database."""
        return None if value is None else exact(value)


@ExactTextField.register_lookup
class ContainsExactly(Contains):
    """`contains` does not pass its text through the field by itself."""

    def get_prep_lookup(self) -> Any:
        return storable(self.rhs) if isinstance(self.rhs, str) else self.rhs


class JsonTextField(models.TextField):
    """A JSON value kept as text, in the order in which it came; None is stored as `null`, and NaN and infinity too."""

    # For the type checker, which would take it for text: any JSON value goes in and comes out.
    _pyi_private_set_type: Any
    _pyi_private_get_type: Any

    def get_prep_value(self, value: Any) -> str:
        """To the database. Not for filters: JSON text has no comparison that would mean anything."""
        return _to_json(value)

    def from_db_value(self, value: str | None, expression: Any, connection: Any) -> Any:
        """From the database."""
        return None if value is None else _from_json(value)[0]

    def to_python(self, value: Any) -> Any:
        """Values are Python values already; only fixtures come as text."""
        return value

    def value_to_string(self, obj: models.Model) -> str:
        """For Django's serializers."""
        return self.get_prep_value(self.value_from_object(obj))


class MessageField(ExactTextField):
    """A text for people. A message is kept as JSON, with its template and details; any other text, as earlier versions
    stored all, stays as it is. Migrations know it as the column of text that it is."""

    def get_prep_value(self, value: Any) -> Any:
        """To the database."""
        return f"\x1a{_to_json(to_json(value))}" if isinstance(value, Message) else super().get_prep_value(value)

    def from_db_value(self, value: str | None, expression: Any, connection: Any) -> str | None:
        """From the database."""
        if value is not None and value.startswith(_MESSAGE):
            message: Message = from_json(_from_json(value, 1)[0])
            return message
        return super().from_db_value(value, expression, connection)

    def deconstruct(self) -> Any:
        """For migrations."""
        name, _, arguments, options = super().deconstruct()
        return name, "resolver.models.fields.ExactTextField", arguments, options


class WithMessagesField(JsonTextField):
    """One object, a list of objects, or None, in which any value may be a message. Migrations know it as the column of
    JSON that it is."""

    def get_prep_value(self, value: Any) -> str:
        """To the database."""
        return super().get_prep_value(_in_each(value, to_json))

    def from_db_value(self, value: str | None, expression: Any, connection: Any) -> Any:
        """From the database."""
        return _in_each(super().from_db_value(value, expression, connection), from_json)

    def deconstruct(self) -> Any:
        """For migrations."""
        name, _, arguments, options = super().deconstruct()
        return name, "resolver.models.fields.JsonTextField", arguments, options


def _in_each(value: Any, change: Callable[[Any], Any]) -> Any:
    if isinstance(value, list):
        return [_in_each(one, change) for one in value]
    return {name: change(one) for name, one in value.items()} if value else value
