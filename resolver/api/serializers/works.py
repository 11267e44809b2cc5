"""The body and the answer of a comparison of works, field by field."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from doi_reading import read
from resolver.api.serializers.requests import StrictSerializer, StringField
from resolver.domain.work.evidence import VERDICTS, FieldStatus, WorkReason
from resolver.domain.work.row_work import RowWork

MOST_ITEMS, MOST_AUTHORS, LONGEST_TEXT = 50, 200, 5000


@extend_schema_field(
    {
        "oneOf": [
            {"type": "string", "maxLength": LONGEST_TEXT},
            {"type": "array", "items": {"type": "string", "maxLength": LONGEST_TEXT}, "maxItems": MOST_AUTHORS},
        ]
    }
)
class AuthorsField(serializers.Field):
    """A text with all names, or a list of names."""

    def to_internal_value(self, data: object) -> tuple[str, ...]:
        texts = [data] if isinstance(data, str) else data
        if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
            raise serializers.ValidationError("This must be a text, or a list of texts.")
        if len(texts) > MOST_AUTHORS or any(len(text) > LONGEST_TEXT for text in texts):
            raise serializers.ValidationError(
                f"Send at most {MOST_AUTHORS} names, each of at most {LONGEST_TEXT:,} characters."
            )
        return tuple(texts)


@extend_schema_field({"type": ["string", "integer"]})
class YearField(serializers.Field):
    """A year, as a number or a text."""

    def to_internal_value(self, data: object) -> str:
        if isinstance(data, bool) or not isinstance(data, int | str) or len(str(data)) > 100:
            raise serializers.ValidationError("This must be a year.")
        return str(data)


class RowWorkRequestSerializer(StrictSerializer):
    """What your row says of its work. All fields are optional."""

    title = StringField(max_length=LONGEST_TEXT, allow_blank=True, default="", help_text="The title.")
    authors = AuthorsField(default=(), help_text="The authors: a text with all names, or a list of names.")
    year = YearField(default="", help_text="The year.")
    container = StringField(
        max_length=LONGEST_TEXT, allow_blank=True, default="", help_text="The journal, book or series."
    )


@extend_schema_field({"type": "object", "description": "A CSL-JSON item."})
class CslItemField(serializers.Field):
    """A CSL-JSON item: any object, as it is read within bounds."""

    def to_internal_value(self, data: object) -> dict[str, Any]:
        if not isinstance(data, dict):
            raise serializers.ValidationError("This must be a CSL-JSON item, an object.")
        return data


class WorkItemRequestSerializer(StrictSerializer):
    """A row, with the DOI or the record to compare it with: send one of the two."""

    row = RowWorkRequestSerializer(help_text="What your row says.")
    doi = StringField(max_length=2000, required=False, help_text="The registered DOI, as a name or a link.")
    record = CslItemField(required=False, help_text="A record as CSL-JSON. Nothing is requested for it.")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Refuse both, and none."""
        if ("doi" in attrs) == ("record" in attrs):
            raise serializers.ValidationError({"doi": ["Send either doi or record."]})
        if "doi" in attrs and (name := read(attrs["doi"]).doi) is None:
            raise serializers.ValidationError({"doi": ["This text is no DOI. A DOI begins with 10., and has a slash."]})
        named = {"doi": str(name)} if "doi" in attrs else {}
        return {**attrs, **named, "row": RowWork(**attrs["row"])}


class WorksRequestSerializer(StrictSerializer):
    """The rows to compare."""

    items = WorkItemRequestSerializer(many=True, allow_empty=False, max_length=MOST_ITEMS, help_text="At most 50 rows.")


class FieldEvidenceSerializer(serializers.Serializer[Any]):
    """One field of the comparison, with both values."""

    name = serializers.CharField(help_text="`title`, `authors`, `year`, `container`, `volume` or `first_page`.")
    row = serializers.CharField(help_text="The value of your row, or an empty text.")
    registered = serializers.CharField(help_text="The value of the record, or an empty text.")
    status = serializers.ChoiceField(choices=[str(status) for status in FieldStatus], help_text="How they compare.")


class WorkComparisonSerializer(serializers.Serializer[Any]):
    """Whether the record describes the row's work."""

    verdict = serializers.ChoiceField(
        choices=VERDICTS,
        help_text="`same`; `different`; `look`: a person has to look; `cannot-tell`; `could-not-ask`: the agency gave "
        "no answer, which says nothing about the work.",
    )
    reasons = serializers.ListField(
        child=serializers.ChoiceField(choices=[str(reason) for reason in WorkReason]),
        help_text="Why, the most telling first.",
    )
    fields = FieldEvidenceSerializer(many=True, help_text="The evidence.")


class WorkComparisonsSerializer(serializers.Serializer[Any]):
    """A comparison for each row."""

    results = WorkComparisonSerializer(many=True, help_text="The comparisons, in the order of your rows.")
