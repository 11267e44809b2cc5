"""Validation of what callers send: bodies and query parameters (S7: a clear error, never a truncation)."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar

from django.utils.datastructures import MultiValueDict
from rest_framework import serializers
from rest_framework.request import Request

from resolver import conf
from resolver.api.errors import InvalidInput, TooLarge
from resolver.domain.problems.problem import CATALOGUE
from resolver.domain.report.report import Outcome
from resolver.domain.report.triage import RowGroup
from resolver.services.jobs.lifecycle import LONGEST_NAME, LONGEST_NOTE
from resolver.services.results.row_queries import RowFilter
from resolver.sheets.errors import NeedsChoice
from resolver.sheets.input.layout import OPTIONS, LayoutOptions

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


MOST_TOLD = 20  # unknown names
LONGEST_TOLD = 100
OF_PAGES = ("cursor", "page_size")
"""The query parameters of every list."""


def _unknown(names: Iterable[str], known: Sequence[str], what: str) -> dict[str, list[str]]:
    """Return an error for each unknown name."""
    remedy = f"Use one of these: {', '.join(known)}." if known else "Send none."
    told = f"There is no {what} with this name. {remedy}"
    others = [name for name in names if name not in known]
    return {name[:LONGEST_TOLD]: [told] for name in others[:MOST_TOLD]}


def refuse_unknown_parameters(request: Request, *known: str) -> None:
    """Raise InvalidInput for an unknown query parameter: its sender believes that it is obeyed."""
    if errors := _unknown(request.query_params, known, "parameter"):
        raise InvalidInput(errors=errors)


class StrictSerializer(serializers.Serializer[Any]):
    """A body in which an unknown or repeated field is an error: its sender believes that it counts."""

    ignored: ClassVar[Sequence[str]] = ()

    def to_internal_value(self, data: Any) -> Any:
        """Check the names before the values."""
        if isinstance(data, Mapping):
            names = [name for name in data if name not in self.ignored]
            errors = _unknown(names, list(self.fields), "field")
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


class DescriptionRequestSerializer(StrictSerializer):
    """The body of PATCH jobs/{id}: what its owner may change."""

    name = serializers.CharField(required=False, allow_blank=True, max_length=LONGEST_NAME)
    note = serializers.CharField(required=False, allow_blank=True, max_length=LONGEST_NOTE)


OF_ROWS = ("q", "outcome", "problem", "ra", "duplicates", "group")
"""The query parameters that `parse_row_filter` reads."""
_YES_OR_NO = {"": False, "0": False, "false": False, "1": True, "true": True}


def parse_flag(request: Request, name: str) -> bool:
    """Return a query parameter that is 1 or 0; False without it. Raises InvalidInput."""
    found = _YES_OR_NO.get(request.query_params.get(name, ""))
    if found is None:
        raise InvalidInput(errors={name: [f"Use {name}=1 for yes. Use 0, or leave it out, for no."]})
    return found


def parse_filters(request: Request) -> dict[str, str]:
    """Return `outcome`, `problem` and `ra`. Raises InvalidInput for an unknown word, which would give an empty list."""
    chosen = {name: request.query_params.get(name, "") for name in ("outcome", "problem", "ra")}
    errors = {}
    if chosen["outcome"] and chosen["outcome"] not in set(Outcome):
        errors["outcome"] = [f"There is no outcome with this name. Use one of these: {', '.join(Outcome)}."]
    if chosen["problem"] and chosen["problem"] not in CATALOGUE:
        errors["problem"] = ["There is no problem code with this name. In the portal, /help has a page for each code."]
    if errors:
        raise InvalidInput(errors=errors)
    return chosen


def parse_row_filter(request: Request) -> RowFilter:
    """Return the filter of a job's rows: `parse_filters`, `q`, `duplicates` and `group`. Raises InvalidInput."""
    group = request.query_params.get("group", "")
    if group and group not in set(RowGroup):
        raise InvalidInput(
            errors={"group": [f"There is no group with this name. Use one of these: {', '.join(RowGroup)}."]}
        )
    text, duplicates = request.query_params.get("q", ""), parse_flag(request, "duplicates")
    return RowFilter(q=text, duplicates=duplicates, group=group, **parse_filters(request))
