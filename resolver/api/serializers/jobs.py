"""Jobs and their rows, field by field, in the order of the contract."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.urls import reverse
from drf_spectacular.drainage import set_override
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from resolver.api.openapi.json_shapes import (
    COUNTS,
    NOTES,
    READ_AS,
    REFERENCES,
    SEARCH_OF_ROW,
    SURVEY,
    TASKS_OF_JOB,
    WORK_COLUMNS,
    WORK_OF_ROW,
)
from resolver.api.serializers.fields import (
    PageAddressField,
    StoredJsonField,
    TextOrNullField,
    WordOrNullField,
)
from resolver.api.serializers.stored_values import StoredReportSerializer
from resolver.domain.report.correction import PERSONAL, Correction, get_corrected_doi
from resolver.models import Job, Row
from resolver.models.jobs import State
from resolver.services.jobs.row_readings import (
    compares_works,
    find_expected_address,
    has_expected_addresses,
    is_bibliographic,
    searches_works,
)
from resolver.services.result_files.json_members import describe_search, describe_work
from resolver.services.results.task_counts import count_tasks
from resolver.sheets.bibliographic.formats import FORMATS
from resolver.sheets.input.layout import Layout
from resolver.sheets.input.place_rows import describe_place
from resolver.sheets.input.read_as import describe_layout, list_notes
from resolver.sheets.input.work_columns import WORK_FIELDS
from resolver.sheets.workbook.typed_cell import decode_row_texts


class JobSerializer(serializers.Serializer[Job]):
    """A file that is checked."""

    id = serializers.UUIDField(help_text="The id of the job.")
    filename = serializers.CharField(help_text="The name of the uploaded file.")
    name = serializers.CharField(help_text="The name that you gave the job; may be empty.")
    note = serializers.CharField(help_text="Your note; may be empty.")
    kind = serializers.SerializerMethodField(help_text="What the file is: a table, or a bibliographic format.")
    column = serializers.CharField(
        help_text="The name of the column that holds the DOIs. In a file without column names it is `column 1` and so "
        "on, in a bibliographic file `value`."
    )
    expected_column = serializers.SerializerMethodField(
        help_text="The column with the addresses to which the DOIs should lead; null if there is none."
    )
    compare = serializers.SerializerMethodField(
        help_text="Whether title and author of each row are compared with what the agency says."
    )
    search = serializers.SerializerMethodField(help_text="Whether a DOI is searched for where a row has no right one.")
    work_columns = serializers.SerializerMethodField(
        help_text="The columns that are compared or searched for; null if none are, and for a bibliographic file."
    )
    state = serializers.ChoiceField(
        choices=State.values, help_text="The state. `finished`, `cancelled` and `failed` are the end."
    )
    total = serializers.IntegerField(help_text="The number of rows. It grows while a long file is read.")
    done = serializers.IntegerField(help_text="The number of checked rows.")
    counts = StoredJsonField(COUNTS, help_text="The numbers of checked rows by outcome, problem and agency.")
    duplicates = serializers.IntegerField(help_text="The number of rows with the same name as an earlier row.")
    incomplete = serializers.IntegerField(
        help_text="The number of rows with an outcome whose agency or other possible meaning couldn't be checked."
    )
    survey = StoredJsonField(
        SURVEY,
        source="precheck",
        help_text="What Which RA says about the list before its records are requested. Null for a quick check, for a "
        "list of at most 50 rows, and where the DOI proxy is fast enough that the check itself is as quick.",
    )
    created_at = serializers.DateTimeField(help_text="When the job was made, UTC.")
    started_at = serializers.DateTimeField(allow_null=True, help_text="When a worker started; null before that.")
    finished_at = serializers.DateTimeField(allow_null=True, help_text="When the job ended; null before that.")
    error = TextOrNullField(help_text="Why the job failed; null if it didn't.")
    page = PageAddressField("job", help_text="The address of the job's web page.")
    quick = serializers.BooleanField(help_text="Whether only existence and agency are checked.")
    sample = serializers.BooleanField(help_text="Whether the answers come from the sample proxy.")
    read_as = serializers.SerializerMethodField(help_text="How the file was read; null in very old jobs.")
    notes = serializers.SerializerMethodField(help_text="What you should know of the whole list.")
    tasks = serializers.SerializerMethodField(
        help_text="What to do next with which rows. The numbers go down as rows are decided."
    )
    references = serializers.SerializerMethodField(
        help_text="The references of a bibliographic file; null in a table, and in jobs of earlier versions."
    )

    @extend_schema_field({"type": "string", "enum": ["table", *sorted(FORMATS)]})
    def get_kind(self, job: Job) -> str:
        """Return the word of the contract."""
        return str(job.layout["kind"]) if is_bibliographic(job) else "table"

    @extend_schema_field(dict(READ_AS))
    def get_read_as(self, job: Job) -> dict[str, str | int | bool | None] | None:
        """Return how the file was read."""
        return describe_layout(Layout.from_json(job.layout)) if job.layout else None

    @extend_schema_field(dict(NOTES))
    def get_notes(self, job: Job) -> list[dict[str, str]]:
        """Return the notes in words for programs, and in English for people."""
        found = list_notes(Layout.from_json(job.layout)) if job.layout else ()
        return [{"code": note.code, "message": str(note.message)} for note in found]

    @extend_schema_field(dict(TASKS_OF_JOB))
    def get_tasks(self, job: Job) -> list[dict[str, str | int]]:
        """Return each task that the list has, with the address of its rows."""
        rows = self.context["request"].build_absolute_uri(reverse("api:job-rows", args=[job.pk]))
        return [
            {"code": task, "rows": number, "href": f"{rows}?task={task}"} for task, number in count_tasks(job).items()
        ]

    @extend_schema_field(dict(REFERENCES))
    def get_references(self, job: Job) -> dict[str, int] | None:
        """Return their numbers."""
        return {"total": job.references, "need": job.references_in_need} if job.references else None

    @extend_schema_field({"type": ["string", "null"]})
    def get_expected_column(self, job: Job) -> str | None:
        """Return the name of the column; that of a file without a header is its number."""
        return Layout.from_json(job.layout).expected_name if has_expected_addresses(job) else None

    @extend_schema_field({"type": "boolean"})
    def get_compare(self, job: Job) -> bool:
        """Return whether works are compared."""
        return compares_works(job)

    @extend_schema_field({"type": "boolean"})
    def get_search(self, job: Job) -> bool:
        """Return whether works are searched for."""
        return searches_works(job)

    @extend_schema_field(dict(WORK_COLUMNS))
    def get_work_columns(self, job: Job) -> dict[str, str | None] | None:
        """Return the names of the columns, in a file without a header their numbers."""
        if not (compares_works(job) or searches_works(job)) or is_bibliographic(job):
            return None
        layout = Layout.from_json(job.layout)
        return {
            field: layout.header[layout.work_columns[field]] if field in layout.work_columns else None
            for field in WORK_FIELDS
        }


def build_row_context(job: Job) -> dict[str, Any]:
    """Return the context of RowSerializer for rows of this job."""
    return {"job": job, "are_places": is_bibliographic(job)}


class PlaceField(serializers.Field):
    """What the cells of a row say of its place in a bibliographic file, under the name of this field; null in a table.
    The context has `are_places`."""

    def __init__(self, shape: Mapping[str, Any], **options: Any) -> None:
        super().__init__(source="cells", read_only=True, **options)
        set_override(self, "field", dict(shape))

    def to_representation(self, value: Sequence[Any]) -> str | bool | None:
        """Return the value for this field."""
        cells = decode_row_texts(value) if self.context["are_places"] else None
        return describe_place(cells)[str(self.field_name)]


class RowSerializer(StoredReportSerializer):
    """One row of a job with its result. The context is that of `build_row_context`."""

    model = Row
    known_order = (
        "line", "row", "part", "record", "field", "writable", "reason", "input", "doi", "url", "outcome", "ra", "urls",
        "expected", "address", "work", "problems", "messages", "suggestion", "doubtful", "corrected_doi", "correction",
        "decision", "decided_by", "decided_at", "alias_of", "prefix_ra", "ra_status", "others", "same_as", "checked_at",
        "answered_at", "cached", "incomplete", "proxy", "found_by", "search",
    )  # fmt: skip
    line = serializers.IntegerField(help_text="The number of the row of data, counted from 1.")
    row = serializers.IntegerField(
        allow_null=True, help_text="The number that a spreadsheet shows for the row; null in old jobs."
    )
    part = serializers.IntegerField(help_text="The number of the DOI in its cell if the list is split; else 0.")
    record = PlaceField(
        {"type": ["string", "null"]},
        help_text="In a bibliographic file: the identifier of the record, else its number; null in a table.",
    )
    field = PlaceField(
        {"type": ["string", "null"]},
        help_text="In a bibliographic file: the field that holds the text; null in a table, and for a record that "
        "can't be read.",
    )
    writable = PlaceField(
        {"type": ["boolean", "null"]},
        help_text="In a bibliographic file: whether a corrected DOI can be written back into this field; null in a "
        "table.",
    )
    reason = PlaceField({"type": ["string", "null"]}, help_text="Why it can't be written back; else null.")
    input = serializers.CharField(help_text="The text that was checked.")
    expected = serializers.SerializerMethodField(
        help_text="The address to which the DOI should lead, as in the column of the file; null if the job has no "
        "such column."
    )
    work = serializers.SerializerMethodField(
        help_text="Whether the DOI stands for the work that the row describes; null where that wasn't compared."
    )
    search = serializers.SerializerMethodField(
        help_text="What the search services list; null where the work wasn't searched for."
    )
    corrected_doi = serializers.SerializerMethodField(help_text="The DOI for your catalogue; null if there is none.")
    decision = WordOrNullField(
        choices=[str(each) for each in Correction if each in PERSONAL],
        help_text="What a person decided about the row; null without a decision.",
    )
    decided_by = TextOrNullField(
        help_text="The account that decided; null for a session without a login, and without a decision."
    )
    decided_at = serializers.DateTimeField(allow_null=True, help_text="When it was decided, UTC; else null.")

    @extend_schema_field({"type": ["string", "null"]})
    def get_expected(self, row: Row) -> str | None:
        """Return the text of the cell."""
        return find_expected_address(self.context["job"], row.cells)

    @extend_schema_field(dict(WORK_OF_ROW))
    def get_work(self, row: Row) -> dict[str, Any] | None:
        """Return the verdict with its evidence."""
        return describe_work(row.work, row.work_evidence)

    @extend_schema_field(dict(SEARCH_OF_ROW))
    def get_search(self, row: Row) -> dict[str, Any] | None:
        """Return the works that were found."""
        return describe_search(row.searched)

    @extend_schema_field({"type": ["string", "null"]})
    def get_corrected_doi(self, row: Row) -> str | None:
        """Return the DOI for the catalogue, as in the corrected files."""
        return get_corrected_doi(row).doi or None


class ChangedRowsSerializer(serializers.Serializer[Any]):
    """The result of a decision about several rows."""

    changed = serializers.IntegerField(help_text="The number of rows that changed.")
