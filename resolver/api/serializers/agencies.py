"""A Registration Agency, field by field. (A file of its own: the view imports the page of agencies, which has it.)"""

from typing import Any

from rest_framework import serializers


class AgencySerializer(serializers.Serializer[Any]):
    """A Registration Agency, and where to report a DOI to it."""

    name = serializers.CharField(help_text="The name as Which RA gives it, and as it stands in results.")
    title = serializers.CharField(help_text="The agency's own name.")
    home = serializers.URLField(help_text="The home page of the agency.")
    report = serializers.URLField(
        source="address",
        help_text="Where to report a DOI; the DOI Foundation's list if no page of the agency is known.",
    )
    examples = serializers.ListField(
        child=serializers.CharField(), help_text="Some prefixes of DOIs at this agency. A DOI may have moved since."
    )
    name_seen = serializers.BooleanField(
        source="seen", help_text="Whether this name has been seen in an answer of Which RA."
    )
