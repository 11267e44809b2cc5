"""The end of an account."""

from django.contrib.auth.models import User


class LastAdministrator(Exception):
    """Without this account nobody could administer the portal."""


def delete_account(account: User) -> None:
    """Delete the account. Its lists, lookups, drafts and tokens go with it. Raises LastAdministrator."""
    others = User.objects.filter(is_superuser=True, is_active=True).exclude(pk=account.pk)
    if account.is_superuser and not others.exists():
        raise LastAdministrator
    account.delete()
