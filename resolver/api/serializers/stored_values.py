"""The fields of what a report stores, from the table of its values."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import models
from drf_spectacular.drainage import set_override
from rest_framework import serializers

from resolver.api.openapi.json_shapes import EVENTS, OTHERS, RECORD, TEXTS
from resolver.models import Lookup
from resolver.models.fields import CodesField, JsonTextField
from resolver.models.reports.report_value import ReportValue, arrange, list_values
from resolver.models.reports.stored_report import StoredReport

_SHAPES: Mapping[str, Mapping[str, Any]] = {"others": OTHERS, "record": RECORD, "retractions": EVENTS}
"""The JSON Schemas of values that are stored as JSON and aren't lists of texts."""


class StoredValueField(serializers.Field):
    """A value of a report, as JSON lines have it too."""

    def __init__(self, value: ReportValue, shape: Mapping[str, Any], help_text: str) -> None:
        super().__init__(source="*", read_only=True, help_text=help_text)
        self.get_json = value.build_json_getter()
        set_override(self, "field", dict(shape))

    def to_representation(self, value: object) -> Any:
        """Return the value of a lookup, or of a row."""
        return self.get_json(value)


class StoredReportSerializer(serializers.Serializer[Any]):
    """The declared fields, and the values that a model stores of a report. A declared field comes in place of the value
    with its name."""

    model: type[StoredReport]
    known_order: Sequence[str]
    """The members in the order that programs know; others follow."""

    def get_fields(self) -> dict[str, Any]:
        """Return the fields by name."""
        fields = super().get_fields()
        for value in list_values(self.model):
            if value.help and value.member not in fields:
                fields[value.member] = self._build_field(value)
        return {name: fields[name] for name in arrange(fields, self.known_order)}

    def _build_field(self, value: ReportValue) -> StoredValueField:
        of_lookup = issubclass(self.model, Lookup)
        # A row may be unchecked, a lookup is not.
        shape = _describe(value, unchecked=not of_lookup and not value.show)
        return StoredValueField(value, shape, (of_lookup and value.help_of_lookup) or value.help)


def _describe(value: ReportValue, *, unchecked: bool) -> Mapping[str, Any]:
    if value.choices and value.empty_is_null:
        return {"enum": [*map(str, value.choices), None], "type": ["string", "null"]}
    if value.choices:
        return {"enum": [*map(str, value.choices), *([""] if unchecked else [])], "type": "string"}
    match value.field:
        case models.BooleanField():
            return {"type": "boolean"}
        case models.DateTimeField():
            return {"type": ["string", "null"], "format": "date-time"}
        case models.IntegerField():
            return {"type": ["integer", "null"]}
        case CodesField() | JsonTextField():
            return _SHAPES.get(value.name, TEXTS)
    return {"type": ["string", "null"] if value.empty_is_null else "string"}
