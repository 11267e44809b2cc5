"""What callers send, checked: bodies and query parameters (S7: a clear error, never a truncation)."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request

from resolver import conf
from resolver.api.refusals import InvalidInput, TooLarge
from resolver.domain.groups import Group
from resolver.domain.problems import CATALOGUE
from resolver.domain.report import Outcome
from resolver.services.jobs import LONGEST_NAME, LONGEST_NOTE
from resolver.services.rows import Wanted

MAX_INPUTS = 1000


def fault_of(text: object) -> str | None:
    """Why `text` is not taken as an input; None when it is. Any code point is: to report it is our business."""
    if not isinstance(text, str):
        return "this is not a text."
    return None


def length_fault(text: str) -> str | None:
    """Why a single text is not looked up; of many texts a long one is the problem `too-long` of its own."""
    if len(text) > conf.max_cell():
        return f"this text has {len(text):,} characters; at most {conf.max_cell():,} are read."
    return None


class InputText(serializers.Field):
    """One text, exactly as it was sent: DRF's CharField would trim it and refuse NUL and lone surrogates."""

    def to_internal_value(self, data: object) -> str:
        fault = fault_of(data) or length_fault(str(data))
        if fault is not None:
            raise serializers.ValidationError(f"input: {fault}")
        return str(data)


class InputTexts(serializers.Field):
    """A list of texts; each that cannot be taken is named by its position, counted from 0 as in JSON."""

    def to_internal_value(self, data: object) -> list[str]:
        if not isinstance(data, list):
            raise serializers.ValidationError("This must be a list of texts.")
        if len(data) > MAX_INPUTS:
            raise serializers.ValidationError(f"There are {len(data):,} inputs; at most {MAX_INPUTS:,} are read.")
        faults = [f"inputs[{at}]: {fault}" for at, text in enumerate(data) if (fault := fault_of(text)) is not None]
        if faults:
            raise serializers.ValidationError(faults)
        together, most = sum(map(len, data)), conf.max_inspected()
        if together > most:
            raise TooLarge(
                f"The inputs have {together:,} characters together; one request may have at most {most:,}. "
                "Send them in several requests."
            )
        return data


class InspectionsRequest(serializers.Serializer[Any]):
    """The body of POST inspections."""

    inputs = InputTexts()


class LookupRequest(serializers.Serializer[Any]):
    """The body of POST lookups."""

    input = InputText()


class JobRequest(serializers.Serializer[Any]):
    """The parts of POST jobs, but for the file."""

    column = serializers.CharField(default="", allow_blank=True, max_length=1000, trim_whitespace=False)
    quick = serializers.BooleanField(default=False)
    name = serializers.CharField(default="", allow_blank=True, max_length=LONGEST_NAME)
    note = serializers.CharField(default="", allow_blank=True, max_length=LONGEST_NOTE)


class DescriptionRequest(serializers.Serializer[Any]):
    """The body of PATCH jobs/{id}: what its owner may change."""

    name = serializers.CharField(required=False, allow_blank=True, max_length=LONGEST_NAME)
    note = serializers.CharField(required=False, allow_blank=True, max_length=LONGEST_NOTE)

    def validate(self, attrs: dict[str, str]) -> dict[str, str]:
        """Another member is an error: who sends it believes that it was changed."""
        others = set(self.initial_data) - set(self.fields)
        if others:
            raise serializers.ValidationError(dict.fromkeys(sorted(others), "Only name and note can be changed."))
        return attrs


_YES_OR_NO = {"": False, "0": False, "false": False, "1": True, "true": True}


def yes_or_no(request: Request, name: str) -> bool:
    """A query parameter that is 1 or 0; no where it is not there."""
    found = _YES_OR_NO.get(request.query_params.get(name, ""))
    if found is None:
        raise InvalidInput(errors={name: [f"Say {name}=1 for yes; 0, or nothing at all, is no."]})
    return found


def filters(request: Request) -> dict[str, str]:
    """`outcome`, `problem` and `ra`; a word that is none of ours is an error, not an empty list."""
    chosen = {name: request.query_params.get(name, "") for name in ("outcome", "problem", "ra")}
    errors = {}
    if chosen["outcome"] and chosen["outcome"] not in set(Outcome):
        errors["outcome"] = [f"There is no outcome of this name. The outcomes are: {', '.join(Outcome)}."]
    if chosen["problem"] and chosen["problem"] not in CATALOGUE:
        errors["problem"] = ["There is no problem code of this name."]
    if errors:
        raise InvalidInput(errors=errors)
    return chosen


def wanted_rows(request: Request) -> Wanted:
    """The same for the rows of a job, with `q`, `duplicates` and `group`."""
    group = request.query_params.get("group", "")
    if group and group not in set(Group):
        raise InvalidInput(errors={"group": [f"There is no group of this name. The groups are: {', '.join(Group)}."]})
    text, duplicates = request.query_params.get("q", ""), yes_or_no(request, "duplicates")
    return Wanted(q=text, duplicates=duplicates, group=group, **filters(request))
