"""The body of an upload, field by field: the file, how to read it, and what to check."""

from typing import Any

from django.conf import settings
from drf_spectacular.drainage import set_override
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from resolver.api.serializers.requests import FORM_TOKEN, CheckedWithinField, StrictSerializer, StringField
from resolver.services.jobs.lifecycle import NAME_LENGTH, NOTE_LENGTH
from resolver.sheets.errors import NeedsChoice
from resolver.sheets.input.layout_choices import DELIMITERS, HEADER_ROW, OPTIONS, LayoutOptions
from resolver.sheets.input.text.text_encoding import ENCODINGS
from resolver.sheets.input.work_columns import WORK_FIELDS, WorkChoice


@extend_schema_field({"type": "string", "format": "binary"})
class UploadField(serializers.FileField):
    """A file of any content; the serializer of a request is about what is sent, not about where it is kept."""


class _OptionField(serializers.CharField):
    """An option for reading a file, which LayoutOptions checks. `shape`: its values in JSON Schema."""

    def __init__(self, *, help_text: str, **shape: Any) -> None:
        super().__init__(default="", allow_blank=True, max_length=100, trim_whitespace=False, help_text=help_text)
        set_override(self, "field", {"type": "string", **shape})


class _NameInFileField(StringField):
    """The name of a column or a sheet, of which white space may be a part."""

    def __init__(self, *, help_text: str) -> None:
        super().__init__(default="", allow_blank=True, max_length=1000, trim_whitespace=False, help_text=help_text)


class JobRequestSerializer(StrictSerializer):
    """A file to check, and how to read it."""

    ignored = FORM_TOKEN
    file = UploadField(
        allow_empty_file=True,
        help_text="The table or the plain list: CSV, TSV, XLSX, XLS, XLSB, ODS or gzip of a text.",
    )
    column = _NameInFileField(
        help_text="The name of the column that holds the DOIs. The portal finds it if you leave it out.",
    )
    expected_column = _NameInFileField(
        help_text="The name of the column with the addresses to which the DOIs should lead. Each row then says how "
        "they differ; in a quick check none does.",
    )
    compare = serializers.BooleanField(
        default=False,
        help_text="Compare title and author of each row with what the agency of its DOI says. Only DOIs are sent.",
    )
    search = serializers.BooleanField(
        default=False,
        help_text="Search for a DOI where a row has none, or not a right one. This sends title, author, journal and "
        "year of these rows, or the whole reference, to Crossref, DataCite, or the search service of the portal.",
    )
    title_column = _NameInFileField(
        help_text="The name of the column with the titles. The portal finds these four if you leave them out."
    )
    author_column = _NameInFileField(help_text="The name of the column with the authors.")
    year_column = _NameInFileField(help_text="The name of the column with the years.")
    container_column = _NameInFileField(help_text="The name of the column with the journals or books.")
    quick = serializers.BooleanField(
        default=False, help_text="Check only whether each DOI exists, and at which agency."
    )
    name = StringField(
        default="", allow_blank=True, max_length=NAME_LENGTH, help_text="A name for the job, for your own use."
    )
    note = StringField(default="", allow_blank=True, max_length=NOTE_LENGTH, help_text="A note, for your own use.")
    sheet = _NameInFileField(
        help_text="The sheet of a workbook: its name, or its number among the visible sheets, counted from 1.",
    )
    encoding = _OptionField(
        help_text="The encoding of a text file, if the portal reads it wrongly.", enum=[*ENCODINGS, ""]
    )
    delimiter = _OptionField(
        help_text="The column separator of a text file, or its name: comma, semicolon, tab, bar, or none for a list.",
        enum=[*DELIMITERS, ""],
    )
    header_row = _OptionField(
        help_text="The number of the row with the column names, as a spreadsheet shows it. 0: there is none.",
        pattern=f"^({HEADER_ROW})?$",
    )
    split = serializers.BooleanField(
        default=None,
        allow_null=True,
        help_text="Give each DOI of a cell a row of its own. By default only in a repository's column, such as "
        "`dc.identifier.uri[]`, with values joined by `||`.",
    )
    checked_within = CheckedWithinField()
    webhook = serializers.UUIDField(
        required=False, help_text="The id of the only webhook that gets the event of the end. Without it, all get it."
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Check each way of reading by itself, so that all errors come at once. Return them together, as `options`."""
        errors: dict[str, list[str]] = {}
        for name in OPTIONS:
            try:
                LayoutOptions.of({name: attrs[name]})
            except NeedsChoice as error:
                errors[name] = [error.reason]
        columns = {field: attrs[f"{field}_column"] for field in WORK_FIELDS if attrs[f"{field}_column"]}
        if not (attrs["compare"] or attrs["search"]):
            errors |= {f"{field}_column": ["Send compare=true or search=true with this field."] for field in columns}
        if attrs["compare"] and not settings.METADATA:
            errors["compare"] = ["This portal requests no metadata, so it compares no works. Leave compare out."]
        if attrs["search"] and not settings.SEARCH:
            errors["search"] = ["This portal doesn't search for works. Leave search out."]
        if attrs["search"] and attrs["quick"]:
            errors["search"] = ["A quick check doesn't search. Leave search or quick out."]
        if errors:
            raise serializers.ValidationError(errors)
        attrs["works"] = WorkChoice(attrs["compare"], attrs["search"])
        return {**attrs, "work_columns": columns, "options": LayoutOptions.of({name: attrs[name] for name in OPTIONS})}
