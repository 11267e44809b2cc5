"""A value that a report stores: its column in the database, where it comes from, and how programs and files show it."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import attrgetter
from typing import Any, TypeVar

from django.db import models

from resolver.domain.display.times_and_durations import format_iso_utc
from resolver.domain.report.judge import JudgedText
from resolver.models.fields import CodesField, JsonTextField

F = TypeVar("F", bound="models.Field[Any, Any]")


@dataclass(frozen=True, slots=True)
class FileColumn:
    """The column of a value in files of results: its name, and its meaning for the legend. `only`: in results of lists
    with expected addresses (audited), that compare works (compared) or search for them (searched), or in corrected
    results; "" for all."""

    name: str
    meaning: str
    only: str = ""


@dataclass(frozen=True, slots=True)
class ReportValue:
    """What is known of a value beside its field.

    `read` gets it from the result of a check; None: another step fills it in. `show` gets what people and programs see
    from a row with all its values; None: what is stored. REST and JSON lines have it if there is a `help` text, under
    `other_member` or else its own name; the text for lookups is `help_of_lookup` if that differs. `choices` are all its
    words. `empty_is_null`: REST and JSON lines have null for an empty text. `of_text`: it follows from the text alone,
    so a retry keeps it.
    """

    field: "models.Field[Any, Any]"
    read: Callable[[JudgedText], Any] | None = None
    show: Callable[[Any], Any] | None = None
    other_member: str = ""
    help: str = ""
    help_of_lookup: str = ""
    choices: Sequence[str] = ()
    empty_is_null: bool = False
    column: FileColumn | None = None
    of_text: bool = False

    @property
    def name(self) -> str:
        """The name of the model's field, which is that of the value in code."""
        return self.field.name

    @property
    def member(self) -> str:
        """The name of the value in REST and JSON lines."""
        return self.other_member or self.name

    @property
    def unchecked(self) -> Any:
        """What an unchecked row has."""
        return self.field.get_default()

    def build_getter(self) -> Callable[[Any], Any]:
        """Return the function that gets what is shown from a row."""
        return self.show or attrgetter(self.name)

    def build_json_getter(self) -> Callable[[Any], Any]:
        """Return the function that gets the value for REST and JSON lines from a row."""
        get = self.build_getter()
        if isinstance(self.field, models.DateTimeField):
            return lambda row: format_iso_utc(get(row))
        return (lambda row: get(row) or None) if self.empty_is_null else get

    def build_cell_getter(self) -> Callable[[Any], str]:
        """Return the function that gets the text for a cell from a row."""
        get = self.build_getter()
        match self.field:
            case models.BooleanField():
                return lambda row: "1" if get(row) else ""
            case models.DateTimeField():
                return lambda row: format_iso_utc(get(row)) or ""
            case models.IntegerField():
                return lambda row: "" if get(row) is None else str(get(row))
            case CodesField():
                return lambda row: " ".join(get(row))
            case JsonTextField():
                return lambda row: " | ".join(get(row))
        return get


def stored(field: F, **about: Any) -> F:
    """Return the field of a model, which carries the ReportValue that `about` describes."""
    vars(field)["report_value"] = ReportValue(field, **about)
    return field


@lru_cache
def list_values(model: type[models.Model]) -> tuple[ReportValue, ...]:
    """Return the values of reports that the model stores, in the order of its fields."""
    return tuple(vars(field)["report_value"] for field in model._meta.concrete_fields if "report_value" in vars(field))


def arrange(names: Collection[str], known: Sequence[str]) -> tuple[str, ...]:
    """Return the names in the order that programs know, then those that it doesn't have."""
    return (*(name for name in known if name in names), *(name for name in names if name not in known))
