"""Inspections, lookups and metadata, field by field, in the order of the contract."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from doi_reading import Severity
from resolver.api.serializers.fields import (
    TO_THE_SECOND,
    DoiFormatField,
    PageAddressField,
    TextOrNullField,
)
from resolver.api.serializers.kept_serializers import represent
from resolver.api.serializers.stored_values import StoredReportSerializer
from resolver.domain.report.outcome import Outcome
from resolver.domain.work.metadata import NoMetadataReason
from resolver.models import Lookup
from resolver.services.lookups.metadata import DescribedWork
from resolver.services.lookups.report_messages import build_lookup_messages
from resolver.services.lookups.review_proposal import find_lookup_suggestion

FORMS = ("name", "label", "uri", "urn", "info", "url", "api-url", "wrapped", "publisher-url", "text", "none")
"""The forms in which a DOI can be written."""
OUTCOMES = [str(outcome) for outcome in Outcome]


class ProblemSerializer(serializers.Serializer[Any]):
    """Something that is wrong with a text or its record, or worth knowing."""

    code = serializers.CharField(help_text="The code of the problem. The list may grow; a code keeps its meaning.")
    severity = serializers.ChoiceField(
        choices=[str(severity) for severity in Severity], help_text="How much the problem matters."
    )
    message = serializers.CharField(help_text="A sentence for a librarian.")
    start = serializers.IntegerField(help_text="Where the problem starts in `input`, in code points.")
    end = serializers.IntegerField(
        help_text="Where the problem ends in `input`, exclusive. Both are 0 if the problem is about the record."
    )


class CandidateSerializer(serializers.Serializer[Any]):
    """Another possible DOI of a text. It may not be registered."""

    doi = serializers.CharField(help_text="The DOI name.")
    reason = serializers.CharField(help_text="How this DOI differs from the text, for people.")


class SuggestionSerializer(CandidateSerializer):
    """A registered DOI that was probably meant."""

    doubtful = serializers.BooleanField(
        default=False, help_text="Whether the suggestion is a guess, which only a person should accept."
    )


class TriedCandidateSerializer(CandidateSerializer):
    """Another possible DOI of a text that was looked up, and whether it exists."""

    exists = serializers.BooleanField(
        allow_null=True,
        default=None,
        help_text="Whether the DOI is registered; null if it wasn't or couldn't be checked.",
    )


class InspectionSerializer(serializers.Serializer[Any]):
    """A text as it was read, without the network."""

    input = serializers.CharField(help_text="Your text, unchanged.")
    form = serializers.ChoiceField(choices=FORMS, help_text="The form in which the DOI is written.")
    doi = TextOrNullField(help_text="The DOI name that the text means by the standards; null if there is none.")
    valid = serializers.SerializerMethodField(help_text="Whether the text reads as a DOI name that keeps the syntax.")
    url = DoiFormatField("url", help_text="The name as a link; null without a name.")
    uri = DoiFormatField("uri", help_text="The name as a doi: URI; null without a name.")
    urn = DoiFormatField("urn", help_text="The name as a URN; null without a name.")
    problems = ProblemSerializer(many=True, help_text="What is wrong with the text, or worth knowing.")
    candidates = CandidateSerializer(many=True, help_text="Other possible DOIs, best first, at most 8.")

    def get_valid(self, read: Any) -> bool:
        """Return whether the input reads as a name that keeps the syntax (S1-S5)."""
        return read.doi is not None and str(read.doi) != ""


class InspectionsSerializer(serializers.Serializer[Any]):
    """The texts as they were read."""

    results = InspectionSerializer(many=True, help_text="An inspection for each text, in your order.")


class LookupSerializer(StoredReportSerializer, InspectionSerializer):
    """A text, and what the DOI proxy knows about the DOI in it."""

    model = Lookup
    known_order = (
        "input", "form", "doi", "valid", "url", "uri", "urn", "problems", "candidates", "id", "created_at", "outcome",
        "ra", "ra_status", "prefix_ra", "urls", "record", "alias_of", "suggestion", "others", "proxy", "answered_at",
        "cached", "incomplete", "messages", "page", "sample",
    )  # fmt: skip

    id = serializers.UUIDField(help_text="The id of the lookup.")
    created_at = serializers.DateTimeField(help_text="When the lookup was made, UTC.")
    candidates = TriedCandidateSerializer(
        many=True, source="all_candidates", help_text="Other possible DOIs, best first, and whether each is registered."
    )
    suggestion = serializers.SerializerMethodField(
        help_text="The registered DOI that was probably meant, or that a person should look at instead of `doi`; null "
        "if there is none."
    )
    messages = serializers.SerializerMethodField(help_text="All sentences about the result, in English.")
    page = PageAddressField("lookup", help_text="The address of the lookup's web page.")
    sample = serializers.BooleanField(help_text="Whether the answer comes from the sample proxy.")

    def get_messages(self, lookup: Lookup) -> str:
        """Return the sentences as in the file of the history."""
        return build_lookup_messages(lookup)

    @extend_schema_field(SuggestionSerializer(allow_null=True))
    def get_suggestion(self, lookup: Lookup) -> Any:
        """Return the suggestion, or what would be proposed in the review of a list."""
        found = find_lookup_suggestion(lookup)
        return represent(SuggestionSerializer, found) if found else None


@extend_schema_field({"$ref": "#/components/schemas/Error"})
class ErrorField(serializers.DictField):
    """An error, as problem details."""


class LookupResultSerializer(serializers.Serializer[Any]):
    """What came of one of several texts."""

    input = serializers.CharField(help_text="The text as you sent it.")
    status = serializers.IntegerField(help_text="201 if the lookup is stored, else the status of the error.")
    lookup = LookupSerializer(required=False, help_text="The stored lookup.")
    problem = ErrorField(required=False, help_text="The error, as a request with this text alone has it.")


class LookupResultsSerializer(serializers.Serializer[Any]):
    """A result for each text."""

    results = LookupResultSerializer(many=True, help_text="The results, in the order of your texts.")


class MetadataSerializer(serializers.Serializer[DescribedWork]):
    """What a DOI stands for, as its agency says. Without metadata the fields of the work are empty."""

    doi = serializers.CharField(source="name", help_text="The DOI.")
    given = serializers.SerializerMethodField(help_text="Whether the agency gives metadata.")
    reason = serializers.ChoiceField(
        choices=[str(reason) for reason in NoMetadataReason],
        source="nothing.reason",
        default=None,
        allow_null=True,
        help_text="Why there is no metadata; null if there is.",
    )
    message = serializers.CharField(
        source="nothing.reason.sentence",
        default=None,
        allow_null=True,
        help_text="The reason as a sentence; null if there is metadata.",
    )
    title = TextOrNullField(source="work.title", default=None, help_text="The title, in plain text.")
    first_author = TextOrNullField(
        source="work.first_author", default=None, help_text="The first author, or the first editor."
    )
    is_editor = serializers.BooleanField(
        source="work.is_editor", default=False, help_text="Whether `first_author` is an editor."
    )
    authors = serializers.IntegerField(source="work.authors", default=0, help_text="The number of authors or editors.")
    year = serializers.IntegerField(
        source="work.year", default=None, allow_null=True, help_text="The year of publication."
    )
    container = TextOrNullField(source="work.container", default=None, help_text="The journal, book or series.")
    publisher = TextOrNullField(source="work.publisher", default=None, help_text="The publisher.")
    type = TextOrNullField(source="work.type", default=None, help_text="The type of the work, in the agency's word.")
    names_doi = TextOrNullField(
        source="work.doi", default=None, help_text="The DOI that the metadata is about, if the agency says so."
    )
    agency = TextOrNullField(help_text="The Registration Agency; null if it isn't known.")
    source = serializers.CharField(help_text="The host that answered.")
    received_at = serializers.DateTimeField(
        format=TO_THE_SECOND, allow_null=True, help_text="When the agency answered, UTC."
    )
    cached = serializers.BooleanField(source="stored", help_text="Whether the answer was stored before this request.")
    sample = serializers.BooleanField(help_text="Whether the metadata is made up by the sample proxy.")

    def get_given(self, described: DescribedWork) -> bool:
        """Return whether the agency gives metadata."""
        return described.work is not None
