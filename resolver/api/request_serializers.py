"""What callers send, checked: bodies and query parameters (S7: a clear error, never a truncation)."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar

from django.utils.datastructures import MultiValueDict
from rest_framework import serializers
from rest_framework.request import Request

from resolver import conf
from resolver.api.exceptions import InvalidInput, TooLarge
from resolver.domain.problems.problem import CATALOGUE
from resolver.domain.report.report import Outcome
from resolver.domain.report.triage import Group
from resolver.services.jobs.lifecycle import LONGEST_NAME, LONGEST_NOTE
from resolver.services.results.row_queries import RowFilter
from resolver.sheets.errors import NeedsChoice
from resolver.sheets.input.layout import OPTIONS, Options

MAX_INPUTS = 1000


def fault_of(text: object) -> str | None:
    """Why `text` is not taken as an input; None when it is. Any code point is: to report it is our business."""
    if not isinstance(text, str):
        return "this is not a text."
    return None


def length_fault(text: str) -> str | None:
    """Why a single text is not looked up; of many texts a long one is the problem `too-long` of its own."""
    if len(text) > conf.max_cell():
        return f"this text has {len(text):,} characters. We read at most {conf.max_cell():,}."
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
            raise serializers.ValidationError(f"There are {len(data):,} inputs. Send at most {MAX_INPUTS:,}.")
        faults = [f"inputs[{at}]: {fault}" for at, text in enumerate(data) if (fault := fault_of(text)) is not None]
        if faults:
            raise serializers.ValidationError(faults)
        together, most = sum(map(len, data)), conf.max_inspected()
        if together > most:
            raise TooLarge(
                f"The inputs have {together:,} characters together. One request may have at most {most:,}. "
                "Send them in several requests."
            )
        return data


MOST_TOLD = 20  # unknown names: nobody mistypes more
LONGEST_TOLD = 100
OF_PAGES = ("cursor", "page_size")
"""The query parameters of every list."""


def _unknown(names: Iterable[str], known: Sequence[str], what: str) -> dict[str, list[str]]:
    """An error for each name that is none of those known."""
    told = f"There is no {what} of this name. " + (f"There are: {', '.join(known)}." if known else "There are none.")
    others = [name for name in names if name not in known]
    return {name[:LONGEST_TOLD]: [told] for name in others[:MOST_TOLD]}


def refuse_unknown(request: Request, *known: str) -> None:
    """Refuse a query parameter that means nothing here: whoever sends it believes that it was obeyed."""
    if errors := _unknown(request.query_params, known, "parameter"):
        raise InvalidInput(errors=errors)


class KnownFields(serializers.Serializer[Any]):
    """A body in which a field that is not known, or comes twice, is an error: the sender believes that it counts."""

    beside: ClassVar[Sequence[str]] = ()  # fields that are read elsewhere
    silent: ClassVar[Sequence[str]] = ()  # likewise, and not told of

    def to_internal_value(self, data: Any) -> Any:
        """Checked before any field is."""
        if isinstance(data, Mapping):
            names = [name for name in data if name not in self.silent]
            errors = _unknown(names, [*self.beside, *self.fields], "field")
            if isinstance(data, MultiValueDict):
                twice = [name for name in names if name not in errors and len(data.getlist(name)) > 1]
                errors |= {name: ["This field is there twice."] for name in twice}
            if errors:
                raise serializers.ValidationError(errors)
        return super().to_internal_value(data)


class InspectionsRequest(KnownFields):
    """The body of POST inspections."""

    inputs = InputTexts()


class LookupRequest(KnownFields):
    """The body of POST lookups."""

    input = InputText()


class JobRequest(KnownFields):
    """The parts of POST jobs, but for the file; what is valid has all ways of reading as `options`."""

    beside = ("file",)
    silent = ("csrfmiddlewaretoken",)  # of a session with a login, where it is not in the header
    column = serializers.CharField(default="", allow_blank=True, max_length=1000, trim_whitespace=False)
    quick = serializers.BooleanField(default=False)
    name = serializers.CharField(default="", allow_blank=True, max_length=LONGEST_NAME)
    note = serializers.CharField(default="", allow_blank=True, max_length=LONGEST_NOTE)
    sheet = serializers.CharField(default="", allow_blank=True, max_length=1000, trim_whitespace=False)
    encoding = serializers.CharField(default="", allow_blank=True, max_length=100)
    delimiter = serializers.CharField(default="", allow_blank=True, max_length=100, trim_whitespace=False)
    header_row = serializers.CharField(default="", allow_blank=True, max_length=100)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Each way of reading by itself, so that all that is wrong is told at once."""
        errors = {}
        for name in OPTIONS:
            try:
                Options.of({name: attrs[name]})
            except NeedsChoice as error:
                errors[name] = [error.reason]
        if errors:
            raise serializers.ValidationError(errors)
        return {**attrs, "options": Options.of({name: attrs[name] for name in OPTIONS})}


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


OF_ROWS = ("q", "outcome", "problem", "ra", "duplicates", "group")
"""The query parameters that `wanted_rows` reads."""
_YES_OR_NO = {"": False, "0": False, "false": False, "1": True, "true": True}


def yes_or_no(request: Request, name: str) -> bool:
    """A query parameter that is 1 or 0; no where it is not there."""
    found = _YES_OR_NO.get(request.query_params.get(name, ""))
    if found is None:
        raise InvalidInput(errors={name: [f"Use {name}=1 for yes. Use 0, or leave it out, for no."]})
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


def wanted_rows(request: Request) -> RowFilter:
    """The same for the rows of a job, with `q`, `duplicates` and `group`."""
    group = request.query_params.get("group", "")
    if group and group not in set(Group):
        raise InvalidInput(errors={"group": [f"There is no group of this name. The groups are: {', '.join(Group)}."]})
    text, duplicates = request.query_params.get("q", ""), yes_or_no(request, "duplicates")
    return RowFilter(q=text, duplicates=duplicates, group=group, **filters(request))
