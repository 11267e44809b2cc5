"""The objects of the contract, field by field, in its order."""

from collections.abc import Callable
from typing import Any

from django.urls import reverse
from rest_framework import serializers

from resolver.domain.name.encoding import to_uri, to_url, to_urn
from resolver.domain.report.correction import correct
from resolver.models import Job, Row
from resolver.services.lookups.metadata import DescribedWork
from resolver.services.report_messages import get_row_messages

TO_THE_SECOND = "%Y-%m-%dT%H:%M:%SZ"  # as in results.jsonl


class TextOrNullField(serializers.Field):
    """A text, or null for the empty one that the database stores if there is none."""

    def to_representation(self, value: object) -> str | None:
        return str(value) or None


class DoiFormatField(serializers.Field):
    """The name written as a URL, a doi: URI or a urn; null where there is no name."""

    def __init__(self, write: Callable[[str], str]) -> None:
        super().__init__(source="doi", read_only=True)
        self.write = write

    def to_representation(self, value: object) -> str | None:
        return self.write(str(value)) if str(value) else None


class PageAddressField(serializers.Field):
    """The address of its page, as the caller can reach it."""

    def __init__(self, view_name: str) -> None:
        super().__init__(source="pk", read_only=True)
        self.view_name = view_name

    def to_representation(self, value: object) -> str:
        return str(self.context["request"].build_absolute_uri(reverse(self.view_name, args=[value])))


class ProblemSerializer(serializers.Serializer[Any]):
    """What is wrong or worth knowing, and where: code point offsets in `input`, end exclusive."""

    code = serializers.CharField()
    severity = serializers.CharField()
    message = serializers.CharField()
    start = serializers.IntegerField()
    end = serializers.IntegerField()


class CandidateSerializer(serializers.Serializer[Any]):
    """A candidate or a suggestion."""

    doi = serializers.CharField()
    reason = serializers.CharField()


class SuggestionSerializer(CandidateSerializer):
    """A suggestion; `doubtful` says that it is a guess, which only a person may accept."""

    doubtful = serializers.BooleanField(default=False)


class TriedCandidateSerializer(CandidateSerializer):
    """A candidate of a lookup: whether it exists, or null if it was not or could not be checked."""

    exists = serializers.BooleanField(allow_null=True, default=None)


class InspectionSerializer(serializers.Serializer[Any]):
    """An input as it was read, without the network."""

    input = serializers.CharField()
    form = serializers.CharField()
    doi = TextOrNullField()
    valid = serializers.SerializerMethodField()
    url = DoiFormatField(to_url)
    uri = DoiFormatField(to_uri)
    urn = DoiFormatField(to_urn)
    problems = ProblemSerializer(many=True)
    candidates = CandidateSerializer(many=True)

    def get_valid(self, read: Any) -> bool:
        """Return whether the input reads as a name that keeps the syntax (S1-S5)."""
        return read.doi is not None and str(read.doi) != ""


class LookupSerializer(InspectionSerializer):
    """An inspection and what the proxy knew; `sample` says that the proxy was the sample proxy."""

    id = serializers.UUIDField()
    created_at = serializers.DateTimeField()
    outcome = serializers.CharField()
    ra = TextOrNullField()
    ra_status = TextOrNullField()
    prefix_ra = TextOrNullField()
    urls = serializers.ReadOnlyField()
    record = serializers.ReadOnlyField()
    alias_of = TextOrNullField()
    candidates = TriedCandidateSerializer(many=True)
    suggestion = SuggestionSerializer()
    others = serializers.ReadOnlyField()
    proxy = serializers.CharField()
    answered_at = serializers.DateTimeField(format=TO_THE_SECOND)
    cached = serializers.BooleanField()
    page = PageAddressField("lookup")
    sample = serializers.BooleanField()


class MetadataSerializer(serializers.Serializer[DescribedWork]):
    """What a DOI stands for. If `given` is false, `reason` and `message` say why, and the fields of the work are empty.

    `names_doi` is the name that the metadata are about, if the agency says so.
    """

    doi = serializers.CharField(source="name")
    given = serializers.SerializerMethodField()
    reason = serializers.CharField(source="nothing.reason", default=None)
    message = serializers.CharField(source="nothing.reason.sentence", default=None)
    title = TextOrNullField(source="work.title", default=None)
    first_author = TextOrNullField(source="work.first_author", default=None)
    is_editor = serializers.BooleanField(source="work.is_editor", default=False)
    authors = serializers.IntegerField(source="work.authors", default=0)
    year = serializers.IntegerField(source="work.year", default=None)
    container = TextOrNullField(source="work.container", default=None)
    publisher = TextOrNullField(source="work.publisher", default=None)
    type = TextOrNullField(source="work.type", default=None)
    names_doi = TextOrNullField(source="work.doi", default=None)
    agency = TextOrNullField()
    source = serializers.CharField()
    received_at = serializers.DateTimeField(format=TO_THE_SECOND)
    cached = serializers.BooleanField(source="stored")
    sample = serializers.BooleanField()

    def get_given(self, described: DescribedWork) -> bool:
        """Return whether the agency gives metadata."""
        return described.work is not None


class JobSerializer(serializers.Serializer[Job]):
    """A file that is checked; `sample` says that the proxy is the sample proxy."""

    id = serializers.UUIDField()
    filename = serializers.CharField()
    name = serializers.CharField()
    note = serializers.CharField()
    column = serializers.CharField()
    state = serializers.CharField()
    total = serializers.IntegerField()
    done = serializers.IntegerField()
    counts = serializers.ReadOnlyField()
    duplicates = serializers.IntegerField()
    incomplete = serializers.IntegerField()
    survey = serializers.ReadOnlyField(source="precheck")
    created_at = serializers.DateTimeField()
    started_at = serializers.DateTimeField()
    finished_at = serializers.DateTimeField()
    error = TextOrNullField()
    page = PageAddressField("job")
    quick = serializers.BooleanField()
    sample = serializers.BooleanField()


class RowSerializer(serializers.Serializer[Any]):
    """One row of a job; `outcome` is empty until it is checked."""

    line = serializers.IntegerField()
    row = serializers.IntegerField()
    part = serializers.IntegerField()
    input = serializers.CharField()
    doi = TextOrNullField()
    url = TextOrNullField()
    outcome = serializers.CharField()
    ra = TextOrNullField()
    urls = serializers.ReadOnlyField()
    problems = serializers.ReadOnlyField(source="problem_codes")
    messages = serializers.SerializerMethodField()
    suggestion = TextOrNullField()
    doubtful = serializers.BooleanField()
    corrected_doi = serializers.SerializerMethodField()
    correction = serializers.SerializerMethodField()
    decision = TextOrNullField()
    decided_by = TextOrNullField()
    decided_at = serializers.DateTimeField()
    alias_of = TextOrNullField()
    prefix_ra = TextOrNullField()
    ra_status = TextOrNullField()
    others = serializers.ReadOnlyField()
    same_as = serializers.IntegerField()
    checked_at = serializers.DateTimeField(format=TO_THE_SECOND)
    answered_at = serializers.DateTimeField(format=TO_THE_SECOND)
    cached = serializers.BooleanField()
    proxy = serializers.CharField()

    def get_corrected_doi(self, row: Row) -> str | None:
        """Return the DOI for the catalogue, as in the corrected files."""
        return correct(row).doi or None

    def get_correction(self, row: Row) -> str:
        """Return how it came about."""
        return str(correct(row).correction)

    def get_messages(self, row: Row) -> str:
        """Return the sentences as in the results files."""
        return get_row_messages(row)
