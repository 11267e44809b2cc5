"""`manage.py writeschema`: the OpenAPI document of the REST API, written anew."""

from typing import Any

from django.core.management import BaseCommand

from resolver.api.openapi.document import write_document


class Command(BaseCommand):
    """Write the file that the portal sends at /api/v1/schema. A test compares it with the views."""

    help = "Write the OpenAPI document of the REST API from its views and serializers."

    def handle(self, *args: Any, **options: Any) -> None:
        """Write the file."""
        write_document()
