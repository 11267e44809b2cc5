"""The serializers of requests: their fields and bounds. An unknown field is an error, and nothing is cut off (S7)."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, ClassVar

from django.conf import settings
from django.utils.datastructures import MultiValueDict
from drf_spectacular.drainage import set_override
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from doi_reading import CATALOGUE
from resolver.api.errors import SENT_TWICE, list_unknown_names
from resolver.api.problem_types import TooLarge
from resolver.api.serializers.kept_serializers import get_serializer
from resolver.domain.report.correction import Correction
from resolver.domain.report.outcome import Outcome
from resolver.domain.report.row_task import RowTask
from resolver.domain.report.triage import RowGroup
from resolver.domain.work.evidence import VERDICTS
from resolver.services.jobs.lifecycle import NAME_LENGTH, NOTE_LENGTH
from resolver.services.results.row_queries import ADDRESSES, CORRECTIONS
from resolver.services.webhooks.registration import EVENTS


@extend_schema_field({"type": "string"})
class InputTextField(serializers.Field):
    """One text, exactly as it was sent: DRF's CharField would trim it and refuse NUL and lone surrogates."""

    def to_internal_value(self, data: object) -> str:
        if not isinstance(data, str):
            raise serializers.ValidationError("input: this must be a string.")
        if len(data) > settings.MAX_CELL:
            raise serializers.ValidationError(
                f"input: this text has {len(data):,} characters. We read at most {settings.MAX_CELL:,}."
            )
        return data


class InputTextListField(serializers.Field):
    """A list of texts, at most `most`. An error names the position of its text, counted from 0 as in JSON. The length
    of each is bounded by the reading itself (the problem `too-long`)."""

    def __init__(self, *, most: int, least: int = 0, **options: Any) -> None:
        super().__init__(**options)
        self._most, self._least = most, least
        shape = {"type": "array", "items": {"type": "string"}, "minItems": least, "maxItems": most}
        set_override(self, "field", shape)

    def to_internal_value(self, data: object) -> list[str]:
        if not isinstance(data, list):
            raise serializers.ValidationError("This must be a list of strings.")
        if not self._least <= len(data) <= self._most:
            bounds = f"at least {self._least} and at most {self._most:,}" if self._least else f"at most {self._most:,}"
            raise serializers.ValidationError(f"There are {len(data):,} inputs. Send {bounds}.")
        errors = [f"inputs[{at}]: this must be a string." for at, text in enumerate(data) if not isinstance(text, str)]
        if errors:
            raise serializers.ValidationError(errors)
        together, most = sum(map(len, data)), settings.MAX_INSPECTED
        if together > most:
            raise TooLarge(
                f"The inputs have {together:,} characters together. One request may have at most {most:,}. "
                "Send them in several requests."
            )
        return data


FORM_TOKEN = ("csrfmiddlewaretoken",)
"""What the form of a session with a login has if it isn't in the header."""


class StrictSerializer(serializers.Serializer[Any]):
    """A body in which an unknown or repeated field is an error: its sender believes that it counts."""

    ignored: ClassVar[Sequence[str]] = ()

    @classmethod
    def parse(cls, data: object) -> dict[str, Any]:
        """Return the fields of a body. Raises ValidationError."""
        if data is None:
            cls(data=data).is_valid(raise_exception=True)  # DRF says that there is no body
        return dict(get_serializer(cls).run_validation(data))

    def to_internal_value(self, data: Any) -> Any:
        """Check the names before the values."""
        if isinstance(data, Mapping):
            names = [name for name in data if name not in self.ignored]
            errors = list_unknown_names(names, list(self.fields), "field")
            if isinstance(data, MultiValueDict):
                twice = [name for name in names if name not in errors and len(data.getlist(name)) > 1]
                errors |= {name: [SENT_TWICE] for name in twice}
            if errors:
                raise serializers.ValidationError(errors)
        return super().to_internal_value(data)


class NoFieldsRequestSerializer(StrictSerializer):
    """No fields."""

    ignored = FORM_TOKEN


class StringField(serializers.CharField):
    """A text that is sent as one: DRF's CharField would make a text of a number."""

    def __init__(self, *, max_length: int, **options: Any) -> None:
        super().__init__(max_length=max_length, **options)
        self.error_messages["invalid"] = "This must be a string."
        shape = {"type": "string", "minLength": 0 if self.allow_blank else 1, "maxLength": max_length}
        any_text = "[^\\u0000]*"  # DRF refuses NUL
        shape["pattern"] = f"^{any_text}$" if self.allow_blank else f"^{any_text}[^\\s\\u0000]{any_text}$"
        set_override(self, "field", shape)

    def to_internal_value(self, data: object) -> str:
        if not isinstance(data, str):
            self.fail("invalid")
        return str(super().to_internal_value(data))


class InspectionsRequestSerializer(StrictSerializer):
    """The texts to read."""

    inputs = InputTextListField(most=1000, help_text="The texts, at most 1,000.")


class CheckedWithinField(serializers.IntegerField):
    """How old stored answers may be, in seconds."""

    def __init__(self) -> None:
        super().__init__(
            required=False,
            min_value=0,
            max_value=10**9,
            help_text="Use stored answers of the DOI proxy that are at most this old, in seconds. 0 ignores them. "
            "No answer counts for longer than the portal's own limit, which is what counts if you leave this out.",
        )


class LookupRequestSerializer(StrictSerializer):
    """The text to look up, or several: send one of the two."""

    input = InputTextField(required=False, help_text="The DOI, the link or the text.")
    inputs = InputTextListField(
        most=100, least=1, required=False, help_text="Several of these, at most 100, instead of `input`."
    )
    checked_within = CheckedWithinField()

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Refuse both, and none."""
        if ("input" in attrs) == ("inputs" in attrs):
            raise serializers.ValidationError({"input": ["Send either input, for one text, or inputs, for several."]})
        return attrs


def find_oldest_answer(wanted: Mapping[str, Any], now: datetime) -> datetime | None:
    """Return the time before which stored answers don't count, by `checked_within`; None if it was not sent."""
    seconds = wanted.get("checked_within")
    return None if seconds is None else now - timedelta(seconds=seconds)


@extend_schema_field({"type": "array", "items": {"type": "string", "enum": list(map(str, EVENTS))}, "minItems": 1})
class EventsField(serializers.MultipleChoiceField):
    """One event or several."""

    default_error_messages = {"invalid_choice": f"Use one or more of these: {', '.join(map(str, EVENTS))}."}

    def to_internal_value(self, data: Any) -> set[str]:
        """Refuse an object, of which DRF would read the names alone: `{"job.failed": false}`."""
        if not isinstance(data, list):
            self.fail("not_a_list", input_type=type(data).__name__)
        return set(super().to_internal_value(data))


class WebhookRequestSerializer(StrictSerializer):
    """The address of a receiver, and the events that it gets."""

    url = StringField(max_length=2000, help_text="The address, with https://, on the public Internet.")
    events = EventsField(
        choices=[str(event) for event in EVENTS],
        default=[str(event) for event in EVENTS],
        allow_empty=False,
        help_text="The events; all if you leave it out.",
    )
    name = StringField(
        default="", allow_blank=True, max_length=100, help_text="A name for the webhook, for your own use."
    )


class WordField(serializers.ChoiceField):
    def __init__(self, choices: Sequence[str], **options: Any) -> None:
        message = f"Use one of these: {', '.join(choices)}."
        super().__init__(choices=choices, error_messages={"invalid_choice": message}, **options)


class _DecisionField(serializers.ChoiceField):
    """One of the decisions, or null to take one back, which becomes ""."""

    def __init__(self, *choices: Correction, **options: Any) -> None:
        super().__init__(
            **options,
            choices=[str(choice) for choice in choices],
            allow_null=True,
            error_messages={"invalid_choice": f"Use one of these: {', '.join(choices)}, or null."},
        )

    def validate_empty_values(self, data: Any) -> tuple[bool, Any]:
        is_empty, value = super().validate_empty_values(data)
        return is_empty, "" if is_empty and value is None else value


class RowDecisionRequestSerializer(StrictSerializer):
    """A decision about one row."""

    decision = _DecisionField(
        Correction.ACCEPTED,
        Correction.REJECTED,
        Correction.EDITED,
        help_text="`accepted` takes the proposal, `edited` takes `doi`, `rejected` leaves the corrected DOI empty. "
        "Null takes the decision back.",
    )
    doi = InputTextField(
        required=False,
        allow_null=True,
        help_text="With `edited`: the registered DOI for your catalogue. With `accepted`: the proposal that you saw.",
    )
    decided_at = serializers.DateTimeField(
        required=False,
        allow_null=True,
        help_text="What you saw in the row; null: no decision. If it changed since, the answer is 409.",
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Refuse a DOI that would be ignored, and a decision without the DOI that it needs."""
        edited, doi = attrs["decision"] == Correction.EDITED, attrs.get("doi")
        if edited and not (doi or "").strip():
            raise serializers.ValidationError({"doi": ["Send the DOI for your catalogue with this decision."]})
        if doi and attrs["decision"] not in (Correction.EDITED, Correction.ACCEPTED):
            raise serializers.ValidationError({"doi": ["Send a DOI only with edited, or the proposal with accepted."]})
        return attrs


class RowDecisionsRequestSerializer(StrictSerializer):
    """A decision about all rows that match the filters."""

    decision = _DecisionField(
        Correction.ACCEPTED,
        Correction.REJECTED,
        help_text="The decision about rows without one; null takes decisions back.",
    )
    expected = serializers.IntegerField(
        min_value=0, help_text="The number of rows that will change. If it differs, the answer is 409."
    )
    q = InputTextField(default="", help_text="Only rows with this text in a cell, the input or the DOI.")
    outcome = WordField(choices=[str(each) for each in Outcome], default="", help_text="Only rows with this outcome.")
    problem = WordField(choices=sorted(CATALOGUE), default="", help_text="Only rows with this problem code.")
    ra = InputTextField(default="", help_text="Only rows of this Registration Agency.")
    group = WordField(choices=[str(each) for each in RowGroup], default="", help_text="Only rows of this group.")
    correction = WordField(choices=sorted(CORRECTIONS), default="", help_text="Only rows with this correction.")
    address = WordField(choices=sorted(ADDRESSES), default="", help_text="Only rows whose address is of this class.")
    work = WordField(choices=VERDICTS, default="", help_text="Only rows with this verdict about the work.")
    task = WordField(choices=[str(each) for each in RowTask], default="", help_text="Only rows of this task.")
    host = InputTextField(default="", help_text="Only rows whose first URL value is on this host.")
    duplicates = serializers.BooleanField(default=False, help_text="Only rows with the DOI of an earlier row.")


class DescriptionRequestSerializer(StrictSerializer):
    """What you may change in a job."""

    name = StringField(required=False, allow_blank=True, max_length=NAME_LENGTH, help_text="The name of the job.")
    note = StringField(required=False, allow_blank=True, max_length=NOTE_LENGTH, help_text="Your note about the job.")
