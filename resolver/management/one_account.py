"""The account that a command is about."""

from django.contrib.auth.models import User
from django.core.management import CommandError

from resolver.management.database_tables import require_tables


def find_account(username: str) -> User:
    """Return the account. Without one the command ends with exit status 2."""
    require_tables()
    account = User.objects.filter(username=username).first()
    if account is None:
        raise CommandError(f"There is no account {username!r}.", returncode=2)
    return account
