"""The check of a job's hosts, and the hosts with their verdicts, field by field."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from resolver.api.protocol.pagination import ResultsPageSerializer
from resolver.api.serializers.fields import TextOrNullField, WordOrNullField
from resolver.domain.redirect.web_host import HostCode
from resolver.models import CheckedHost, HostCheck
from resolver.services.hosts.check import filter_pending

COLLECTING, CHECKING, FINISHED = "collecting", "checking", "finished"


class HostCheckSerializer(serializers.Serializer[HostCheck]):
    """The check of the hosts to which the DOIs of a job lead."""

    state = serializers.SerializerMethodField(
        help_text="`collecting`: the rows are counted by host. `checking`: hosts are contacted. `finished`: the end."
    )
    started_at = serializers.DateTimeField(help_text="When the check was started, UTC.")
    finished_at = serializers.DateTimeField(allow_null=True, help_text="When it ended, UTC; null before that.")
    hosts = serializers.IntegerField(help_text="The number of hosts. It grows while they are collected.")
    checked = serializers.SerializerMethodField(help_text="The number of hosts with a result of this check.")
    rows = serializers.IntegerField(help_text="The number of rows that lead to a host.")
    left_out = serializers.IntegerField(
        help_text="The number of these rows whose hosts aren't checked: only the 10,000 hosts with the most rows are."
    )

    @extend_schema_field({"type": "string", "enum": [COLLECTING, CHECKING, FINISHED]})
    def get_state(self, check: HostCheck) -> str:
        """Return how far it is."""
        return FINISHED if check.done else CHECKING if check.collected else COLLECTING

    @extend_schema_field({"type": "integer"})
    def get_checked(self, check: HostCheck) -> int:
        """Count the hosts that need no more work."""
        return check.hosts - filter_pending(check).count() if check.collected else 0


class CheckedHostSerializer(serializers.Serializer[CheckedHost]):
    """One host of a job."""

    host = serializers.CharField(source="name", help_text="The name of the host as DNS has it, in small letters.")
    scheme = serializers.SerializerMethodField(help_text="The scheme of most rows that lead to the host.")
    port = serializers.IntegerField(help_text="The port of most rows that lead to the host.")
    rows = serializers.IntegerField(help_text="The number of rows whose first URL value leads to the host.")
    verdict = WordOrNullField(
        choices=[str(code) for code in HostCode],
        help_text="Whether the server can be reached, which says nothing about a page. Null before the first check.",
    )
    detail = TextOrNullField(help_text="A sentence with the reason; null without one.")
    checked_at = serializers.DateTimeField(
        allow_null=True, help_text="When the host was contacted, for this job or another, UTC; null before that."
    )

    @extend_schema_field({"type": "string", "enum": ["http", "https"]})
    def get_scheme(self, host: Any) -> str:
        """Return the scheme of its address."""
        return "https" if host.tls else "http"


class CheckedHostPageSerializer(ResultsPageSerializer):
    """A page of hosts, and the check."""

    check = HostCheckSerializer(allow_null=True, help_text="The check; null if nobody has started one.")
    results = CheckedHostSerializer(many=True, help_text="The hosts, those with the most rows first.")
