"""A list that is uploaded and checked once for all tests of a module, in a fixture that needs `module_portal`; and what
workers do with deleted ones."""

from dataclasses import dataclass
from uuid import UUID

from django.conf import settings
from django.test import Client
from django.utils import timezone

from resolver.models import Job
from resolver.services.jobs.lifecycle import remove_for_turn, reserve_deleted
from resolver.services.storage.leases import MESSAGE_LIFETIME


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


def remove_deleted_lists() -> None:
    """Do what the sweep and the workers do with the lists that were deleted."""
    later = timezone.now() + 2 * MESSAGE_LIFETIME  # as if the message of the request were lost
    while deleted := reserve_deleted(later):
        for job_id in deleted:
            remove_for_turn(job_id)
