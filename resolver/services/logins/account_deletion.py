"""Delete an account with all that belongs to it. The last administrator stays."""

from django.contrib.auth.models import User
from django.db import transaction


class LastAdministrator(Exception):
    """Without this account nobody could administer the portal."""


def delete_account(account: User) -> None:
    """Delete the account. Its lists, lookups, drafts and tokens go with it. Raises LastAdministrator."""
    with transaction.atomic():
        # Locked, so that of the last two, who leave at once, one stays.
        administrators = User.objects.select_for_update().filter(is_superuser=True, is_active=True).order_by("pk")
        if account.is_superuser and not set(administrators) - {account}:
            raise LastAdministrator
        account.delete()
