"""A list that is uploaded and checked once for all tests of a module, in a fixture that needs `module_portal`."""

from dataclasses import dataclass
from uuid import UUID

from django.conf import settings
from django.test import Client

from resolver.models import Job


@dataclass
class StoredList:
    """The list, and the session that owns it."""

    pk: UUID
    session: str

    def give_to(self, client: Client) -> Job:
        """Make the client its owner; return it."""
        client.cookies[settings.SESSION_COOKIE_NAME] = self.session
        return Job.objects.get(pk=self.pk)


def session_of(client: Client) -> str:
    return str(client.cookies[settings.SESSION_COOKIE_NAME].value)
