"""The serializers of requests: their fields and bounds. An unknown field is an error, and nothing is cut off (S7)."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from django.utils.datastructures import MultiValueDict
from rest_framework import serializers

from resolver import conf
from resolver.api.errors import TooLarge, list_unknown_names
from resolver.domain.problems.catalogue import CATALOGUE
from resolver.domain.report.correction import Correction
from resolver.domain.report.outcome import Outcome
from resolver.domain.report.triage import RowGroup
from resolver.services.jobs.lifecycle import LONGEST_NAME, LONGEST_NOTE
from resolver.services.results.row_queries import CORRECTIONS
from resolver.sheets.errors import NeedsChoice
from resolver.sheets.input.layout_choices import OPTIONS, LayoutOptions

MAX_INPUTS = 1000


class InputTextField(serializers.Field):
    """One text, exactly as it was sent: DRF's CharField would trim it and refuse NUL and lone surrogates."""

    def to_internal_value(self, data: object) -> str:
        if not isinstance(data, str):
            raise serializers.ValidationError("input: this must be a string.")
        if len(data) > conf.max_cell():
            raise serializers.ValidationError(
                f"input: this text has {len(data):,} characters. We read at most {conf.max_cell():,}."
            )
        return data


class InputTextListField(serializers.Field):
    """A list of texts. An error names the position of its text, counted from 0 as in JSON. The length of each is
    bounded by the reading itself (the problem `too-long`)."""

    def to_internal_value(self, data: object) -> list[str]:
        if not isinstance(data, list):
            raise serializers.ValidationError("This must be a list of strings.")
        if len(data) > MAX_INPUTS:
            raise serializers.ValidationError(f"There are {len(data):,} inputs. Send at most {MAX_INPUTS:,}.")
        errors = [f"inputs[{at}]: this must be a string." for at, text in enumerate(data) if not isinstance(text, str)]
        if errors:
            raise serializers.ValidationError(errors)
        together, most = sum(map(len, data)), conf.max_inspected()
        if together > most:
            raise TooLarge(
                f"The inputs have {together:,} characters together. One request may have at most {most:,}. "
                "Send them in several requests."
            )
        return data


"""The query parameters of every list."""


class StrictSerializer(serializers.Serializer[Any]):
    """A body in which an unknown or repeated field is an error: its sender believes that it counts."""

    ignored: ClassVar[Sequence[str]] = ()

    def to_internal_value(self, data: Any) -> Any:
        """Check the names before the values."""
        if isinstance(data, Mapping):
            names = [name for name in data if name not in self.ignored]
            errors = list_unknown_names(names, list(self.fields), "field")
            if isinstance(data, MultiValueDict):
                twice = [name for name in names if name not in errors and len(data.getlist(name)) > 1]
                errors |= {name: ["This field was sent more than once. Send it once."] for name in twice}
            if errors:
                raise serializers.ValidationError(errors)
        return super().to_internal_value(data)


class InspectionsRequestSerializer(StrictSerializer):
    """The body of POST inspections."""

    inputs = InputTextListField()


class LookupRequestSerializer(StrictSerializer):
    """The body of POST lookups."""

    input = InputTextField()


class JobRequestSerializer(StrictSerializer):
    """The parts of POST jobs. The validated data have the ways of reading together, as `options`."""

    ignored = ("csrfmiddlewaretoken",)  # of a session with a login, if it is not in the header
    file = serializers.FileField(allow_empty_file=True)
    column = serializers.CharField(default="", allow_blank=True, max_length=1000, trim_whitespace=False)
    quick = serializers.BooleanField(default=False)
    name = serializers.CharField(default="", allow_blank=True, max_length=LONGEST_NAME)
    note = serializers.CharField(default="", allow_blank=True, max_length=LONGEST_NOTE)
    sheet = serializers.CharField(default="", allow_blank=True, max_length=1000, trim_whitespace=False)
    encoding = serializers.CharField(default="", allow_blank=True, max_length=100)
    delimiter = serializers.CharField(default="", allow_blank=True, max_length=100, trim_whitespace=False)
    header_row = serializers.CharField(default="", allow_blank=True, max_length=100)
    split = serializers.BooleanField(default=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Check each way of reading by itself, so that all errors come at once."""
        errors = {}
        for name in OPTIONS:
            try:
                LayoutOptions.of({name: attrs[name]})
            except NeedsChoice as error:
                errors[name] = [error.reason]
        if errors:
            raise serializers.ValidationError(errors)
        return {**attrs, "options": LayoutOptions.of({name: attrs[name] for name in OPTIONS})}


class _DecisionField(serializers.ChoiceField):
    """One of the decisions, or null to take one back, which becomes ""."""

    def __init__(self, *choices: Correction) -> None:
        super().__init__(
            choices=[str(choice) for choice in choices],
            allow_null=True,
            error_messages={"invalid_choice": f"Use one of these: {', '.join(choices)}, or null."},
        )

    def validate_empty_values(self, data: Any) -> tuple[bool, Any]:
        is_empty, value = super().validate_empty_values(data)
        return is_empty, "" if is_empty and value is None else value


class RowDecisionRequestSerializer(StrictSerializer):
    """The body of PATCH jobs/{id}/rows/{line}. `decided_at` is what the caller saw in the row."""

    decision = _DecisionField(Correction.ACCEPTED, Correction.REJECTED, Correction.EDITED)
    doi = InputTextField(required=False, allow_null=True)
    decided_at = serializers.DateTimeField(required=False, allow_null=True)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Refuse a DOI that would be ignored, and a decision without the DOI that it needs."""
        edited, doi = attrs["decision"] == Correction.EDITED, attrs.get("doi")
        if edited and not (doi or "").strip():
            raise serializers.ValidationError({"doi": ["Send the DOI for your catalogue with this decision."]})
        if doi and attrs["decision"] not in (Correction.EDITED, Correction.ACCEPTED):
            raise serializers.ValidationError({"doi": ["Send a DOI only with edited, or the proposal with accepted."]})
        return attrs


class RowDecisionsRequestSerializer(StrictSerializer):
    """The body of POST jobs/{id}/decisions: filters as those of the rows, one decision, and the number expected."""

    decision = _DecisionField(Correction.ACCEPTED, Correction.REJECTED)
    expected = serializers.IntegerField(min_value=0)
    q = InputTextField(default="")
    outcome = serializers.ChoiceField(choices=[str(each) for each in Outcome], default="")
    problem = serializers.ChoiceField(choices=sorted(CATALOGUE), default="")
    ra = InputTextField(default="")
    group = serializers.ChoiceField(choices=[str(each) for each in RowGroup], default="")
    correction = serializers.ChoiceField(choices=sorted(CORRECTIONS), default="")
    duplicates = serializers.BooleanField(default=False)


class DescriptionRequestSerializer(StrictSerializer):
    """The body of PATCH jobs/{id}: what its owner may change."""

    name = serializers.CharField(required=False, allow_blank=True, max_length=LONGEST_NAME)
    note = serializers.CharField(required=False, allow_blank=True, max_length=LONGEST_NOTE)


"""The query parameters that `parse_row_filter` reads."""
