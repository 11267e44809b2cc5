"""Fields of answers with a shape of their own, each with its JSON Schema for the OpenAPI document."""

from collections.abc import Mapping
from typing import Any

from django.urls import reverse
from drf_spectacular.drainage import set_override
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from doi_reading import encode
from doi_reading.name import Form

TO_THE_SECOND = "%Y-%m-%dT%H:%M:%SZ"  # as in results.jsonl


@extend_schema_field({"type": ["string", "null"]})
class TextOrNullField(serializers.Field):
    """A text, or null for the empty one that the database stores if there is none."""

    def to_representation(self, value: object) -> str | None:
        return str(value) or None


class WordOrNullField(serializers.ChoiceField):
    """One of some words, or null for the empty text that the database stores if there is none."""

    def __init__(self, **options: Any) -> None:
        super().__init__(allow_null=True, **options)

    def to_representation(self, value: object) -> str | None:
        return str(value) or None


@extend_schema_field({"type": ["string", "null"]})
class DoiFormatField(serializers.Field):
    """The name written as a URL, a doi: URI or a urn; null where there is no name."""

    def __init__(self, form: Form, **options: Any) -> None:
        super().__init__(source="doi", read_only=True, **options)
        self.form: Form = form

    def to_representation(self, value: object) -> str | None:
        return encode(str(value), self.form) if str(value) else None


@extend_schema_field({"type": "string", "format": "uri"})
class PageAddressField(serializers.Field):
    """The address of its page, as the caller can reach it."""

    def __init__(self, view_name: str, **options: Any) -> None:
        super().__init__(source="pk", read_only=True, **options)
        self.view_name = view_name

    def to_representation(self, value: object) -> str:
        return str(self.context["request"].build_absolute_uri(reverse(self.view_name, args=[value])))


class StoredJsonField(serializers.ReadOnlyField):
    """JSON as it is stored; `shape` is its JSON Schema."""

    def __init__(self, shape: Mapping[str, Any], **options: Any) -> None:
        super().__init__(**options)
        set_override(self, "field", dict(shape))
