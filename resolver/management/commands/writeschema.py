"""`manage.py writeschema`: write the OpenAPI document of the REST API again."""

from typing import Any

from django.conf import settings
from django.core.management import BaseCommand, CommandError

from resolver.api.openapi.document import write_document


class Command(BaseCommand):
    """Write the file that the portal sends at /api/v1/schema. A test compares it with the views."""

    help = "Write the OpenAPI document of the REST API from its views and serializers."

    def handle(self, *args: Any, **options: Any) -> None:
        """Write the file. Raises CommandError in an installed portal, whose files belong to its package."""
        if settings.INSTALLED:
            raise CommandError("This command is for a clone of the repository. Your portal has it at /api/v1/schema.")
        write_document()
